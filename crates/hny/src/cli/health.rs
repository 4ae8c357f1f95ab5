//! `hny health`: whether the service on this machine can serve, for supervisors that can only run a command.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use super::failure::Failure;
use crate::config::Config;
use crate::exit::Exit;
use crate::printer::{Printer, say};

/// How long a step may take: supervisors ask again.
const PATIENCE: Duration = Duration::from_secs(2);

/// More than the answer has.
const MOST: u64 = 4096;

/// Asks the service on the address of the settings for `/readyz`. Exit code 0 is ready, 1 is not; the word is printed.
pub(super) fn run(config: &Config) -> Result<Exit, Failure> {
    let listen = config.http.listen;
    if listen.port() == 0 {
        say("HNY_LISTEN has port 0, which is any free one: name the port of the service");
        return Ok(Exit::Usage);
    }
    let address = SocketAddr::new(own_address(listen.ip()), listen.port());
    match ask(address) {
        Ok(answer) => {
            Printer::of_json_flag(false).data(&answer.word)?;
            Ok(if answer.is_ready { Exit::Done } else { Exit::Failed })
        }
        Err(error) => {
            say(format_args!("nobody answers on {address}: {error}"));
            Ok(Exit::Failed)
        }
    }
}

/// What `/readyz` says.
struct Readiness {
    is_ready: bool,
    word: String,
}

/// Where the service is reached from its own machine: one that listens on every address does so on the loopback.
fn own_address(listen: IpAddr) -> IpAddr {
    match listen {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}

fn ask(address: SocketAddr) -> io::Result<Readiness> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.take(MOST).read_to_string(&mut answer)?;
    read(&answer).ok_or_else(|| io::Error::other("it is not hny that answers"))
}

/// Reads an answer of ours: its status, and the one line of its body.
fn read(answer: &str) -> Option<Readiness> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    let word = body.trim_end().to_owned();
    matches!(status, "200" | "503").then(|| Readiness { is_ready: status == "200", word })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_on_every_address_is_asked_on_the_loopback() {
        for (listen, own) in [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("192.0.2.7", "192.0.2.7"), ("::1", "::1")] {
            assert_eq!(own_address(listen.parse().unwrap()), own.parse::<IpAddr>().unwrap(), "{listen}");
        }
    }

    #[test]
    fn only_an_answer_of_ours_is_one() {
        let ready = read("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nready\n").unwrap();
        assert_eq!((ready.is_ready, &*ready.word), (true, "ready"));
        let draining = read("HTTP/1.1 503 Service Unavailable\r\n\r\ndraining\n").unwrap();
        assert_eq!((draining.is_ready, &*draining.word), (false, "draining"));
        for answer in
            ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 404 Not Found\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 2"]
        {
            assert!(read(answer).is_none(), "{answer:?}");
        }
    }
}

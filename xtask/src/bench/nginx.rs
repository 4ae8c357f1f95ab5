//! nginx, started with the configuration in `bench/nginx.conf` on a free port.

use super::BenchError;
use crate::command::root;
use bench_visitors::links;
use std::io::{BufRead, BufReader, Error, Result};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, ChildStderr, Command, Stdio};
use tempfile::TempDir;

/// A running nginx, which ends with this value.
#[derive(Debug)]
pub(super) struct Nginx {
    child: Child,
    address: SocketAddr,
    /// Kept open, so that it may say more.
    _said: BufReader<ChildStderr>,
    _folder: TempDir,
}

impl Nginx {
    pub(super) fn start() -> std::result::Result<Self, BenchError> {
        try_start().map_err(BenchError::Nginx)
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It keeps nothing that it would have to write down.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn try_start() -> Result<Nginx> {
    let folder = TempDir::with_prefix("hny-nginx-")?;
    // It cannot be told to take any free port; if somebody else gets this one before it does, it says so and ends.
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let template = std::fs::read_to_string(root().join("bench/nginx.conf"))?;
    std::fs::write(folder.path().join("nginx.conf"), configuration(&template, address))?;
    let mut nginx = Command::new("nginx");
    nginx.arg("-p").arg(folder.path()).args(["-c", "nginx.conf", "-e", "stderr"]);
    let mut child = nginx.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut said = BufReader::new(child.stderr.take().ok_or_else(|| Error::other("it has no stderr"))?);
    wait_until_ready(&mut said)?;
    Ok(Nginx { child, address, _said: said, _folder: folder })
}

/// Reads until it says that it waits for connections.
fn wait_until_ready(mut said: impl BufRead) -> Result<()> {
    let mut text = String::new();
    while said.read_line(&mut text)? > 0 {
        // It says so when it has its sockets.
        if text.contains("event method") {
            return Ok(());
        }
    }
    Err(Error::other(text))
}

fn configuration(template: &str, address: SocketAddr) -> String {
    template.replace("@LISTEN@", &address.to_string()).replace("@LOCATION@", &links::short_target())
}

#[test]
fn an_nginx_that_ends_says_why() {
    assert!(wait_until_ready(&b"using the \"epoll\" event method\n"[..]).is_ok());
    let error = wait_until_ready(&b"bind() failed\n"[..]).expect_err("it ended");
    assert!(error.to_string().contains("bind() failed"), "{error}");
}

#[test]
fn the_configuration_is_whole() {
    let template = std::fs::read_to_string(root().join("bench/nginx.conf")).expect("it is in the repository");
    let text = configuration(&template, SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)));
    assert!(text.contains("listen 127.0.0.1:8080 backlog=4096;"), "{text}");
    assert!(text.contains("Location \"https://www.example.com/0000000\" always;"), "{text}");
    assert!(!text.contains("@LISTEN@") && !text.contains("@LOCATION@"), "{text}");
}

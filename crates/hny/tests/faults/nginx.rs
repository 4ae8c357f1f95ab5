//! What the site of `deploy/nginx/` promises, through a real nginx.

use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use hny_testkit::{Client, DEADLINE, NginxSite, Response};

use crate::proxy::{site, split_site, start};
use crate::{program, visit};

/// The longest target there is.
const LONGEST: usize = 8192;

/// An address on which nobody listens: no system gives so low a port to who asks for a free one.
fn nobody() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 1).into()
}

/// A node that takes a request, and dies of it.
struct Dying {
    address: SocketAddr,
    /// The heads of the requests that came.
    heads: Receiver<String>,
}

impl Dying {
    fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (sender, heads) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let head = read_head(&mut stream);
                // Noted before the connection is closed, which sets nginx going. Nobody listens any more when the test has ended.
                if sender.send(head).is_err() {
                    return;
                }
            }
        });
        Self { address, heads }
    }

    fn seen(&self) -> Vec<String> {
        self.heads.try_iter().collect()
    }
}

/// A node that does what it is asked and is lost before it can say so: it has `node` answer, and closes the connection.
fn lossy(node: SocketAddr) -> Dying {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let (sender, heads) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let head = read_head(&mut stream);
            let answer = Client::connect(node).raw(head.as_bytes());
            // Nobody listens any more when the test has ended.
            if sender.send(format!("{head}{}", answer.status)).is_err() {
                return;
            }
        }
    });
    Dying { address, heads }
}

/// Reads the head of a request.
fn read_head(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part) {
            Ok(read) if read > 0 => bytes.extend_from_slice(&part[..read]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn create(client: &mut Client, code: &str) -> Response {
    visit::try_shorten_as(client, code, &format!("https://example.com/{code}"))
}

fn check(site: &NginxSite, files: &[(&str, &[u8])]) {
    let checked = site.check(files);
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && !said.contains("[warn]"), "{said}");
}

#[test]
fn nginx_takes_the_site_as_it_is() {
    check(&site([nobody(), nobody()]), &[]);
}

#[test]
fn nginx_takes_the_site_with_the_lines_for_tls() {
    let text = include_str!("../../../../deploy/nginx/hny.conf");
    let text: String = text.split_inclusive('\n').filter(|line| !line.ends_with("#plain\n")).collect();
    let site = NginxSite::new(text).replace("#tls ", "").replace("/etc/nginx/tls/", "");
    let site = site.replace("hny-1:8080", "127.0.0.1:1").replace("hny-2:8080", "127.0.0.1:2");
    let folder = tempfile::tempdir().expect("a folder");
    let (certificate, key) = (folder.path().join("fullchain.pem"), folder.path().join("privkey.pem"));
    let mut openssl = Command::new("openssl");
    openssl.args([
        "req",
        "-x509",
        "-nodes",
        "-newkey",
        "rsa:2048",
        "-subj",
        "/CN=hny.example",
        "-days",
        "1",
        "-keyout",
    ]);
    let made = openssl.arg(&key).arg("-out").arg(&certificate).output().expect("openssl is there");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let read = |path| std::fs::read(path).expect("openssl has written it");
    check(&site, &[("fullchain.pem", &read(certificate)), ("privkey.pem", &read(key))]);
}

#[test]
fn the_longest_target_is_redirected_to() {
    let hny = program().start();
    let nginx = start(site([hny.address(); 2]));
    let mut client = Client::connect(nginx.address());
    let front = "https://example.com/?";
    let target = format!("{front}{}", "x".repeat(LONGEST - front.len()));
    visit::shorten_as(&mut client, "long", &target);
    assert_eq!(visit::target(&mut client, "long"), Some(target));
    // As long a query, and a target that nginx would take for its own.
    visit::shorten_as(&mut client, "odd", "http://hny_redirect/a");
    let query = "y".repeat(LONGEST);
    let visit = client.get(&format!("/odd?{query}"));
    assert_eq!(visit.header("Location"), Some(&*format!("http://hny_redirect/a?{query}")));
}

#[test]
fn each_path_comes_to_a_node_that_answers_it() {
    let api = program().env("HNY_ROLES", "api,pages").start();
    let redirect = program().beside(api.program()).env("HNY_ROLES", "redirect").start();
    let nginx = start(split_site([redirect.address(); 2], [api.address(); 2]));
    let mut client = Client::connect(nginx.address());
    visit::shorten_as(&mut client, "there", "https://example.com/");
    for (method, path, status) in [
        ("GET", "/there", 302),
        ("GET", "/there/?a=b", 302),
        ("HEAD", "/there", 302),
        ("DELETE", "/there", 405),
        ("GET", "/unknown", 404),
        ("GET", "/shortened", 404),
        ("GET", "/no/such/path", 404),
        ("GET", "/", 200),
        ("GET", "/static/hny.css", 200),
        ("GET", "/robots.txt", 200),
        ("GET", "/favicon.ico", 204),
        ("GET", "/api", 404),
        ("GET", "/static", 404),
        ("GET", "/api/shorten", 405),
        ("GET", "/shorten", 405),
        ("POST", "/shorten", 415),
        ("GET", "/api/v1/links/there", 401),
        ("GET", "/readyz", 200),
    ] {
        let answer = client.request(method, path, &[], b"");
        assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
    }
}

/// What a client says is the id of its visit.
const CLAIMED: &str = "00000000000000000000000000000000";

#[test]
fn a_node_is_told_the_address_of_the_client_and_not_its_claims() {
    let dying = Dying::start();
    let nginx = start(site([dying.address, nobody()]));
    let headers = [
        ("X-Forwarded-For", "192.0.2.1"),
        ("X-Request-Id", CLAIMED),
        ("Connection", "close"),
        ("Host", "Hny.Example:80"),
    ];
    Client::connect(nginx.address()).request("GET", "/abc", &headers, b"");
    let head = dying.heads.recv_timeout(DEADLINE).expect("the node was asked");
    let mut lines: Vec<_> = head.trim_end().split("\r\n").collect();
    lines.sort_unstable();
    let id = lines.pop().and_then(|line| line.strip_prefix("X-Request-Id: ")).expect("the visit has an id");
    assert!(id.len() == 32 && id != CLAIMED, "{id}");
    assert_eq!(lines, ["GET /abc HTTP/1.1", "Host: hny.example", "X-Forwarded-For: 127.0.0.1"]);
}

#[test]
fn a_dead_node_is_passed_over() {
    let hny = program().start();
    let nginx = start(site([nobody(), hny.address()]));
    for number in 0..20 {
        let mut client = Client::connect(nginx.address());
        assert_eq!(create(&mut client, &format!("code-{number}")).status, 201);
        assert!(visit::target(&mut client, &format!("code-{number}")).is_some());
    }
}

#[test]
fn a_node_that_died_is_passed_over_and_used_again_when_it_is_back() {
    let one = program().start();
    let mut other = program().beside(one.program()).start();
    let nginx = start(site([one.address(), other.address()]));
    let mut client = Client::connect(nginx.address());
    visit::shorten_as(&mut client, "there", "https://example.com/");
    let follow = |client: &mut Client, times: usize| {
        for _ in 0..times {
            assert!(visit::target(client, "there").is_some());
        }
    };
    follow(&mut client, 10);
    // Connections to it are kept by nginx: a GET that meets a dead one is sent again.
    other.kill();
    other.wait(DEADLINE);
    follow(&mut client, 50);
    other.start_again();
    // The other one is the only one now, and is left out for a while because it was dead.
    drop(one);
    let end = Instant::now() + DEADLINE;
    while Client::connect(nginx.address()).get("/there").status != 302 {
        assert!(Instant::now() < end, "{} is back and is not used", other.address());
    }
}

#[test]
fn what_may_have_been_done_is_not_sent_again() {
    let hny = program().start();
    let dying = Dying::start();
    let nginx = start(site([dying.address, hny.address()]));
    let mut client = Client::connect(nginx.address());
    // In turn, so one of them meets the dying node, which is then left out.
    let statuses = ["one", "two"].map(|code| create(&mut client, code).status);
    let lost = dying.seen();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].starts_with("POST /api/shorten "), "{lost:?}");
    let mut at_node = Client::connect(hny.address());
    for (code, status) in ["one", "two"].into_iter().zip(statuses) {
        let is_there = visit::target(&mut at_node, code).is_some();
        assert_eq!((status, is_there), if is_there { (201, true) } else { (502, false) }, "{code}");
    }
    assert!(statuses.contains(&502) && statuses.contains(&201), "{statuses:?}");
}

#[test]
fn a_visit_that_a_node_dies_of_is_answered_by_another() {
    let hny = program().start();
    visit::shorten_as(&mut Client::connect(hny.address()), "there", "https://example.com/");
    let dying = Dying::start();
    let nginx = start(site([dying.address, hny.address()]));
    let mut client = Client::connect(nginx.address());
    for _ in 0..4 {
        assert!(visit::target(&mut client, "there").is_some());
    }
    assert_eq!(dying.seen().len(), 1, "it is left out after that");
}

#[test]
fn a_claimed_visit_whose_node_is_lost_uses_one_click() {
    let trusting = program().env("HNY_TRUSTED_PROXIES", "127.0.0.1").env("HNY_VISIT_ID_FIELD", "X-Request-Id");
    let hny = trusting.start();
    let made = hny.program().run(["shorten", "--code", "once", "--max-clicks", "1", "https://example.com/once"]);
    assert!(made.status.success(), "{made:?}");
    let lossy = lossy(hny.address());
    let nginx = start(site([lossy.address, hny.address()]));
    let mut client = Client::connect(nginx.address());
    assert_eq!(visit::target(&mut client, "once").as_deref(), Some("https://example.com/once"));
    let seen = lossy.seen();
    assert!(seen.len() == 1 && seen[0].ends_with("302"), "the click was granted there first: {seen:?}");
    assert_eq!(client.get("/once").status, 410);
}

//! A server of our own that speaks what Google Safe Browsing v5 and Web Risk speak, and fails in every way that a server may.

mod protobuf;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The key that the server knows; all others are refused, as Google does.
const KEY: &str = "AIza-safe-browsing-key-seed-6";

const PROTOBUF: &str = "application/x-protobuf";
const JSON: &str = "application/json; charset=UTF-8";

/// Answers `GET /v5/hashes:search` in protobuf and `GET /v1/uris:search` in JSON. Ends with the process of the test.
///
/// It was made from the published description of the protocols, without a look at the program's side of them.
#[derive(Debug)]
pub struct SafeBrowsing {
    address: SocketAddr,
    desk: Arc<Desk>,
}

#[derive(Debug)]
struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    mood: Mood,
    lifetime: Duration,
    /// Hashes of expressions on a list, with the details of each.
    hashes: Vec<([u8; 32], Vec<Detail>)>,
    /// URLs that Web Risk has on a list.
    urls: Vec<String>,
    asked: Vec<String>,
}

/// Why a hash is on a list: the number of the threat, and numbers of attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// 1 is malware, 2 social engineering, 3 unwanted software, 4 a harmful application.
    pub threat: u32,
    /// 1 is a trial, 2 is for frames only.
    pub attributes: Vec<u32>,
}

/// What the server does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// It answers.
    Answers,
    /// It answers in JSON where the protocol has protobuf.
    AnswersInJson,
    /// It answers with this status.
    Status(u16),
    /// It answers with 429, and wants to be left alone for so many seconds.
    Busy(u32),
    /// It answers when it is in another mood.
    Holds,
    /// It answers with bytes that mean nothing.
    Babbles,
    /// It answers, and does not come to an end.
    Floods,
    /// It closes the connection in the middle of its answer.
    HangsUp,
}

/// Status, further fields, media type and body.
type Answer = (u16, String, &'static str, Vec<u8>);

impl SafeBrowsing {
    /// Starts it on a free port of the loopback address, with nothing on its lists; answers may be kept for five minutes.
    pub fn start() -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap_or_else(|error| panic!("no free port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let state = State {
            mood: Mood::Answers,
            lifetime: Duration::from_mins(5),
            hashes: Vec::new(),
            urls: Vec::new(),
            asked: Vec::new(),
        };
        let desk = Arc::new(Desk { state: Mutex::new(state), changed: Condvar::new() });
        let shared = Arc::clone(&desk);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let desk = Arc::clone(&shared);
                thread::spawn(move || desk.serve(stream));
            }
        });
        Self { address, desk }
    }

    /// Where it is: what stands before the paths of the API.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The key that it knows.
    pub fn key(&self) -> &'static str {
        KEY
    }

    /// Puts an expression such as `evil.example/` on a list.
    pub fn list(&self, expression: &str, threat: u32) {
        self.list_as(expression, &[Detail { threat, attributes: Vec::new() }]);
    }

    /// Puts an expression on lists, with these details.
    pub fn list_as(&self, expression: &str, details: &[Detail]) {
        self.desk.open().hashes.push((Sha256::digest(expression).into(), details.to_vec()));
    }

    /// Puts a URL on a list of Web Risk.
    pub fn list_url(&self, url: &str) {
        self.desk.open().urls.push(url.to_owned());
    }

    /// Takes everything from the lists.
    pub fn clear(&self) {
        let mut state = self.desk.open();
        state.hashes.clear();
        state.urls.clear();
    }

    /// How long answers may be kept from now on.
    pub fn keep_for(&self, lifetime: Duration) {
        self.desk.open().lifetime = lifetime;
    }

    /// What it does from now on. What it held is answered.
    pub fn set(&self, mood: Mood) {
        self.desk.open().mood = mood;
        self.desk.changed.notify_all();
    }

    /// The targets of all requests so far, in their order. The same may be there twice: a visit does not know of a question that whoever
    /// made the link has just put.
    pub fn asked(&self) -> Vec<String> {
        self.desk.open().asked.clone()
    }

    /// Whether it was asked for the prefix of this expression.
    pub fn was_asked_for(&self, expression: &str) -> bool {
        let prefix = URL_SAFE_NO_PAD.encode(&Sha256::digest(expression)[..4]);
        self.desk.open().asked.iter().any(|target| parameters(target, "hashPrefixes").any(|asked| asked == prefix))
    }

    /// The URLs that Web Risk was told, each once, in the order in which it first heard of them.
    pub fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        for url in self.desk.open().asked.iter().flat_map(|target| parameters(target, "uri")) {
            if !told.contains(&url) {
                told.push(url);
            }
        }
        told
    }

    /// The values of all that Safe Browsing was asked for so far, each once.
    pub fn prefixes(&self) -> BTreeSet<String> {
        self.desk.open().asked.iter().flat_map(|target| parameters(target, "hashPrefixes")).collect()
    }
}

/// The values of a parameter, in their order.
fn parameters<'a>(target: &'a str, name: &'a str) -> impl Iterator<Item = String> + use<'a> {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(move |(other, _)| *other == name).map(|(_, value)| unescaped(value))
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or_else(|| panic!("a bad escape in {text}")));
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap_or_else(|error| panic!("{text} is no text: {error}"))
}

impl Desk {
    fn open(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut stream: TcpStream) {
        let mut pending = Vec::new();
        let mut bytes = [0; 16 * 1024];
        while let Ok(length @ 1..) = stream.read(&mut bytes) {
            pending.extend_from_slice(&bytes[..length]);
            while let Some(end) = pending.windows(4).position(|window| window == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&pending[..end]).into_owned();
                pending.drain(..end + 4);
                let written = self.answer(head.split(' ').nth(1).unwrap_or_default(), &mut stream);
                if !written {
                    return;
                }
            }
        }
    }

    /// Answers a request for this target; whether the connection goes on.
    fn answer(&self, target: &str, stream: &mut TcpStream) -> bool {
        let mut state = self.open();
        state.asked.push(target.to_owned());
        while state.mood == Mood::Holds {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let (mood, (status, fields, kind, mut body)) = (state.mood, state.answer(target));
        drop(state);
        let length = if mood == Mood::Floods { usize::MAX >> 2 } else { body.len() };
        if mood == Mood::HangsUp {
            body.truncate(body.len() / 2);
        }
        let head = format!("HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\n{fields}Content-Length: {length}\r\n\r\n");
        let is_written = stream.write_all(&[head.as_bytes(), &body].concat()).is_ok();
        if mood == Mood::Floods {
            while stream.write_all(&[0; 16 * 1024]).is_ok() {}
        }
        is_written && !matches!(mood, Mood::Floods | Mood::HangsUp)
    }
}

impl State {
    fn answer(&self, target: &str) -> Answer {
        let plain = |status, kind, body: &[u8]| (status, String::new(), kind, body.to_vec());
        match self.mood {
            Mood::Status(status) => return plain(status, JSON, error(status, "BACKEND_ERROR").as_bytes()),
            Mood::Busy(seconds) => {
                let fields = format!("Retry-After: {seconds}\r\n");
                return (429, fields, JSON, error(429, "RATE_LIMIT_EXCEEDED").into_bytes());
            }
            Mood::Babbles | Mood::Floods => return plain(200, PROTOBUF, &[0xff; 100]),
            Mood::Answers | Mood::AnswersInJson | Mood::Holds | Mood::HangsUp => {}
        }
        if parameters(target, "key").ne([KEY.to_owned()]) {
            return plain(400, JSON, error(400, "API_KEY_INVALID").as_bytes());
        }
        match target.split('?').next() {
            Some("/v5/hashes:search") => match self.hashes_search(target) {
                Some((kind, body)) => plain(200, kind, &body),
                None => plain(400, JSON, error(400, "INVALID_ARGUMENT").as_bytes()),
            },
            Some("/v1/uris:search") => plain(200, JSON, &self.uris_search(target)),
            _ => plain(404, "text/plain", b""),
        }
    }

    /// `None` for a request that the protocol does not allow.
    fn hashes_search(&self, target: &str) -> Option<(&'static str, Vec<u8>)> {
        let prefixes: Vec<Vec<u8>> = parameters(target, "hashPrefixes")
            .map(|text| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok())
            .collect::<Option<_>>()?;
        let is_right = !prefixes.is_empty() && prefixes.len() <= 1_000 && prefixes.iter().all(|one| one.len() == 4);
        let hits = self.hashes.iter().filter(|(hash, _)| prefixes.iter().any(|prefix| hash.starts_with(prefix)));
        if !is_right {
            return None;
        }
        Some(if self.mood == Mood::AnswersInJson {
            (JSON, self.in_json(hits).to_string().into_bytes())
        } else {
            (PROTOBUF, protobuf::search_hashes_response(hits, self.lifetime))
        })
    }

    fn in_json<'a>(&self, hits: impl Iterator<Item = &'a ([u8; 32], Vec<Detail>)>) -> Value {
        let name = |detail: &Detail| match detail.threat {
            1 => json!({"threatType": "MALWARE"}),
            2 => json!({"threatType": "SOCIAL_ENGINEERING"}),
            _ => json!({"threatType": "THREAT_TYPE_UNSPECIFIED"}),
        };
        let hit = |(hash, details): &([u8; 32], Vec<Detail>)| json!({"fullHash": STANDARD.encode(hash), "fullHashDetails": details.iter().map(name).collect::<Vec<_>>()});
        let (hits, lifetime): (Vec<_>, _) = (hits.map(hit).collect(), format!("{}s", self.lifetime.as_secs_f64()));
        json!({"fullHashes": hits, "cacheDuration": lifetime})
    }

    fn uris_search(&self, target: &str) -> Vec<u8> {
        let is_listed = parameters(target, "uri").any(|url| self.urls.contains(&url));
        let types: Vec<_> = parameters(target, "threatTypes").collect();
        let answer = if is_listed {
            json!({"threat": {"threatTypes": types[..1], "expireTime": "2100-01-01T00:00:00.000000001Z"}})
        } else {
            json!({})
        };
        answer.to_string().into_bytes()
    }
}

fn error(status: u16, reason: &str) -> String {
    json!({"error": {"code": status, "message": "no", "details": [{"reason": reason}]}}).to_string()
}

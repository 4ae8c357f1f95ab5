//! What nobody may read in a log, at whatever level an operator sets it for a while (B65).

use std::net::SocketAddr;
use std::process::Output;

use hny_testkit::{Client, Mood, Program, Proxy, Response, SafeBrowsing};
use serde_json::json;

use crate::caller::text;
use crate::instant::until_some;
use crate::postgres;
use crate::site::Site;

const PASSWORD: &str = "swordfish-seed-1";
const WRONG: &str = "wrongfish-seed-2";
const DATABASE_PASSWORD: &str = "dbpass-seed-3";
const CODE_KEY: &str = "code-key-seed-4-that-is-long-enough";
const REDIS_PASSWORD: &str = "redispass-seed-5";
const ADDRESSES: [&str; 2] = ["203.0.113.77", "2001:db8:77:77::7"];

/// Every other seed begins so: it is in targets, in words about links, in what visitors and their agents say.
const SEED: &str = "hideout-seed";

const FORM: &str = "application/x-www-form-urlencoded";

/// A program that tells all it has to tell, over a database that can be cut off, and that asks a provider about targets.
fn program(proxy: &Proxy, database: &str, provider: &SafeBrowsing) -> Program {
    let address = proxy.address();
    let url = format!("postgres://postgres:{DATABASE_PASSWORD}@127.0.0.1:{}/{database}", address.port());
    let program = crate::site::program().env("HNY_DATABASE_URL", url).env("HNY_LOG", "debug");
    let program = program.env("HNY_REDIS_URL", format!("redis://:{REDIS_PASSWORD}@127.0.0.1:1/0"));
    let program = program.env("HNY_TRUSTED_PROXIES", "127.0.0.1").env("HNY_CODES", "permuted");
    let program = program.env("HNY_SAFE_BROWSING", "webrisk").env("HNY_SAFE_BROWSING_KEY", provider.key());
    let program = program.env("HNY_SAFE_BROWSING_URL", provider.endpoint());
    program.env("HNY_CODE_KEY", CODE_KEY).env("HNY_METRICS_LISTEN", "127.0.0.1:0")
}

/// Somebody at each of the addresses, with a past that is nobody's business.
struct Visitor {
    address: SocketAddr,
    key: String,
}

impl Visitor {
    fn send(&self, method: &str, target: &str, kind: &str, body: &str) -> Vec<Response> {
        let (referrer, agent) = (format!("https://{SEED}.example/referrer"), format!("Mozilla/5.0 ({SEED}-agent)"));
        let send = |address: &str| {
            let headers = [
                ("X-Forwarded-For", address),
                ("Referer", &*referrer),
                ("User-Agent", &*agent),
                ("X-Api-Key", &*self.key),
                ("Content-Type", kind),
            ];
            // Some calls end their connection.
            Client::connect(self.address).request(method, target, &headers, body.as_bytes())
        };
        ADDRESSES.into_iter().map(send).collect()
    }

    fn json(&self, method: &str, target: &str, body: &str) -> Vec<Response> {
        self.send(method, target, "application/json", body)
    }
}

/// Twenty sorts of calls, right ones and wrong ones.
fn call_everything(visitor: &Visitor, path: &str, opening: &str) {
    let link = format!("/api/v1/links{path}");
    let target = format!("https://{SEED}.example/target");
    let fields = json!({"originalUrl": target, "password": PASSWORD, "title": SEED, "note": SEED, "tags": [SEED]});
    visitor.json("POST", "/api/shorten", &fields.to_string());
    visitor.json("POST", "/api/shorten", &format!("{{\"password\":\"{PASSWORD}\""));
    visitor.json("POST", "/api/shorten", &format!("{{\"password\":\"{PASSWORD}\",\"{SEED}\":\"{SEED}\"}}"));
    visitor.json("POST", "/api/shorten", &format!("{{\"originalUrl\":\"https://a:{PASSWORD}@{SEED}.example/\"}}"));
    visitor.json("POST", "/api/shorten", &format!("{{\"originalUrl\":\"ftp://{SEED}.example/\"}}"));
    visitor.json("PATCH", &link, &json!({"originalUrl": format!("{target}/2"), "password": PASSWORD}).to_string());
    visitor.json("PATCH", &link, &json!({"expiresAt": SEED}).to_string());
    visitor.json("POST", &format!("{link}/tokens"), "{\"expiresIn\":60}");
    let key = visitor.key.clone();
    for target in [
        path,
        opening,
        &format!("{path}?q={SEED}"),
        &format!("{path}+"),
        &format!("{path}/{SEED}"),
        &format!("/{SEED}.html"),
        &format!("/api/v1/{SEED}"),
        &link,
        &format!("{link}/stats"),
        &format!("{link}/clicks"),
        &format!("/api/v1/links?apiKey={key}"),
        &format!("/api/v1/stats?key={key}"),
        "/api/v1/reports",
    ] {
        visitor.send("GET", target, "text/plain", "");
        visitor.send("HEAD", target, "text/plain", "");
    }
    for password in [WRONG, PASSWORD] {
        visitor.send("POST", path, FORM, &format!("password={password}"));
    }
    visitor.send("POST", path, FORM, &"x".repeat(10_000));
    visitor.send("POST", &format!("{path}+"), FORM, &format!("reason=other&detail={SEED}"));
    visitor.send("POST", &format!("{path}+"), FORM, &format!("reason={SEED}"));
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn no_secret_no_address_and_no_target_is_in_what_the_program_says() {
    let server = postgres::server();
    let proxy = Proxy::to(server.address());
    let provider = SafeBrowsing::start();
    let program = program(&proxy, &server.new_database(), &provider);
    let mut site = Site::start(&program);
    let mut admin = site.admin();
    let target = format!("https://{SEED}.example/first");
    // A link that the provider is told of; what it fails at is told at length.
    admin.link(&json!({"originalUrl": format!("{target}/open")}));
    provider.set(Mood::Status(403));
    admin.link(&json!({"originalUrl": format!("{target}/more")}));
    until_some(|| (provider.told().len() == 2).then_some(()));
    let fields = json!({"originalUrl": target, "password": PASSWORD, "expiredUrl": target, "maxClicks": 1_000});
    let path = admin.link(&fields);
    let token =
        text(&admin.send("POST", &format!("/api/v1/links{path}/tokens"), &json!({"expiresIn": 3600})).json(), "url");
    let opening = token.strip_prefix(&site.base()).unwrap().to_owned();
    let visitor = Visitor { address: site.hny().address(), key: site.key().to_owned() };
    call_everything(&visitor, &path, &opening);
    let nobody = Visitor { address: site.hny().address(), key: format!("{}x", site.key()) };
    call_everything(&nobody, &path, &opening);
    // What goes wrong is told at length.
    proxy.cut();
    call_everything(&visitor, &path, &opening);
    let metrics = Client::connect(site.hny().metrics_address()).get("/metrics").text().to_owned();
    let shown = said(&program.run(["config", "show"])) + &said(&program.run(["config", "check"]));
    let log = site.stop();
    assert!(log.lines().count() > 1 && !shown.is_empty(), "nothing was said: {log}");
    let key = site.key().to_owned();
    let (secret, signature) = (&key[key.len() - 20..], &opening[opening.len() - 40..]);
    for seed in [
        PASSWORD,
        WRONG,
        "argon2",
        DATABASE_PASSWORD,
        CODE_KEY,
        REDIS_PASSWORD,
        provider.key(),
        SEED,
        secret,
        signature,
    ] {
        for (what, text) in [("the log", &log), ("the metrics", &metrics), ("the settings", &shown)] {
            let line = text.lines().find(|line| line.contains(seed));
            assert_eq!(line, None, "{seed} is in {what}");
        }
    }
    for address in ADDRESSES {
        let line = log.lines().find(|line| line.contains(address));
        assert_eq!(line, None, "{address} is in the log");
    }
}

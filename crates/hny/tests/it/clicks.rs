//! Clicks are counted: `hny stats`, and what becomes of every kind of request.

use std::thread;
use std::time::{Duration, Instant};

use hny_testkit::{Client, Program};
use serde_json::{Value, json};

use crate::instant::until_some;
use crate::keeper::Keeper;
use crate::site::{Site, program};

const TARGET: &str = "https://example.com/";

/// What `hny stats` says of a link, given by its path.
fn clicks(program: &Program, path: &str) -> u64 {
    let said = program.run(["stats", &path[1..], "--json"]);
    assert!(said.status.success(), "{said:?}");
    let stats: Value = serde_json::from_slice(&said.stdout).unwrap();
    stats["total"]["clicks"].as_u64().unwrap()
}

fn link(site: &Site) -> String {
    site.admin().link(&json!({"originalUrl": TARGET}))
}

/// Follows links from several connections at once, each link as often as is said.
fn follow(site: &Site, links: &[(String, usize)], connections: usize) {
    thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| {
                let mut visitor = site.visitor();
                for (path, times) in links {
                    (0..*times).for_each(|_| assert_eq!(visitor.get(path).status, 302, "{path}"));
                }
            });
        }
    });
}

#[test]
fn every_click_of_many_is_counted_and_the_next_run_goes_on() {
    let program = program();
    let mut site = Site::start(&program);
    let links: Vec<_> = (1..=5).map(|number| (link(&site), 20 * number)).collect();
    follow(&site, &links, 4);
    site.stop();
    for (path, times) in &links {
        assert_eq!(clicks(&program, path), 4 * *times as u64, "{path}");
    }
    let mut site = Site::start(&program);
    follow(&site, &links, 2);
    site.stop();
    for (path, times) in &links {
        assert_eq!(clicks(&program, path), 6 * *times as u64, "{path}");
    }
}

/// Within this time after the answer a click is in the statistics of a node that is not at its peak.
const LAG: Duration = Duration::from_secs(2);

/// How often it may take longer before it is the fault of the program, and not of whatever else the machine does.
const ATTEMPTS: u64 = 5;

#[test]
fn a_click_is_in_the_statistics_within_two_seconds() {
    Keeper::on_both(|keeper| {
        let path = keeper.admin().link(&json!({"originalUrl": TARGET}));
        let (mut visitor, mut admin) = (keeper.site.visitor(), keeper.admin());
        let mut lag_of = |count: u64| {
            assert_eq!(visitor.get(&path).status, 302);
            let answered = Instant::now();
            let stats = format!("/api/v1/links{path}/stats");
            until_some(|| (admin.ask("GET", &stats).json()["total"]["clicks"] == count).then(|| answered.elapsed()))
        };
        // The first is handed over at once. Each of the others comes right behind one, when there is the longest rest.
        lag_of(1);
        let mut lags = (2..2 + ATTEMPTS).map(lag_of);
        assert!(lags.any(|lag| lag <= LAG), "not once in {ATTEMPTS} times within {LAG:?}");
    });
}

#[test]
fn only_who_is_sent_on_has_clicked() {
    let program = program();
    let mut site = Site::start(&program);
    let mut admin = site.admin();
    let path = link(&site);
    let off = admin.link(&json!({"originalUrl": TARGET, "active": false}));
    let over = admin.link(&json!({"originalUrl": TARGET}));
    admin.end(&over);
    let mut visitor = site.visitor();
    let mut ask = |method: &str, target: &str| visitor.request(method, target, &[], b"").status;
    for _ in 0..3 {
        assert_eq!((ask("HEAD", &path), ask("POST", &path)), (302, 405));
        assert_eq!((ask("GET", &off), ask("GET", &over), ask("GET", "/unknown")), (404, 410, 404));
    }
    for target in [&path, &off, &over] {
        assert_eq!(admin.read(target).status, 200);
    }
    assert!(program.run(["resolve", &path[1..]]).status.success());
    assert_eq!(ask("GET", &path), 302, "one click, and none of the others");
    site.stop();
    let counted = [&path, &off, &over].map(|path| clicks(&program, path));
    assert_eq!(counted, [1, 0, 0]);
}

#[test]
fn what_is_discarded_is_not_counted() {
    let program = program().env("HNY_CLICKS_URL", "discard:").env("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let mut site = Site::start(&program);
    let path = link(&site);
    assert_eq!(site.visitor().get(&path).status, 302);
    let metrics = Client::connect(site.hny().metrics_address()).get("/metrics");
    assert!(metrics.text().contains("hny_clicks_recorded_total 0\n"), "{}", metrics.text());
    site.stop();
    assert_eq!(clicks(&program, &path), 0);
}

#[test]
fn a_deleted_link_has_no_clicks_and_its_code_begins_anew() {
    let program = program();
    let mut site = Site::start(&program);
    let fields = json!({"originalUrl": TARGET, "customCode": "again"});
    let path = site.admin().link(&fields);
    site.visitor().get(&path);
    until_some(|| (clicks(&program, &path) == 1).then_some(()));
    // One that is recorded before the deletion and counted after it, or before it: gone either way.
    site.visitor().get(&path);
    assert_eq!(site.admin().delete(&path).status, 204);
    assert_eq!(program.run(["stats", "again"]).status.code(), Some(1));
    assert_eq!(site.admin().link(&fields), path);
    assert_eq!(clicks(&program, &path), 0);
    site.visitor().get(&path);
    site.stop();
    assert_eq!(clicks(&program, &path), 1);
}

#[test]
fn what_became_of_clicks_is_in_the_metrics() {
    let site = Site::with("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let path = link(&site);
    (0..7).for_each(|_| drop(site.visitor().get(&path)));
    let mut metrics = Client::connect(site.hny().metrics_address());
    let text = until_some(|| {
        let text = metrics.get("/metrics").text().to_owned();
        let has = |line: &str| text.lines().any(|other| other == line);
        (has("hny_clicks_recorded_total 7") && has("hny_clicks_pending 0")).then_some(text)
    });
    for reason in ["buffer_full", "disk_down", "spool_full"] {
        assert!(text.contains(&format!("hny_clicks_lost_total{{reason=\"{reason}\"}} 0\n")), "{text}");
    }
    for idle in ["hny_clicks_oldest_seconds 0.0\n", "hny_spool_damaged_total 0\n"] {
        assert!(text.contains(idle), "{text}");
    }
    assert_eq!(clicks(site.hny().program(), &path), 7);
}

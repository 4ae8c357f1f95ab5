//! `GET /api/v1/stats`: how often all links were followed that a caller sees, which is the same wherever the clicks are kept.

use serde_json::{Value, json};

use super::callers::{self, Holder, make_key};
use crate::caller::Caller;
use crate::keeper::{Clicks, Keeper};

const DAY: &str = "/api/v1/stats?from=2025-10-25&to=2025-10-26&groupBy=country&interval=hour";

/// As many clicks on a link of another key, and of nobody.
const OF_ANOTHER: u64 = 100;
const OF_NOBODY: u64 = 1_000;

/// The links of a site, and of whom they are.
struct Links {
    holders: Vec<Holder>,
    /// Path and owner of each, and how often it was followed.
    followed: Vec<(String, String, u64)>,
}

impl Links {
    /// One link of each caller that can have any on this domain, of another key, and of nobody.
    fn on(keeper: &Keeper) -> Self {
        let holders = callers::all(keeper);
        let mut admin = keeper.admin();
        let mut link = || admin.link(&json!({"originalUrl": "https://example.com/"}));
        let own = holders.iter().filter(|holder| holder.kind.sees[0] == 'y').zip(1..);
        let mut followed: Vec<_> = own.map(|(holder, clicks)| (link(), holder.owner(), clicks)).collect();
        let (other, _) = make_key(&keeper.site, &json!({"name": "other", "role": "creator"}));
        followed.push((link(), other.to_string(), OF_ANOTHER));
        followed.push((link(), "NULL".to_owned(), OF_NOBODY));
        for (path, owner, _) in &followed {
            keeper.run(&format!("UPDATE links SET owner = {owner} WHERE code = '{}'", &path[1..]));
        }
        Self { holders, followed }
    }

    /// The clicks on each link, by visitors who come once, with a robot behind them.
    fn clicks(&self, keeper: &Keeper) -> Vec<Clicks> {
        let mut visitor = 0;
        let of_link = |(path, _, count): &(String, String, u64)| {
            let clicks = (0..*count).fold(keeper.clicks_of(path), |clicks, number| {
                visitor += 1;
                clicks.person(&format!("2025-10-25T{:02}:00:00Z", number % 24), visitor)
            });
            clicks.other("2025-10-25T12:00:00Z", hny_domain::VisitKind::Robot)
        };
        self.followed.iter().map(of_link).collect()
    }

    /// What a caller should be told of its links: clicks and robots.
    fn expected(&self, holder: &Holder) -> [u64; 2] {
        let all = |letter: char, owner: &dyn Fn(&str) -> bool| -> [u64; 2] {
            let seen: Vec<_> = self.followed.iter().filter(|(_, of, _)| letter == 'y' && owner(of)).collect();
            [seen.iter().map(|(_, _, clicks)| clicks).sum(), seen.len() as u64]
        };
        let own = holder.owner();
        let [of_own, of_others] =
            [all(holder.kind.sees[0], &|of| of == own), all(holder.kind.sees[1], &|of| of != own)];
        [of_own[0] + of_others[0], of_own[1] + of_others[1]]
    }

    /// What each caller is told, which is what it should be.
    fn check(&self, keeper: &Keeper) -> Vec<Value> {
        self.holders.iter().map(|holder| self.told(holder, holder.connect(&keeper.site))).collect()
    }

    fn told(&self, holder: &Holder, mut caller: Caller) -> Value {
        let answer = caller.ask("GET", DAY);
        if holder.kind.sees_all == 'k' {
            assert_eq!(answer.status, 401, "{}", holder.kind.name);
            return Value::Null;
        }
        assert_eq!(answer.status, 200, "{} {}", holder.kind.name, answer.text());
        let (stats, [clicks, robots]) = (answer.json(), self.expected(holder));
        let total = json!({"clicks": clicks, "uniques": clicks, "robots": robots});
        assert_eq!(stats["total"], total, "{}", holder.kind.name);
        let groups =
            if clicks == 0 { json!([]) } else { json!([{"value": null, "clicks": clicks, "uniques": clicks}]) };
        assert_eq!(stats["groups"], groups, "{}", holder.kind.name);
        assert_eq!(stats["series"].as_array().unwrap().len(), 24);
        stats
    }
}

/// What each caller is told by a site whose clicks are in the store.
fn told_by_store(keeper: &Keeper) -> Vec<Value> {
    let links = Links::on(keeper);
    for clicks in links.clicks(keeper) {
        keeper.take(clicks);
    }
    links.check(keeper)
}

#[test]
fn every_caller_is_told_of_the_links_that_it_sees_and_of_no_other() {
    let [file, server] = [Keeper::on_sqlite(), Keeper::on_postgres()].map(|keeper| told_by_store(&keeper));
    assert_eq!(file, server, "SQLite and PostgreSQL say the same");
    #[cfg(feature = "clickhouse")]
    assert_eq!(file, clickhouse::told(), "and so does ClickHouse");
}

#[cfg(feature = "clickhouse")]
mod clickhouse {
    use hny_clicks::clickhouse::{Address, Block, ClickHouse};
    use hny_testkit::ClickHouse as Engine;

    use super::*;

    /// What each caller is told by a site whose clicks are there.
    pub(super) fn told() -> Vec<Value> {
        let engine = Engine::start();
        let keeper = Keeper::with("HNY_CLICKHOUSE_URL", &engine.url());
        let links = Links::on(&keeper);
        let clicks: Vec<_> = links.clicks(&keeper).into_iter().flat_map(|clicks| clicks.all).collect();
        let homes = keeper.wait_for(keeper.store().homes(clicks.iter().map(|click| click.link).collect())).unwrap();
        let clicks = clicks.into_iter().map(|click| (homes[&click.link], click)).map(|(home, click)| (click, home));
        let block = Block { token: "all".to_owned(), clicks: clicks.collect() };
        let clickhouse = ClickHouse::at(&Address::parse(&engine.url()).unwrap());
        keeper.wait_for(clickhouse.migrate(None)).unwrap();
        keeper.wait_for(clickhouse.add(&block)).unwrap();
        links.check(&keeper)
    }
}

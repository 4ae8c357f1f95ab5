//! `GET /api/v1/stats`: how often all links were followed that a caller sees, which is the same wherever the clicks are kept.

use serde_json::{Value, json};

use super::callers::{ELSEWHERE, Holder};
use super::links::{Links, Owned};
use crate::caller::Caller;
use crate::keeper::{Clicks, Keeper};

const DAY: &str = "/api/v1/stats?from=2025-10-25&to=2025-10-26&groupBy=country&interval=hour";

impl Links {
    /// The clicks on each link, by visitors who come once, with a robot behind them.
    fn clicks(&self, keeper: &Keeper) -> Vec<Clicks> {
        let mut visitor = 0;
        let of_link = |link: &Owned| {
            let clicks = (0..link.clicks).fold(keeper.clicks_of(link.domain, &link.path), |clicks, number| {
                visitor += 1;
                clicks.person(&format!("2025-10-25T{:02}:00:00Z", number % 24), visitor)
            });
            clicks.other("2025-10-25T12:00:00Z", hny_domain::VisitKind::Robot)
        };
        self.all.iter().map(of_link).collect()
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
        let (stats, seen) = (answer.json(), self.seen_by(holder));
        let (clicks, robots) = (seen.iter().map(|link| link.clicks).sum::<u64>(), seen.len());
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
    let domains = [("HNY_DOMAINS", ELSEWHERE)];
    let keepers = [Keeper::with_all(&domains), Keeper::on_postgres_with(&domains)];
    let [file, server] = keepers.map(|keeper| told_by_store(&keeper));
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
        let keeper = Keeper::with_all(&[("HNY_CLICKHOUSE_URL", &engine.url()), ("HNY_DOMAINS", ELSEWHERE)]);
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

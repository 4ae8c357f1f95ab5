//! Statistics are what a plain count says.

use hny_domain::{Click, Dimension, DomainId, KeyId, LinkId, Scope, Span, Timestamp};

use crate::engine::{DAY, Draw, block, start};
use crate::model;

const SCOPES: [Scope; 10] = [
    Scope::Link(LinkId(1)),
    Scope::Link(LinkId(4)),
    Scope::Link(LinkId(5)),
    Scope::Owner(KeyId(7)),
    Scope::Owner(KeyId(8)),
    Scope::Owner(KeyId(9)),
    Scope::Domain(DomainId::BASE),
    Scope::Domain(DomainId(5)),
    Scope::Domain(DomainId(6)),
    Scope::All,
];

/// From one quarter to another, after the beginning of the days.
fn span(from: i64, to: i64) -> Span {
    let at = |quarter: i64| Timestamp::from_millis(DAY + quarter * 15 * 60_000);
    Span { from: at(from), to: at(to) }
}

fn spans() -> [Span; 5] {
    // All; a day; within a day, whose visitors came before; over midnight; none.
    [span(-8, 500), span(96, 192), span(40, 50), span(90, 101), span(-8, 0)]
}

#[tokio::test]
async fn every_answer_is_that_of_a_plain_count() {
    let (engine, clickhouse) = start().await;
    let mut draw = Draw(1);
    let mut clicks: Vec<Click> = Vec::new();
    for number in 0..4 {
        let block = block(&mut draw, &format!("block {number}"), 1 + number * 500, 500);
        clickhouse.add(&block).await.unwrap();
        clicks.extend(block.clicks.into_iter().map(|(click, _)| click));
    }
    assert_eq!(engine.query("SELECT count() FROM clicks"), "2000");
    for scope in SCOPES {
        for span in spans() {
            let expected = model::quarters(&clicks, scope, span);
            assert_eq!(clickhouse.quarters(scope, span).await.unwrap(), expected, "{scope:?} {span:?}");
            for dimension in Dimension::ALL {
                let expected = model::groups(&clicks, scope, dimension, span);
                let groups = clickhouse.groups(scope, dimension, span).await.unwrap();
                assert_eq!(groups, expected, "{scope:?} {dimension:?} {span:?}");
            }
        }
    }
}

#[tokio::test]
async fn clicks_come_in_pages_as_they_were_kept() {
    let (_engine, clickhouse) = start().await;
    let block = block(&mut Draw(2), "block", 1, 1000);
    clickhouse.add(&block).await.unwrap();
    let clicks: Vec<Click> = block.clicks.into_iter().map(|(click, _)| click).collect();
    let link = LinkId(2);
    for span in spans() {
        let mut after = None;
        loop {
            let page = clickhouse.clicks(link, span, after, 7).await.unwrap();
            assert_eq!(page, model::page(&clicks, link, span, after, 7));
            let Some(last) = page.last() else { break };
            after = Some((last.at, last.id));
        }
    }
}

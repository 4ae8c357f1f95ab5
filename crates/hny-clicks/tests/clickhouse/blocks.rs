//! A block is counted once, in the table and in what the views fill, wherever it was interrupted.

use hny_clicks::clickhouse::{Block, ClickHouse};
use hny_testkit::ClickHouse as Engine;

use crate::engine::{Draw, block, start};

/// The clicks in the table and in each view, and visitors by day and link: those of the view, and as counted from the table.
fn counts(engine: &Engine) -> [String; 4] {
    [
        "SELECT count() FROM clicks",
        "SELECT sum(clicks + robots + prefetches + probes) FROM click_quarters",
        "SELECT count() FROM (SELECT link, day, visitor, min(first) FROM click_visitors GROUP BY ALL)",
        "SELECT uniqExact(link, toDate(at), visitor) FROM clicks WHERE kind = 'person' AND visitor IS NOT NULL",
    ]
    .map(|sql| engine.query(sql))
}

#[track_caller]
fn assert_counted(engine: &Engine, clicks: usize) {
    let [table, quarters, visitors, expected_visitors] = counts(engine);
    assert_eq!([table, quarters], [(); 2].map(|()| clicks.to_string()));
    assert_eq!(visitors, expected_visitors);
}

async fn add_until_taken(clickhouse: &ClickHouse, block: &Block) -> u32 {
    for failures in 0..100 {
        if clickhouse.add(block).await.is_ok() {
            return failures;
        }
    }
    panic!("it is not taken");
}

#[tokio::test]
async fn a_block_that_is_sent_again_is_counted_once() {
    let (engine, clickhouse) = start().await;
    let mut draw = Draw(1);
    let (first, second) = (block(&mut draw, "a", 1, 300), block(&mut draw, "b", 301, 200));
    for block in [&first, &second, &first, &second] {
        clickhouse.add(block).await.unwrap();
    }
    assert_counted(&engine, 500);
    // Of the same block a part only, as links were deleted meanwhile.
    let part = Block { clicks: first.clicks[..10].to_vec(), ..first };
    clickhouse.add(&part).await.unwrap();
    assert_counted(&engine, 500);
    // The same clicks by another name are others: nothing but the token tells.
    clickhouse.add(&Block { token: "c".to_owned(), ..part }).await.unwrap();
    assert_eq!(counts(&engine)[0], "510");
}

#[tokio::test]
async fn refused_and_lost_answers_cost_and_double_nothing() {
    let (engine, clickhouse) = start().await;
    let mut draw = Draw(1);
    for number in 0..6 {
        engine.refuse_inserts(number % 3);
        engine.lose_answers(u32::from(number % 2 == 0) * 2);
        let block = block(&mut draw, &number.to_string(), u64::from(number) * 100 + 1, 100);
        let failures = add_until_taken(&clickhouse, &block).await;
        assert_eq!(failures, number % 3 + u32::from(number % 2 == 0) * 2);
    }
    assert_counted(&engine, 600);
}

#[tokio::test]
async fn what_stopped_between_the_table_and_a_view_is_made_whole() {
    let (engine, clickhouse) = start().await;
    let mut draw = Draw(1);
    for (number, view) in [(0, "click_quarters"), (1, "click_visitors")] {
        let block = block(&mut draw, view, number * 300 + 1, 300);
        engine.query(&format!("ALTER TABLE {view} ADD CONSTRAINT never CHECK link < 0"));
        for _ in 0..2 {
            clickhouse.add(&block).await.unwrap_err();
        }
        let taken = ((number + 1) * 300).to_string();
        assert_eq!(counts(&engine)[0], taken, "the table has it, and {view} has not");
        engine.query(&format!("ALTER TABLE {view} DROP CONSTRAINT never"));
        for _ in 0..2 {
            clickhouse.add(&block).await.unwrap();
            assert_counted(&engine, usize::try_from((number + 1) * 300).unwrap());
        }
    }
}

#[tokio::test]
async fn an_engine_that_is_killed_while_it_takes_blocks_has_each_once() {
    let (mut engine, clickhouse) = start().await;
    let mut draw = Draw(1);
    let mut sent = 0;
    for number in 0..8 {
        let block = block(&mut draw, &number.to_string(), sent + 1, 20_000);
        sent += 20_000;
        let (clickhouse, again) = (clickhouse.clone(), block.clone());
        let adding = tokio::spawn(async move { clickhouse.add(&again).await });
        // At another point each time: from before it arrives to after it is answered.
        tokio::time::sleep(std::time::Duration::from_millis(number * 12)).await;
        engine.kill();
        let _ = adding.await.unwrap();
        engine.start_again();
        add_until_taken(&crate::engine::client(&engine), &block).await;
        assert_counted(&engine, usize::try_from(sent).unwrap());
    }
}

#[tokio::test]
async fn the_largest_block_is_one_and_so_are_many_months() {
    let (engine, clickhouse) = start().await;
    let mut block = block(&mut Draw(1), "a", 1, hny_clicks::clickhouse::LARGEST_BLOCK as u64);
    for (number, (click, _)) in block.clicks.iter_mut().enumerate() {
        let months = i64::try_from(number % 120).unwrap();
        click.at = hny_domain::Timestamp::from_millis(click.at.as_millis() - months * 31 * 86_400_000);
    }
    for _ in 0..2 {
        clickhouse.add(&block).await.unwrap();
        assert_counted(&engine, hny_clicks::clickhouse::LARGEST_BLOCK);
    }
    let parts = "SELECT count() >= 100, max(rows) < 2000 FROM system.parts WHERE table = 'clicks' AND active";
    assert_eq!(engine.query(parts), "1\t1");
}

//! What is answered about clicks: what every kind of database must answer, and what is asked of one that has the links, too.

mod counted;

pub(crate) use counted::Counted;

use hny_domain::Click;
use hny_statistics_contract::model::Model;
use hny_statistics_contract::random::{self, draw};
use hny_statistics_contract::{Counter, for_each_case, some_links};
use hny_store::{SpoolStep, Store};
use proptest::test_runner::TestRunner;

use crate::database::{Database, contract, new_spool};

macro_rules! tests {
    ($($case:ident),+ $(,)?) => {
        contract![
            $($case,)+
            clicks_that_come_again_are_counted_once,
            spools_that_are_taken_at_the_same_time_are_counted_exactly,
        ];

        $(
            async fn $case(database: Database) {
                hny_statistics_contract::$case(&Counted::new(database).await).await;
            }
        )+
    };
}
for_each_case!(tests);

async fn clicks_that_come_again_are_counted_once(database: Database) {
    let counted = Counted::new(database).await;
    let mut runner = TestRunner::deterministic();
    for _ in 0..Counted::ROUNDS {
        let mut model = Model::default();
        let links = some_links(&counted, &mut model).await;
        let (clicks, batches) = draw(&mut runner, &random::repeated_deliveries(links.len(), 10));
        let clicks: Vec<_> = clicks.iter().enumerate().map(|(number, click)| click.click(number, &links)).collect();
        for batch in batches {
            let batch: Vec<_> = batch.into_iter().map(|place| clicks[place].clone()).collect();
            model.take(&batch);
            counted.take(batch).await;
        }
        let spans = draw(&mut runner, &random::spans());
        counted.check(&model, &spans).await;
        // What the next round does not see.
        for (number, link) in links.into_iter().enumerate() {
            counted.delete(link).await;
            model.delete(link);
            if number == 0 {
                counted.check(&model, &spans).await;
            }
        }
    }
}

/// Every process hands over its own clicks, of the same links and visitors, in a random order, while the others do.
async fn spools_that_are_taken_at_the_same_time_are_counted_exactly(database: Database) {
    const PROCESSES: usize = 4;
    let counted = Counted::new(database).await;
    let mut runner = TestRunner::deterministic();
    let mut model = Model::default();
    let links = some_links(&counted, &mut model).await;
    let mut number = 0;
    let mut taking = Vec::new();
    for _ in 0..PROCESSES {
        let mut batches = Vec::new();
        for _ in 0..12 {
            let (clicks, _) = draw(&mut runner, &random::deliveries(links.len()));
            let clicks: Vec<_> = clicks
                .iter()
                .map(|click| {
                    number += 1;
                    click.click(number, &links)
                })
                .collect();
            model.take(&clicks);
            batches.push(clicks);
        }
        let store = counted.database.store().await;
        taking.push(tokio::spawn(take_all(store, batches)));
    }
    for taking in taking {
        taking.await.unwrap();
    }
    counted.check(&model, &draw(&mut runner, &random::spans())).await;
}

async fn take_all(store: Store, batches: Vec<Vec<Click>>) {
    let spool = new_spool();
    store.open_spool(spool).await.unwrap();
    for (from, batch) in (0..).zip(batches) {
        assert!(store.take_clicks(batch, SpoolStep { spool, from, to: from + 1 }).await.unwrap());
    }
}

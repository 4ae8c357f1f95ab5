//! Two nodes that are asked the same at the same time.

use hny_store::{Answer, Fingerprint, Insertion, Receipt, Store};

use super::faults::{Closed, gate, until};
use crate::database::{NOW, new_link, postgres, server};
use crate::receipt::{asked, request, said};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_meets_a_receipt_that_is_being_kept_is_answered_by_it() {
    let database = server().new_database();
    let settings = postgres(&server().url(&database));
    let (here, there) = (Store::open(settings.clone()).await.unwrap(), Store::open(settings).await.unwrap());
    server().run(&database, &gate("receipts"));
    for (number, fingerprint) in [(1, Fingerprint([7; 32])), (2, Fingerprint([8; 32]))] {
        let answer = Answer { status: 200, location: None, version: None, body: "first".to_owned() };
        let kept = Receipt { fingerprint, answer };
        let closed = Closed::gate(&database).await;
        let keeping = tokio::spawn({
            let (here, kept) = (here.clone(), kept.clone());
            async move { here.keep_receipt(request(number), kept, NOW).await }
        });
        closed.somebody_waits().await;
        // It has seen that there is no receipt, and its own cannot be written before it is certain that there is none.
        let link = asked(number, said, new_link(&format!("code{number}")));
        let inserting = tokio::spawn({
            let there = there.clone();
            async move { there.insert_link(link).await }
        });
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'";
        until(server(), &database, waiting, "1").await;
        closed.open();
        assert_eq!(keeping.await.unwrap().unwrap(), None, "it was first");
        assert_eq!(inserting.await.unwrap().unwrap(), Insertion::Answered(kept));
        assert_eq!(server().run(&database, "SELECT count(*) FROM links"), "0");
    }
}

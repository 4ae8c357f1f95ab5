//! Requests that come again while they run.

use std::time::Duration;

use hny_domain::{Clock, KeyId, Timestamp};
use hny_service::{Answer, Begun, Error, Receipts, Request, Sender, Turn};
use hny_store::{Settings, Store};
use tempfile::TempDir;
use tokio::time::Instant;

struct Office {
    receipts: Receipts,
    clock: Clock,
    _folder: TempDir,
}

async fn office() -> Office {
    let folder = TempDir::new().unwrap();
    let settings = Settings::Sqlite { path: folder.path().join("hny.db"), readers: 1 };
    let store = Store::open(settings).await.unwrap();
    let clock = Clock::standing(Timestamp::from_millis(1_900_000_000_000));
    Office { receipts: Receipts::new(store, clock.clone()), clock, _folder: folder }
}

fn request<'a>(sender: Sender, key: &'a str, body: &'a str) -> Request<'a> {
    Request { sender, key, sent: [b"POST", b"/api/v1/links", body.as_bytes()] }
}

const ONE: Sender = Sender::Key(KeyId(1));

impl Office {
    async fn begin(&self, sender: Sender, key: &str, body: &str) -> Result<Begun, Error> {
        self.receipts.begin(request(sender, key, body)).await
    }

    async fn turn(&self, key: &str, body: &str) -> Turn {
        match self.begin(ONE, key, body).await {
            Ok(Begun::Turn(turn)) => turn,
            other => panic!("nobody else is at it: {other:?}"),
        }
    }
}

fn said() -> Answer {
    Answer { status: 201, location: None, version: None, body: "said".to_owned() }
}

#[tokio::test]
async fn who_comes_while_it_runs_is_told_after_a_while() {
    let office = office().await;
    let turn = office.turn("key", "body").await;
    let asked = Instant::now();
    assert!(matches!(office.begin(ONE, "key", "body").await, Err(Error::StillRunning)));
    assert!(asked.elapsed() >= Duration::from_millis(900), "it was waited for");
    assert!(matches!(office.begin(ONE, "key", "other").await, Err(Error::OtherRequest)));
    drop(turn);
    office.turn("key", "body").await;
}

#[tokio::test]
async fn who_comes_while_it_runs_gets_its_answer_when_it_is_there() {
    let office = office().await;
    let turn = office.turn("key", "body").await;
    let end = async {
        office.receipts.keep(&turn, said()).await.unwrap();
        drop(turn);
    };
    let (second, ()) = tokio::join!(biased; office.begin(ONE, "key", "body"), end);
    assert!(matches!(second, Ok(Begun::Answered(answer)) if answer == said()));
}

#[tokio::test]
async fn senders_do_not_meet() {
    let office = office().await;
    let first = office.turn("key", "body").await;
    let client = Sender::Client("203.0.113.1".parse().unwrap());
    for sender in [Sender::Key(KeyId(2)), client] {
        assert!(matches!(office.begin(sender, "key", "body").await, Ok(Begun::Turn(_))));
    }
    office.receipts.keep(&first, said()).await.unwrap();
    assert!(matches!(office.begin(client, "key", "other").await, Ok(Begun::Turn(_))), "not even in the store");
}

#[tokio::test]
async fn rows_of_a_request_that_broke_off_are_known_when_it_comes_again() {
    let office = office().await;
    let turn = office.turn("key", "body").await;
    office.receipts.keep(&turn.row(1), said()).await.unwrap();
    drop(turn);
    let again = office.turn("key", "body").await;
    assert_eq!(office.receipts.rows(&again, 3).await.unwrap(), [None, Some(said()), None]);
    drop(again);
    let other = office.turn("key", "other").await;
    assert!(matches!(office.receipts.rows(&other, 3).await, Err(Error::OtherRequest)));
    let elsewhere = office.turn("another key", "body").await;
    assert_eq!(office.receipts.rows(&elsewhere, 3).await.unwrap(), [None, None, None]);
}

#[tokio::test]
async fn what_was_answered_is_forgotten_after_a_day_and_not_before() {
    let office = office().await;
    for key in ["older", "younger"] {
        let turn = office.turn(key, "body").await;
        office.receipts.keep(&turn, said()).await.unwrap();
        office.clock.advance(Duration::from_millis(1));
    }
    // The older one is a day and a millisecond old, the younger one a day.
    office.clock.advance(Duration::from_hours(24) - Duration::from_millis(1));
    let removing = tokio::spawn(office.receipts.clone().remove_old());
    while matches!(office.begin(ONE, "older", "body").await, Ok(Begun::Answered(_))) {
        assert!(!removing.is_finished(), "it goes on for as long as the service");
    }
    assert!(matches!(office.begin(ONE, "younger", "body").await, Ok(Begun::Answered(answer)) if answer == said()));
    removing.abort();
}

//! Codes that count.

use hny_codes::CounterCodes;
use hny_domain::{Caller, DomainId, Expected};
use hny_service::{Error, Numbers, Scheme};
use hny_store::Store;

use crate::service::{Choice, Database, Service};

fn counting(store: &Store, length: usize) -> Service {
    let scheme = Scheme::Counter(CounterCodes::new(length).unwrap(), Numbers::new(store.clone(), 1_000));
    Service::new(store, scheme, Choice::default())
}

#[tokio::test]
async fn codes_are_the_numbers_in_base62() {
    let service = counting(&Database::new().store().await, 7);
    for code in ["0000000", "0000001", "0000002"] {
        assert_eq!(service.code().await, code);
    }
}

#[tokio::test]
async fn a_node_that_dies_leaves_a_gap_and_no_more() {
    let database = Database::new();
    let dying = counting(&database.store().await, 7);
    assert_eq!(dying.code().await, "0000000");
    drop(dying);
    let next = counting(&database.store().await, 7);
    assert_eq!(next.code().await, "00000g8", "1,000");
    assert_eq!(next.code().await, "00000g9");
}

#[tokio::test]
async fn two_nodes_count_apart() {
    let database = Database::new();
    let (one, two) = (counting(&database.store().await, 7), counting(&database.store().await, 7));
    assert_eq!([one.code().await, two.code().await], ["0000000", "00000g8"]);
    assert_eq!([one.code().await, two.code().await], ["0000001", "00000g9"]);
}

#[tokio::test]
async fn taken_codes_are_skipped() {
    let service = counting(&Database::new().store().await, 4);
    for code in ["0000", "0001", "0003"] {
        service.take(code).await;
    }
    assert_eq!([service.code().await, service.code().await], ["0002", "0004"]);
}

/// A hundred at most for one link; whoever comes next goes on behind them.
#[tokio::test]
async fn not_more_than_a_hundred_taken_codes_are_skipped_at_once() {
    let service = counting(&Database::new().store().await, 4);
    let codes = CounterCodes::new(4).unwrap();
    for number in 0..150 {
        service.take(&codes.code(number).unwrap()).await;
    }
    let error = service.create().await.unwrap_err();
    assert!(matches!(error, Error::NoFreeCode(100)) && error.is_temporary(), "{error:?}");
    assert_eq!(service.code().await, codes.code(150).unwrap().to_string());
}

#[tokio::test]
async fn the_code_of_a_deleted_link_does_not_come_again() {
    let database = Database::new();
    let service = counting(&database.store().await, 7);
    let link = service.link().await;
    service.links.delete(Caller::Operator, (DomainId::BASE, &link.code), Expected::Any).await.unwrap();
    assert_eq!(service.code().await, "0000001");
}

#[tokio::test]
async fn where_the_codes_of_a_length_end_there_is_an_error_and_no_loop() {
    let store = Database::new().store().await;
    store.lease_numbers(62_u32.pow(4) - 2).await.unwrap();
    let service = counting(&store, 4);
    assert_eq!([service.code().await, service.code().await], ["ZZZY", "ZZZZ"]);
    for _ in 0..3 {
        let error = service.create().await.unwrap_err();
        assert!(matches!(error, Error::CodesUsedUp) && error.is_temporary(), "{error:?}");
    }
    assert_eq!(counting(&store, 5).code().await, "100g6", "a greater length goes on with the next range");
}

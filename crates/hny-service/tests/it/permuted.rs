//! Codes behind a permutation: of a counter, and of ids.

use std::collections::HashSet;

use hny_codes::{Permutation, snowflake};
use hny_service::{Error, Numbers, Scheme};
use hny_store::Store;

use crate::service::{Choice, Database, Service};

const KEY: &str = "a secret of at least 32 characters";
const OTHER_KEY: &str = "another secret of 32 characters, too";

fn permutation(key: &str, length: usize) -> Permutation {
    Permutation::new(key, length).unwrap()
}

fn permuting(store: &Store, key: &str, length: usize) -> Service {
    let scheme = Scheme::Permuted(permutation(key, length), Numbers::new(store.clone(), 1_000));
    Service::new(store, scheme, Choice::default())
}

#[tokio::test]
async fn codes_are_the_numbers_permuted() {
    let service = permuting(&Database::new().store().await, KEY, 7);
    let permutation = permutation(KEY, 7);
    for number in 0..3 {
        assert_eq!(permutation.invert(&service.code().await), Ok(number));
    }
}

#[tokio::test]
async fn a_code_that_another_key_gave_is_skipped() {
    let store = Database::new().store().await;
    let service = permuting(&store, KEY, 4);
    service.take(&permutation(KEY, 4).permute(0).unwrap()).await;
    assert_eq!(permutation(KEY, 4).invert(&service.code().await), Ok(1));
    assert_eq!(permutation(OTHER_KEY, 4).invert(&permuting(&store, OTHER_KEY, 4).code().await), Ok(1_000));
}

#[tokio::test]
async fn where_the_codes_of_a_length_end_there_is_an_error_and_no_loop() {
    let store = Database::new().store().await;
    store.lease_numbers(62_u32.pow(4) - 1).await.unwrap();
    let service = permuting(&store, KEY, 4);
    assert_eq!(permutation(KEY, 4).invert(&service.code().await), Ok(62_u64.pow(4) - 1));
    for _ in 0..3 {
        assert!(matches!(service.create().await, Err(Error::CodesUsedUp)));
    }
}

#[tokio::test]
async fn a_snowflake_code_is_the_id_of_its_link() {
    let scheme = Scheme::Snowflake(permutation(KEY, snowflake::CODE_LENGTH));
    let service = Service::new(&Database::new().store().await, scheme, Choice::default());
    let mut codes = HashSet::new();
    for _ in 0..10 {
        let link = service.link().await;
        let id = permutation(KEY, snowflake::CODE_LENGTH).invert(link.code.as_str()).unwrap();
        assert_eq!((id.cast_signed(), link.code.as_str().len()), (link.id.0, 11));
        assert!(codes.insert(link.code));
    }
}

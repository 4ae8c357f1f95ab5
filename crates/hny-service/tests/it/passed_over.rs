//! Codes that no scheme gives: reserved words, the path of the base URL, and unlucky words.

use hny_codes::{CounterCodes, HashCodes, Unlucky, base62};
use hny_domain::Caller;
use hny_service::{Error, Numbers, Scheme};

use crate::service::{Choice, Database, Service, TARGET, random};
use crate::words::Words;

fn unlucky(words: &[&str]) -> Unlucky {
    let mut unlucky = Unlucky::empty();
    unlucky.extend(words).unwrap();
    unlucky
}

#[tokio::test]
async fn a_reserved_word_is_drawn_again_in_any_case() {
    let words = Words::of(&["healthz", "METRICS", "LogOut0", "Privacy", "goodone"]);
    let service = Service::random(&Database::new().store().await, &words);
    assert_eq!(service.code().await, "LogOut0", "which is not reserved");
    assert_eq!(service.code().await, "goodone");
}

#[tokio::test]
async fn the_path_of_the_base_url_is_drawn_again() {
    let words = Words::of(&["aB3x9zQ", "goodone"]);
    let choice = Choice { words, base: "https://hny.example/aB3x9zQ", ..Choice::default() };
    let service = Service::new(&Database::new().store().await, random(7), choice);
    assert_eq!(service.code().await, "goodone");
}

#[tokio::test]
async fn an_unlucky_word_is_drawn_again() {
    let words = Words::of(&["xxBadxx", "b4d0000", "xxxbxad", "another"]);
    let choice = Choice { words, unlucky: unlucky(&["bad"]), ..Choice::default() };
    let service = Service::new(&Database::new().store().await, random(7), choice);
    assert_eq!(service.code().await, "xxxbxad", "which shows none");
    assert_eq!(service.code().await, "another");
}

/// Words that are passed over do not count as taken: more than five in a row are not an error.
#[tokio::test]
async fn bad_luck_is_not_a_collision() {
    let words = Words::of(&["healthz"; 20]);
    words.add(&["goodone"]);
    let service = Service::random(&Database::new().store().await, &words);
    assert_eq!(service.code().await, "goodone");
}

#[tokio::test]
async fn where_every_code_is_unlucky_there_is_an_error_and_no_loop() {
    let words = Words::of(&["healthz"; 1_005]);
    let service = Service::random(&Database::new().store().await, &words);
    let error = service.create().await.unwrap_err();
    assert!(matches!(error, Error::NoFreeCode(_)) && words.are_used(), "{error:?}");
}

#[tokio::test]
async fn a_counter_passes_over_them() {
    let store = Database::new().store().await;
    let before = base62::decode("help").unwrap() - 1;
    store.lease_numbers(u32::try_from(before).unwrap()).await.unwrap();
    let scheme = Scheme::Counter(CounterCodes::new(4).unwrap(), Numbers::new(store.clone(), 1_000));
    let choice = Choice { unlucky: unlucky(&["heir"]), ..Choice::default() };
    let service = Service::new(&store, scheme, choice);
    assert_eq!(service.code().await, "helo");
    // `help` is reserved, and so is nothing between; `helr` reads as `heir`.
    assert_eq!([service.code().await, service.code().await], ["helq", "hels"]);
}

#[tokio::test]
async fn a_hash_takes_the_next_salt() {
    let store = Database::new().store().await;
    let codes = HashCodes::new(7).unwrap();
    let [first, second] = [0, 1].map(|salt| codes.code("", TARGET, salt).to_string());
    let choice = Choice { unlucky: unlucky(&[&first]), ..Choice::default() };
    let service = Service::new(&store, Scheme::Hash(codes), choice);
    let created = service.links.create(Caller::Operator, crate::service::plain()).await.unwrap();
    assert_eq!(created.link.code.as_str(), second);
}

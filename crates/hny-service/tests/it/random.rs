//! Drawn codes: a taken one is drawn again, five times, and nothing else is a reason to.

use hny_domain::{Caller, Code, DomainId, DraftInput, Expected, KeyId, Role};
use hny_service::Error;
use hny_store::StoreError;

use crate::service::{Database, Service, plain};
use crate::words::Words;

#[tokio::test]
async fn a_code_is_what_was_drawn() {
    let words = Words::of(&["aB3x9zQ", "0000000", "ZZZZZZZ"]);
    let service = Service::random(&Database::new().store().await, &words);
    for code in ["aB3x9zQ", "0000000", "ZZZZZZZ"] {
        assert_eq!(service.code().await, code);
    }
}

#[tokio::test]
async fn a_taken_code_is_drawn_again() {
    let words = Words::of(&["first00", "first00", "first00", "second0"]);
    let service = Service::random(&Database::new().store().await, &words);
    assert_eq!(service.code().await, "first00");
    assert_eq!(service.code().await, "second0");
    assert!(words.are_used());
}

#[tokio::test]
async fn the_fifth_draw_is_the_last() {
    let words = Words::of(&["taken00"; 5]);
    let service = Service::random(&Database::new().store().await, &words);
    assert_eq!(service.code().await, "taken00");
    words.add(&["free000"]);
    assert_eq!(service.code().await, "free000", "the fifth of them is good enough");
    words.add(&["taken00"; 5]);
    let error = service.create().await.unwrap_err();
    assert!(matches!(error, Error::NoFreeCode(5)), "{error:?}");
    assert!(words.are_used() && error.is_temporary());
}

#[tokio::test]
async fn the_code_of_a_deleted_link_is_drawn_again_too() {
    let words = Words::of(&["gone000", "gone000", "other00"]);
    let service = Service::random(&Database::new().store().await, &words);
    let code = Code::parse(&service.code().await).unwrap();
    service.links.delete(Caller::Operator, (DomainId::BASE, &code), Expected::Any).await.unwrap();
    assert_eq!(service.code().await, "other00");
}

#[tokio::test]
async fn a_code_that_somebody_chose_is_not_drawn() {
    let words = Words::of(&["chosen0", "drawn00"]);
    let service = Service::random(&Database::new().store().await, &words);
    service.take("chosen0").await;
    assert_eq!(service.code().await, "drawn00");
}

#[tokio::test]
async fn a_database_that_is_away_is_no_reason_to_draw_again() {
    let words = Words::of(&["first00"]);
    let service = Service::random(&Database::new().store().await, &words);
    service.link().await;
    service.store.close().await;
    words.add(&["second0"]);
    let error = service.create().await.unwrap_err();
    assert!(matches!(error, Error::Store(StoreError::Unavailable(_))), "{error:?}");
    assert!(words.are_used(), "once");
}

#[tokio::test]
async fn another_broken_constraint_is_no_reason_to_draw_again() {
    let words = Words::of(&["first00"]);
    let service = Service::random(&Database::new().store().await, &words);
    let nobody = Caller::Key(KeyId(999), Role::Admin.into());
    let error = service.links.create(nobody, plain()).await.unwrap_err();
    assert!(matches!(error, Error::Store(StoreError::Broken(_))), "there is no such key: {error:?}");
    assert!(words.are_used() && !error.is_temporary());
}

#[tokio::test]
async fn chosen_codes_are_never_drawn_and_say_why_they_are_refused() {
    let service = Service::random(&Database::new().store().await, &Words::default());
    service.take("PromO").await;
    let choose = async |code, allow_lookalike| {
        let input = DraftInput { custom_code: Some(code), allow_lookalike, ..plain() };
        service.links.create(Caller::Operator, input).await
    };
    assert!(matches!(choose("PromO", None).await, Err(Error::CodeTaken)));
    assert!(matches!(choose("PromO", Some(true)).await, Err(Error::CodeTaken)));
    assert!(matches!(choose("Prom0", None).await, Err(Error::Lookalike)));
    assert!(matches!(choose("Prom0", Some(false)).await, Err(Error::Lookalike)));
    assert_eq!(choose("Prom0", Some(true)).await.unwrap().link.code.as_str(), "Prom0");
}

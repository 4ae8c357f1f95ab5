//! Private links.

use hny_codes::{CounterCodes, HashCodes};
use hny_domain::{Caller, DraftInput};
use hny_service::{Error, Numbers, Scheme};

use crate::service::{Choice, Database, Service, plain, random};
use crate::words::Words;

fn private() -> DraftInput<'static> {
    DraftInput { private: Some(true), ..plain() }
}

#[tokio::test]
async fn a_private_code_has_22_drawn_characters_under_every_scheme() {
    let database = Database::new();
    let store = database.store().await;
    for (scheme, code) in [
        (random(7), "0123456789abcdefghijkl"),
        (Scheme::Counter(CounterCodes::new(7).unwrap(), Numbers::new(store.clone(), 1)), "ABCDEFGHIJKLMNOPQRSTUV"),
        (Scheme::Hash(HashCodes::new(7).unwrap()), "ZYXWVUTSRQPONMLKJIHGFE"),
    ] {
        let service = Service::new(&store, scheme, Choice { words: Words::of(&[code]), ..Choice::default() });
        let link = service.links.create(Caller::Operator, private()).await.unwrap().link;
        assert_eq!((link.code.as_str(), link.private), (code, true));
    }
}

#[tokio::test]
async fn a_private_code_that_is_taken_is_drawn_again_five_times_at_most() {
    let code = "0123456789abcdefghijkl";
    let words = Words::of(&[code; 6]);
    let service = Service::random(&Database::new().store().await, &words);
    service.links.create(Caller::Operator, private()).await.unwrap();
    let error = service.links.create(Caller::Operator, private()).await.unwrap_err();
    assert!(matches!(error, Error::NoFreeCode(5)), "{error:?}");
    assert!(words.are_used());
}

#[tokio::test]
async fn only_callers_with_a_key_have_private_links() {
    let service = Service::random(&Database::new().store().await, &Words::default());
    let error = service.links.create(Caller::Anonymous, private()).await.unwrap_err();
    let Error::KeyNeeded(fields) = error else { panic!("{error:?}") };
    assert_eq!(fields.iter().map(|field| &*field.field).collect::<Vec<_>>(), ["private"]);
}

#[tokio::test]
async fn nobody_chooses_the_code_of_a_private_link() {
    let service = Service::random(&Database::new().store().await, &Words::default());
    let input = DraftInput { custom_code: Some("guessable"), ..private() };
    let error = service.links.create(Caller::Operator, input).await.unwrap_err();
    let Error::Invalid(fields) = error else { panic!("{error:?}") };
    assert_eq!(fields.iter().map(|field| &*field.field).collect::<Vec<_>>(), ["customCode"]);
}

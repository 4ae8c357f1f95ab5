//! Codes that follow from owner and target.

use std::time::Duration;

use hny_codes::HashCodes;
use hny_domain::{Caller, DomainId, DraftInput, Expected};
use hny_service::{Created, Error, Scheme};
use hny_store::Store;
use sha2::{Digest, Sha256};

use crate::service::{Choice, Database, Service, TARGET, plain};

const DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn hashing(store: &Store) -> Service {
    Service::new(store, Scheme::Hash(HashCodes::new(7).unwrap()), Choice::default())
}

/// The recipe of the documentation, step by step.
fn recipe(owner: &str, target: &str, salt: u32) -> String {
    let digest = Sha256::digest(format!("hny1\0{owner}\0{target}\0{salt}"));
    let mut number = u128::from_be_bytes(digest[..16].try_into().unwrap()) % 62_u128.pow(7);
    let mut code = [0; 7];
    for digit in code.iter_mut().rev() {
        *digit = DIGITS[usize::try_from(number % 62).unwrap()];
        number /= 62;
    }
    String::from_utf8(code.to_vec()).unwrap()
}

async fn create(service: &Service, caller: Caller, input: DraftInput<'_>) -> (String, bool) {
    let Created { link, is_new } = service.links.create(caller, input).await.unwrap();
    (link.code.to_string(), is_new)
}

#[tokio::test]
async fn a_code_follows_the_recipe() {
    let service = hashing(&Database::new().store().await);
    let (one, two) = (service.caller().await, service.caller().await);
    assert_eq!(create(&service, one, plain()).await, (recipe("1", TARGET, 0), true));
    assert_eq!(create(&service, two, plain()).await, (recipe("2", TARGET, 0), true));
    assert_eq!(create(&service, Caller::Operator, plain()).await, (recipe("", TARGET, 0), true));
    let unwritten = DraftInput { original_url: Some("HTTPS://Example.COM"), ..plain() };
    let written = recipe("1", "https://example.com/", 0);
    assert_eq!(create(&service, one, unwritten).await, (written, true), "the target as it is stored");
}

#[tokio::test]
async fn the_same_link_is_not_made_twice() {
    let service = hashing(&Database::new().store().await);
    let caller = service.caller().await;
    let first = service.links.create(caller, plain()).await.unwrap();
    let again = service.links.create(caller, plain()).await.unwrap();
    assert!(first.is_new && !again.is_new);
    assert_eq!(first.link, again.link);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_make_the_same_link_at_once_one_makes_it() {
    let database = Database::new();
    let services = [hashing(&database.store().await), hashing(&database.store().await)];
    let caller = services[0].caller().await;
    let creates: Vec<_> = (0..40)
        .map(|number| {
            let service = services[number % 2].clone();
            tokio::spawn(async move { create(&service, caller, plain()).await })
        })
        .collect();
    let mut made = 0;
    for create in creates {
        let (code, is_new) = create.await.unwrap();
        assert_eq!(code, recipe("1", TARGET, 0));
        made += u32::from(is_new);
    }
    assert_eq!(made, 1);
}

#[tokio::test]
async fn a_link_with_more_than_a_target_takes_the_next_salt() {
    let service = hashing(&Database::new().store().await);
    let caller = service.caller().await;
    let titled = DraftInput { title: Some("a title"), ..plain() };
    for salt in 0..3 {
        assert_eq!(create(&service, caller, titled).await, (recipe("1", TARGET, salt), true), "each is another link");
    }
    assert_eq!(create(&service, caller, plain()).await, (recipe("1", TARGET, 3), true));
    assert_eq!(create(&service, caller, plain()).await, (recipe("1", TARGET, 3), false), "this one is the same");
    for (number, input) in [
        DraftInput { expires_at: Some("2099-01-01T00:00:00Z"), ..plain() },
        DraftInput { valid_from: Some("2020-01-01T00:00:00Z"), ..plain() },
        DraftInput { redirect_status: Some(301), ..plain() },
        DraftInput { forward_query: Some(true), ..plain() },
        DraftInput { active: Some(false), ..plain() },
    ]
    .into_iter()
    .enumerate()
    {
        let salt = 4 + u32::try_from(number).unwrap();
        assert_eq!(create(&service, caller, input).await, (recipe("1", TARGET, salt), true), "{input:?}");
    }
}

#[tokio::test]
async fn what_is_not_the_same_any_more_takes_the_next_salt() {
    use hny_domain::EditInput;
    use hny_domain::edit::Patch;
    let service = hashing(&Database::new().store().await);
    let caller = service.caller().await;
    for (salt, change) in [
        EditInput { active: Patch::Set(false), ..EditInput::default() },
        EditInput { original_url: Patch::Set("https://example.org/elsewhere"), ..EditInput::default() },
        EditInput { expires_at: Patch::Set("2030-03-18T00:00:00Z"), ..EditInput::default() },
    ]
    .into_iter()
    .enumerate()
    {
        let expected = recipe("1", TARGET, u32::try_from(salt).unwrap());
        let Created { link, is_new } = service.links.create(caller, plain()).await.unwrap();
        assert_eq!((link.code.to_string(), is_new), (expected, true));
        service.links.edit(caller, (DomainId::BASE, &link.code), change, None, Expected::Any).await.unwrap();
    }
    service.clock.advance(Duration::from_hours(24 * 365));
    assert_eq!(create(&service, caller, plain()).await, (recipe("1", TARGET, 3), true));
}

#[tokio::test]
async fn a_deleted_link_keeps_its_code() {
    let service = hashing(&Database::new().store().await);
    let caller = service.caller().await;
    for salt in 0..150 {
        let Created { link, is_new } = service.links.create(caller, plain()).await.unwrap();
        assert_eq!((link.code.to_string(), is_new), (recipe("1", TARGET, salt), true), "however many there were");
        service.links.delete(caller, (DomainId::BASE, &link.code), Expected::Any).await.unwrap();
    }
}

#[tokio::test]
async fn the_code_of_somebody_else_is_not_shared() {
    let service = hashing(&Database::new().store().await);
    let caller = service.caller().await;
    service.take(&recipe("1", TARGET, 0)).await;
    assert_eq!(create(&service, caller, plain()).await, (recipe("1", TARGET, 1), true));
}

#[tokio::test]
async fn strangers_are_refused_unless_they_choose_a_code() {
    let service = hashing(&Database::new().store().await);
    let error = service.links.create(Caller::Anonymous, plain()).await.unwrap_err();
    assert!(matches!(&error, Error::KeyNeeded(fields) if fields.is_empty()), "{error:?}");
    let chosen = DraftInput { custom_code: Some("mine"), ..plain() };
    assert_eq!(create(&service, Caller::Anonymous, chosen).await, ("mine".to_owned(), true));
}

#[tokio::test]
async fn where_every_salt_is_taken_there_is_an_error_and_no_loop() {
    let store = Database::new().store().await;
    let service = Service::new(&store, Scheme::Hash(HashCodes::new(7).unwrap()), Choice::default());
    for salt in 0..1_000 {
        let code = recipe("", TARGET, salt);
        let other =
            DraftInput { custom_code: Some(&code), allow_lookalike: Some(true), title: Some("a title"), ..plain() };
        service.links.create(Caller::Operator, other).await.unwrap();
    }
    let error = service.create().await.unwrap_err();
    assert!(matches!(error, Error::NoFreeCode(1_000)), "{error:?}");
}

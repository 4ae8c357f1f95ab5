//! What was answered to requests that may come again.

use std::sync::Arc;

use hny_domain::{CodeOrigin, DomainId, Timestamp};
use hny_store::{Answer, Fingerprint, Insertion, NewLink, NewReceipt, Receipt, RequestId, Store, Terms};

use crate::database::{Database, LATER, NOW, code, contract, delete, draft, insert, new_link};

contract![
    a_link_and_its_receipt_are_made_together,
    of_many_who_ask_the_same_one_makes_a_link,
    what_is_not_the_last_word_is_not_kept,
    a_refusal_is_kept_without_a_link,
    neighbours_without_receipts_are_made_as_ever,
    a_bad_row_leaves_no_receipt,
    an_answer_that_changed_nothing_is_kept_once,
    old_receipts_are_removed,
    a_database_has_one_secret,
];

/// A request of these tests.
pub(crate) fn request(number: u8) -> RequestId {
    RequestId([number; 32])
}

/// What is said of a link that was made.
pub(crate) fn said(insertion: &Insertion) -> Option<Answer> {
    match insertion {
        Insertion::Inserted(link) => Some(Answer {
            status: 201,
            location: Some(format!("/{}", link.code)),
            version: Some(link.version),
            body: link.target.to_string(),
        }),
        _ => None,
    }
}

fn refused(insertion: &Insertion) -> Option<Answer> {
    said(insertion).or_else(|| Some(Answer { status: 409, location: None, version: None, body: "taken".to_owned() }))
}

/// A link that a request asks for.
pub(crate) fn asked(number: u8, say: fn(&Insertion) -> Option<Answer>, link: NewLink) -> NewLink {
    let (request, fingerprint) = (request(number), Fingerprint([7; 32]));
    let receipt = Some(NewReceipt { request, fingerprint, say: Arc::new(say), now: NOW });
    NewLink { terms: Terms { receipt, ..Terms::default() }, ..link }
}

async fn receipt(store: &Store, number: u8) -> Option<Receipt> {
    store.find_receipts(vec![request(number), request(250)]).await.unwrap().remove(&request(number))
}

async fn a_link_and_its_receipt_are_made_together(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    assert_eq!(receipt(&here, 1).await, None);
    let link = insert(&here, asked(1, said, new_link("a"))).await;
    let known = receipt(&there, 1).await.unwrap();
    assert_eq!(known.fingerprint, Fingerprint([7; 32]));
    let answer = Answer {
        status: 201,
        location: Some("/a".to_owned()),
        version: Some(link.version),
        body: "https://example.com/".to_owned(),
    };
    assert_eq!(known.answer, answer);
    for store in [&here, &there] {
        let again = store.insert_link(asked(1, said, new_link("b"))).await.unwrap();
        assert_eq!(again, Insertion::Answered(known.clone()));
    }
    assert_eq!(here.find_link(DomainId::BASE, &code("b")).await.unwrap(), None, "nothing was made");
    delete(&here, &code("a")).await;
    assert_eq!(receipt(&here, 1).await, Some(known), "it says what was, not what is");
}

async fn of_many_who_ask_the_same_one_makes_a_link(database: Database) {
    let stores = [database.store().await, database.store().await];
    let attempts: Vec<_> = (0..20)
        .map(|number| {
            let store = stores[number % stores.len()].clone();
            let link = asked(1, said, new_link(&format!("code{number}")));
            tokio::spawn(async move { store.insert_link(link).await.unwrap() })
        })
        .collect();
    let (mut made, mut told) = (0, Vec::new());
    for attempt in attempts {
        match attempt.await.unwrap() {
            Insertion::Inserted(link) => {
                made += 1;
                told.push(link.version);
            }
            Insertion::Answered(receipt) => told.extend(receipt.answer.version),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((made, told.len(), database.count("links")), (1, 20, 1));
    assert!(told.iter().all(|version| *version == told[0]), "{told:?}");
}

async fn what_is_not_the_last_word_is_not_kept(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    let drawn = |text| NewLink { origin: CodeOrigin::Generated, ..asked(1, said, new_link(text)) };
    assert_eq!(store.insert_link(drawn("a")).await.unwrap(), Insertion::CodeTaken);
    assert_eq!(receipt(&store, 1).await, None);
    insert(&store, drawn("b")).await;
    assert!(receipt(&store, 1).await.is_some());
}

async fn a_refusal_is_kept_without_a_link(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    assert_eq!(store.insert_link(asked(1, refused, new_link("a"))).await.unwrap(), Insertion::CodeTaken);
    delete(&store, &code("a")).await;
    let Insertion::Answered(known) = store.insert_link(asked(1, refused, new_link("a"))).await.unwrap() else {
        panic!("it was refused before");
    };
    assert_eq!(known.answer.status, 409);
    assert_eq!(store.find_link(DomainId::BASE, &code("a")).await.unwrap(), None);
}

async fn neighbours_without_receipts_are_made_as_ever(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("taken")).await;
    let made: Vec<_> = (0..60_u8)
        .map(|number| {
            let link = new_link(&format!("code{number}"));
            let link = match number % 3 {
                0 => asked(number, said, link),
                1 => link,
                _ => NewLink { code: code("taken"), ..asked(number, refused, link) },
            };
            let store = store.clone();
            tokio::spawn(async move { (number, store.insert_link(link).await.unwrap()) })
        })
        .collect();
    for made in made {
        let (number, insertion) = made.await.unwrap();
        let kept = receipt(&store, number).await.map(|receipt| receipt.answer);
        match insertion {
            Insertion::Inserted(link) => {
                assert_eq!(store.find_link(link.domain, &link.code).await.unwrap(), Some(link.clone()));
                assert_eq!(kept.and_then(|answer| answer.version), (number % 3 == 0).then_some(link.version));
            }
            Insertion::CodeTaken => assert_eq!(kept.map(|answer| answer.status), Some(409)),
            other => panic!("{number} {other:?}"),
        }
    }
}

async fn a_bad_row_leaves_no_receipt(database: Database) {
    let store = database.store().await;
    let bad = NewLink { domain: DomainId(999), ..asked(1, said, new_link("a")) };
    let good = asked(2, said, new_link("b"));
    let (bad, good) = tokio::join!(store.insert_link(bad), store.insert_link(good));
    assert!(bad.is_err() && matches!(good, Ok(Insertion::Inserted(_))), "{bad:?} {good:?}");
    assert!(receipt(&store, 1).await.is_none() && receipt(&store, 2).await.is_some());
    insert(&store, NewLink { draft: draft("https://example.org/"), ..asked(1, said, new_link("a")) }).await;
}

async fn an_answer_that_changed_nothing_is_kept_once(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let answer = |body: &str| Answer { status: 200, location: None, version: None, body: body.to_owned() };
    let receipt = |body| Receipt { fingerprint: Fingerprint([1; 32]), answer: answer(body) };
    assert_eq!(here.keep_receipt(request(1), receipt("first"), NOW).await.unwrap(), None);
    assert_eq!(there.keep_receipt(request(1), receipt("second"), NOW).await.unwrap(), Some(receipt("first")));
    let again = here.insert_link(asked(1, said, new_link("a"))).await.unwrap();
    assert_eq!(again, Insertion::Answered(receipt("first")));
}

async fn old_receipts_are_removed(database: Database) {
    let store = database.store().await;
    let answer = Answer { status: 200, location: None, version: None, body: String::new() };
    for number in 1..=5 {
        let at = if number <= 3 { NOW } else { LATER };
        let receipt = Receipt { fingerprint: Fingerprint([1; 32]), answer: answer.clone() };
        assert_eq!(store.keep_receipt(request(number), receipt, at).await.unwrap(), None);
    }
    let before = Timestamp::from_millis(NOW.as_millis() + 1);
    assert_eq!(store.remove_receipts(before, 2).await.unwrap(), 2);
    assert_eq!(store.remove_receipts(before, 2).await.unwrap(), 1);
    assert_eq!(store.remove_receipts(before, 2).await.unwrap(), 0);
    assert_eq!(database.count("receipts"), 2);
    assert!(receipt(&store, 3).await.is_none() && receipt(&store, 4).await.is_some());
}

async fn a_database_has_one_secret(database: Database) {
    let secret = database.store().await.receipt_secret().await.unwrap();
    assert_eq!(database.store().await.receipt_secret().await.unwrap(), secret);
    let another = Database::sqlite().store().await.receipt_secret().await.unwrap();
    assert_ne!(another, secret);
}

//! Leads: what a visit needs of a link, asked for without the rest.

use hny_domain::edit::Patch;
use hny_domain::{Caller, DomainId, Draft, EditInput, Link, PasswordHash, RedirectStatus, Target};
use hny_store::{NewLink, Store};

use crate::database::{Database, LATER, NOW, code, contract, draft, edit, insert, new_link};

contract![
    a_lead_is_that_of_the_link,
    a_lead_is_found_by_the_bytes_of_the_code,
    a_lead_follows_its_link,
    a_lookup_takes_little_room,
];

/// A plain link, one for each rule, and one with all of them.
fn drafts() -> [Draft; 13] {
    let plain = || draft("https://example.com/%E4%BD%A0?a=%2F&b=+#%23fragment");
    [
        plain(),
        Draft { active: false, ..plain() },
        Draft { valid_from: Some(NOW), ..plain() },
        Draft { expires_at: Some(LATER), ..plain() },
        Draft { redirect_status: Some(RedirectStatus::PermanentRedirect), ..plain() },
        Draft { forward_query: Some(false), ..plain() },
        Draft { forward_query: Some(true), ..plain() },
        Draft { title: Some("a title".to_owned()), private: true, ..plain() },
        Draft { max_clicks: Some(1), ..plain() },
        Draft { forward_path: true, ..plain() },
        Draft { password: Some(PasswordHash::new("$argon2id$")), ..plain() },
        Draft { expired_url: Some(Target::parse("https://example.com/over").unwrap()), ..plain() },
        Draft {
            max_clicks: Some(u32::MAX),
            forward_path: true,
            password: Some(PasswordHash::new("$argon2id$")),
            expired_url: Some(Target::parse("https://example.com/over").unwrap()),
            private: true,
            active: false,
            valid_from: Some(NOW),
            expires_at: Some(LATER),
            redirect_status: Some(RedirectStatus::MovedPermanently),
            forward_query: Some(false),
            ..plain()
        },
    ]
}

async fn a_lead_is_that_of_the_link(database: Database) {
    let store = database.store().await;
    for (number, draft) in drafts().into_iter().enumerate() {
        let text = format!("c{number}");
        let link = insert(&store, NewLink { draft, ..new_link(&text) }).await;
        assert!(has_lead_of(&store, &text, &link).await, "{link:?}");
    }
}

async fn a_lead_is_found_by_the_bytes_of_the_code(database: Database) {
    let store = database.store().await;
    let links = [insert(&store, new_link("abc")).await, insert(&store, new_link("ABC")).await];
    assert!(has_lead_of(&store, "abc", &links[0]).await && has_lead_of(&store, "ABC", &links[1]).await);
    for (domain, text) in [(DomainId::BASE, "Abc"), (DomainId::BASE, "ab"), (DomainId(1), "abc")] {
        assert_eq!(store.find_lead(domain, &code(text), |_| ()).await.unwrap(), None, "{domain:?} {text}");
    }
}

async fn a_lead_follows_its_link(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let link = insert(&here, new_link("a")).await;
    let wish = edit(EditInput { original_url: Patch::Set("https://example.org/new"), ..EditInput::default() });
    let edition = there.edit_link(link.domain, &link.code, wish, Caller::Operator, NOW).await.unwrap();
    assert!(has_lead_of(&here, "a", &edition.link().unwrap()).await, "edited by another process");
    assert!(there.delete_link(link.domain, &link.code, Caller::Operator, NOW).await.unwrap().is_some());
    assert_eq!(here.find_lead(link.domain, &link.code, |_| ()).await.unwrap(), None, "deleted");
}

/// Ten thousand connections each keep room for one.
async fn a_lookup_takes_little_room(database: Database) {
    let (store, code) = (database.store().await, code("a"));
    let lookup = store.find_lead(DomainId::BASE, &code, |lead| lead.link);
    assert!(size_of_val(&lookup) <= 256, "{}", size_of_val(&lookup));
    assert_eq!(lookup.await.unwrap(), None);
}

/// Whether the lead that is found is that of `link`.
async fn has_lead_of(store: &Store, text: &str, link: &Link) -> bool {
    let same = store.find_lead(DomainId::BASE, &code(text), |lead| lead == link.lead()).await;
    same.unwrap() == Some(true)
}

//! `GET /api/v1/links`: every kind of caller is shown the links that it sees, however it asks.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::callers::{self, Holder, make_key};
use crate::caller::{Caller, text};
use crate::keeper::Keeper;

/// Ways to ask for links that all have what is asked for.
const WAYS: [&str; 6] =
    ["", "order=clicks", "tag=each", "tag=each&order=-clicks", "search=secret.example", "state=active&limit=1"];

/// The codes of all pages.
fn listed(caller: &mut Caller, way: &str) -> BTreeSet<String> {
    let (mut codes, mut cursor) = (BTreeSet::new(), String::new());
    loop {
        let answer = caller.ask("GET", &format!("/api/v1/links?{way}{cursor}"));
        assert_eq!(answer.status, 200, "{way} {}", answer.text());
        let page = answer.json();
        for item in page["items"].as_array().unwrap() {
            assert!(codes.insert(text(item, "shortCode")), "twice: {item}");
        }
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return codes,
        }
    }
}

/// A link of each holder's own, of another key, and of nobody: their codes and owners.
fn links(keeper: &Keeper, holders: &[Holder]) -> Vec<(String, String)> {
    let (other, _) = make_key(&keeper.site, &json!({"name": "other", "role": "creator"}));
    let owners = holders.iter().filter(|holder| holder.id.is_some()).map(Holder::owner);
    let owners: Vec<_> = owners.chain([other.to_string(), "NULL".to_owned()]).collect();
    let mut admin = keeper.admin();
    let mut link = |owner: String| {
        let path = admin.link(&json!({"originalUrl": "https://secret.example/", "tags": ["each"]}));
        keeper.run(&format!("UPDATE links SET owner = {owner} WHERE code = '{}'", &path[1..]));
        (path[1..].to_owned(), owner)
    };
    owners.into_iter().map(&mut link).collect()
}

#[test]
fn a_list_has_what_the_caller_sees_and_nothing_else() {
    callers::on_both(|keeper| {
        let holders = callers::all(keeper);
        let links = links(keeper, &holders);
        for holder in holders.iter().filter(|holder| holder.kind.sees_all == 'y') {
            let sees = |owner: &str| {
                let whose = if owner == holder.owner() { 0 } else { 1 + usize::from(owner == "NULL") };
                holder.kind.sees[0][whose] == 'y'
            };
            let shown = links.iter().filter(|(_, owner)| sees(owner)).map(|(code, _)| code.clone());
            let shown: BTreeSet<_> = shown.collect();
            for way in WAYS {
                assert_eq!(listed(&mut holder.connect(&keeper.site), way), shown, "{}: {way}", holder.kind.name);
            }
        }
    });
}

#[test]
fn many_deletions_reach_what_the_caller_changes_and_nothing_else() {
    callers::on_both(|keeper| {
        let holders = callers::all(keeper);
        for holder in holders.iter().filter(|holder| holder.kind.sees_all == 'y') {
            let mut links = links(keeper, std::slice::from_ref(holder));
            links.truncate(3);
            let codes: Vec<_> = links.iter().map(|(code, _)| code).collect();
            let answer = holder.connect(&keeper.site).send("POST", "/api/v1/links/bulk", &json!({"delete": codes}));
            if holder.kind.name.starts_with("reader") {
                assert_eq!(answer.status, 403, "{}", holder.kind.name);
                continue;
            }
            assert!(!answer.text().contains("secret.example"), "{}", holder.kind.name);
            let rows = answer.json()["results"].as_array().cloned().unwrap_or_default();
            let statuses: Vec<_> = rows.iter().map(|row| row["status"].clone()).collect();
            let expected = holder.kind.changes[0].map(|letter| match letter {
                'y' => Value::from(204),
                'f' => Value::from(403),
                _ => Value::from(404),
            });
            assert_eq!(statuses, expected, "{}", holder.kind.name);
        }
    });
}

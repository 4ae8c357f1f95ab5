//! What few links have: a limit, words for their owner, a password, a place for who comes too late.

use hny_domain::edit::Patch;
use hny_domain::{Caller, Draft, EditInput, Link, PasswordHash, Tag, Target};
use hny_store::{NewLink, Store};

use crate::database::{Database, NOW, code, contract, delete, draft, edit, insert, new_link};

contract![
    every_field_comes_out_as_it_went_in,
    every_field_is_changed_and_cleared,
    tags_find_their_links,
    an_older_version_leaves_nothing_behind,
];

fn tags(words: &[&str]) -> Vec<Tag> {
    words.iter().map(|word| Tag::parse(word).unwrap()).collect()
}

fn full() -> Draft {
    Draft {
        max_clicks: Some(u32::MAX),
        forward_path: true,
        expired_url: Some(Target::parse("https://example.com/over?a=%2F").unwrap()),
        password: Some(PasswordHash::new("$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA")),
        tags: tags(&["b", "a \"word\", {x}", "\u{1F36F}", "NULL", "\\n"]),
        note: Some("two\nlines, \"quoted\"; --".to_owned()),
        ..draft("https://example.com/")
    }
}

async fn every_field_comes_out_as_it_went_in(database: Database) {
    let store = database.store().await;
    let (first, second) = tokio::join!(
        insert(&store, NewLink { draft: full(), ..new_link("a") }),
        insert(
            &store,
            NewLink { draft: Draft { tags: tags(&["b"]), ..draft("https://example.com/") }, ..new_link("b") }
        ),
    );
    let Draft { max_clicks, forward_path, expired_url, password, tags, note, .. } = full();
    assert_eq!((first.max_clicks, first.forward_path, first.clicks_used), (max_clicks, forward_path, 0));
    assert_eq!((&first.expired_url, &first.password), (&expired_url, &password));
    assert_eq!((&first.tags, &first.note), (&tags, &note));
    assert_eq!(find(&store, "a").await, Some(first));
    assert_eq!(find(&store, "b").await, Some(second));
}

async fn every_field_is_changed_and_cleared(database: Database) {
    let store = database.store().await;
    let link = insert(&store, NewLink { draft: full(), ..new_link("a") }).await;
    let set = EditInput {
        max_clicks: Patch::Set(7),
        forward_path: Patch::Set(false),
        expired_url: Patch::Set("https://example.org/"),
        tags: Patch::Set(&["c".to_owned()]),
        note: Patch::Set("other"),
        ..EditInput::default()
    };
    let clear = EditInput {
        max_clicks: Patch::Clear,
        expired_url: Patch::Clear,
        password: Patch::Clear,
        tags: Patch::Clear,
        note: Patch::Clear,
        ..EditInput::default()
    };
    for input in [set, clear] {
        let edition = store.edit_link(link.domain, &link.code, edit(input), Caller::Operator, NOW).await.unwrap();
        let edited = edition.link().unwrap();
        assert_eq!(find(&store, "a").await, Some(edited.clone()));
        let is_set = edited.max_clicks == Some(7) && edited.tags == tags(&["c"]) && edited.password == link.password;
        assert!(is_set || edited.max_clicks.is_none() && edited.tags.is_empty() && edited.password.is_none());
    }
}

async fn tags_find_their_links(database: Database) {
    let store = database.store().await;
    let tagged = |words: &[&str]| Draft { tags: tags(words), ..draft("https://example.com/") };
    for text in ["a", "b"] {
        insert(&store, NewLink { draft: tagged(&["x", "y"]), ..new_link(text) }).await;
    }
    insert(&store, new_link("c")).await;
    assert_eq!(database.count("link_tags"), 4);
    let retagged =
        edit(EditInput { tags: Patch::Set(&["y".to_owned(), "z".to_owned(), "w".to_owned()]), ..EditInput::default() });
    let link = find(&store, "a").await.unwrap();
    store.edit_link(link.domain, &link.code, retagged, Caller::Operator, NOW).await.unwrap().link().unwrap();
    assert_eq!(database.count("link_tags WHERE tag = 'x'"), 1);
    assert_eq!(database.count("link_tags"), 5);
    delete(&store, &code("a")).await;
    assert_eq!(database.count("link_tags"), 2);
    insert(&store, NewLink { draft: tagged(&["v"]), ..new_link("a") }).await;
    let sql = "link_tags JOIN links ON links.id = link_tags.link WHERE tag = 'v' AND code = 'a' AND deleted_at IS NULL";
    assert_eq!(database.count(sql), 1, "under the id of the new link");
}

/// A node of the version before deletes a link without a word of these columns, and makes another of its tombstone.
async fn an_older_version_leaves_nothing_behind(database: Database) {
    let store = database.store().await;
    insert(&store, NewLink { draft: full(), ..new_link("a") }).await;
    database.run("INSERT INTO claims (link, used) SELECT id, 3 FROM links");
    database.run(
        "UPDATE links SET target = NULL, target_hash = NULL, title = NULL, skeleton = NULL, deleted_at = 5, version = 77",
    );
    assert_eq!(database.count("claims") + database.count("link_tags"), 0);
    database.run(
        "UPDATE links SET id = 99, target = 'https://example.com/', target_hash = 1, deleted_at = NULL, version = 78",
    );
    let link = find(&store, "a").await.unwrap();
    assert_eq!((link.max_clicks, link.forward_path, link.clicks_used), (None, false, 0));
    assert_eq!((link.expired_url, link.password, link.note, link.tags.len()), (None, None, None, 0));
}

async fn find(store: &Store, text: &str) -> Option<Link> {
    store.find_link(hny_domain::DomainId::BASE, &code(text)).await.unwrap()
}

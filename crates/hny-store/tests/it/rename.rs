//! Other codes for links, and aliases.

use hny_domain::edit::Patch;
use hny_domain::{Caller, Code, CodeOrigin, DomainId, EditInput, Expected, Lead, Version};
use hny_store::{Deletion, Edition, Insertion, NewLink, Store};

use crate::database::{
    Database, NOW, caller, clicks, code, contract, delete, edit, insert, insert_key, new_link, take,
};

contract![
    a_renamed_link_is_found_by_its_new_code_only,
    an_alias_leads_where_its_link_leads,
    every_change_of_a_link_is_one_of_its_aliases,
    an_alias_can_be_deleted_alone,
    aliases_go_with_their_link,
    a_code_that_is_taken_or_looks_like_another_is_refused,
    a_link_can_have_its_old_code_again,
    a_drawn_code_is_not_given_again_after_a_rename,
    clicks_are_those_of_the_link,
];

async fn rename(store: &Store, from: &str, to: &str, keep_alias: bool) -> Edition {
    rename_as(store, from, to, keep_alias, Caller::Operator).await
}

async fn rename_as(store: &Store, from: &str, to: &str, keep_alias: bool, caller: Caller) -> Edition {
    let input = EditInput { custom_code: Patch::Set(to), keep_alias: Some(keep_alias), ..EditInput::default() };
    store.edit_link(DomainId::BASE, &code(from), edit(input), caller, NOW).await.unwrap()
}

/// Where a code leads, and the version that a cache would keep it with.
async fn lead(store: &Store, text: &str) -> Option<(String, Version)> {
    let take = |lead: Lead<'_>| (lead.target.to_owned(), lead.version);
    store.find_lead(DomainId::BASE, &code(text), take).await.unwrap()
}

fn known(store: &Store, text: &str) -> Option<Version> {
    store.newest_reported_version(DomainId::BASE, &code(text))
}

async fn a_renamed_link_is_found_by_its_new_code_only(database: Database) {
    let store = database.store().await;
    let before = insert(&store, new_link("old")).await;
    let Edition::Renamed(after, left) = rename(&store, "old", "new", false).await else { panic!("the code is free") };
    assert_eq!((left, after.code.as_str(), after.id), (code("old"), "new", before.id));
    assert!(after.aliases.is_empty() && after.version > before.version);
    assert_eq!(store.find_link(DomainId::BASE, &code("new")).await.unwrap(), Some(after));
    assert_eq!(store.find_link(DomainId::BASE, &code("old")).await.unwrap(), None);
    assert_eq!((lead(&store, "old").await, lead(&store, "new").await.unwrap().0), (None, before.target.to_string()));
    assert!(known(&store, "old") > Some(before.version), "caches hear that it is gone");
    // A chosen one is free for its owner.
    insert(&store, new_link("old")).await;
}

async fn an_alias_leads_where_its_link_leads(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("first")).await;
    let second = rename(&store, "first", "second", true).await.link().unwrap();
    let third = rename(&store, "first", "third", true).await.link().unwrap();
    assert_eq!((second.aliases, &third.aliases), (vec![code("first")], &vec![code("first"), code("second")]));
    for text in ["first", "second", "third"] {
        assert_eq!(store.find_link(DomainId::BASE, &code(text)).await.unwrap().as_ref(), Some(&third), "{text}");
        let (target, version) = lead(&store, text).await.unwrap();
        assert_eq!((target.as_str(), Some(version)), (third.target.as_str(), known(&store, text)), "{text}");
    }
    let taken = store.insert_link(new_link("first")).await.unwrap();
    assert_eq!(taken, Insertion::CodeTaken, "an alias is not free");
}

async fn every_change_of_a_link_is_one_of_its_aliases(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    insert(&here, new_link("a")).await;
    rename(&here, "a", "b", true).await.link().unwrap();
    let target = EditInput { original_url: Patch::Set("https://example.com/else"), ..EditInput::default() };
    let edited = here.edit_link(DomainId::BASE, &code("a"), edit(target), Caller::Operator, NOW).await.unwrap();
    let changes = edited.changes();
    let link = edited.link().unwrap();
    assert_eq!(changes.iter().map(|change| change.code.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(changes[1].version, Version(link.version.0 + 1));
    for change in changes {
        assert_eq!(known(&here, change.code.as_str()), Some(change.version), "told before the answer");
        let (target, version) = lead(&there, change.code.as_str()).await.unwrap();
        assert_eq!((target.as_str(), version), ("https://example.com/else", change.version));
    }
    // Whoever opens the database next counts on behind them.
    let next = insert(&there, new_link("c")).await;
    assert!(next.version > Version(link.version.0 + 1));
}

async fn an_alias_can_be_deleted_alone(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    rename(&store, "a", "b", true).await.link().unwrap();
    let link = rename(&store, "b", "c", true).await.link().unwrap();
    let old = Expected::OneOf(vec![Version(link.version.0 - 1)]);
    let outdated = store.delete_expected_link(DomainId::BASE, &code("a"), old, Caller::Operator, NOW).await.unwrap();
    assert_eq!(outdated, Deletion::Outdated);
    let (a, any) = (code("a"), Expected::Any);
    let deleted = store.delete_expected_link(DomainId::BASE, &a, any, Caller::Operator, NOW).await.unwrap();
    let Deletion::AliasDeleted(left, alias) = deleted else { panic!("it is an alias") };
    assert_eq!((alias, &left.aliases, left.code.as_str()), (code("a"), &vec![code("b")], "c"));
    assert_eq!((lead(&store, "a").await, lead(&store, "b").await.is_some()), (None, true));
    assert_eq!(store.find_link(DomainId::BASE, &code("c")).await.unwrap(), Some(*left));
    insert(&store, new_link("a")).await;
}

async fn aliases_go_with_their_link(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    rename(&store, "a", "b", true).await.link().unwrap();
    delete(&store, &code("b")).await;
    for text in ["a", "b"] {
        assert_eq!(lead(&store, text).await, None, "{text}");
        assert_eq!(store.find_link(DomainId::BASE, &code(text)).await.unwrap(), None, "{text}");
        let link = insert(&store, new_link(text)).await;
        assert!(link.aliases.is_empty());
    }
}

async fn a_code_that_is_taken_or_looks_like_another_is_refused(database: Database) {
    let store = database.store().await;
    let (mine, yours) = (insert_key(&store, "mine").await.id, insert_key(&store, "yours").await.id);
    let creator = |id| Caller::Key(id, hny_domain::Role::Creator.into());
    let link = insert(&store, NewLink { caller: caller(mine), ..new_link("mine") }).await;
    for text in ["live", "gone"] {
        insert(&store, NewLink { caller: caller(yours), ..new_link(text) }).await;
    }
    delete(&store, &code("gone")).await;
    for text in ["live", "gone"] {
        assert_eq!(rename_as(&store, "mine", text, true, creator(mine)).await, Edition::CodeTaken, "{text}");
    }
    assert_eq!(rename(&store, "mine", "1ive", true).await, Edition::Lookalike);
    assert_eq!(store.find_link(DomainId::BASE, &code("mine")).await.unwrap(), Some(link), "nothing was changed");
    let input = EditInput { custom_code: Patch::Set("1ive"), allow_lookalike: Some(true), ..EditInput::default() };
    let allowed = store.edit_link(DomainId::BASE, &code("mine"), edit(input), Caller::Operator, NOW).await.unwrap();
    assert!(allowed.link().is_some());
    let heir = rename_as(&store, "live", "gone", false, creator(yours)).await;
    assert!(heir.link().is_some(), "its owner has it again");
    assert_eq!(rename_as(&store, "gone", "x", false, creator(mine)).await, Edition::NoSuchLink);
}

async fn a_link_can_have_its_old_code_again(database: Database) {
    let store = database.store().await;
    insert(&store, new_link("a")).await;
    rename(&store, "a", "b", true).await.link().unwrap();
    let back = rename(&store, "b", "a", true).await.link().unwrap();
    assert_eq!((back.code.as_str(), &back.aliases), ("a", &vec![code("b")]));
    for text in ["a", "b"] {
        assert_eq!(lead(&store, text).await.map(|(_, version)| version), known(&store, text), "{text}");
    }
    let same = rename(&store, "a", "a", true).await;
    assert!(matches!(same, Edition::Edited(link) if link.aliases == [code("b")]), "its own code is no news");
}

async fn a_drawn_code_is_not_given_again_after_a_rename(database: Database) {
    let store = database.store().await;
    for (drawn, chosen, keep_alias) in [("drawn1", "chosen1", false), ("drawn2", "chosen2", true)] {
        insert(&store, NewLink { origin: CodeOrigin::Generated, ..new_link(drawn) }).await;
        rename(&store, drawn, chosen, keep_alias).await.link().unwrap();
        if keep_alias {
            delete(&store, &Code::parse(drawn).unwrap()).await;
        }
        assert_eq!(store.insert_link(new_link(drawn)).await.unwrap(), Insertion::CodeTaken, "{drawn}");
        assert_eq!(rename(&store, chosen, drawn, false).await, Edition::CodeTaken, "{drawn}");
    }
}

async fn clicks_are_those_of_the_link(database: Database) {
    let store = database.store().await;
    let link = insert(&store, new_link("a")).await;
    take(&store, clicks(link.id, 2)).await.unwrap();
    rename(&store, "a", "b", true).await.link().unwrap();
    let id = |lead: Lead<'_>| lead.link;
    for text in ["a", "b"] {
        assert_eq!(store.find_lead(DomainId::BASE, &code(text), id).await.unwrap(), Some(link.id), "{text}");
    }
    assert_eq!(database.count("clicks"), 2);
}

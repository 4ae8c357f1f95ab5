//! Domains and their numbers, and links that are told apart by them.

use hny_domain::{Caller, DomainId, Draft};
use hny_store::NewLink;

use crate::database::{Database, NOW, code, contract, draft, insert, new_link};

contract![a_domain_keeps_its_number, nodes_agree_on_the_numbers, a_code_is_another_on_every_domain];

fn hosts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

async fn a_domain_keeps_its_number(database: Database) {
    let store = database.store().await;
    let number = async |names: &[&str]| store.number_domains(hosts(names)).await.unwrap();
    assert_eq!(number(&["b.example", "a.example"]).await, [DomainId(1), DomainId(2)]);
    assert_eq!(number(&["a.example", "c.example", "b.example"]).await, [2, 3, 1].map(DomainId));
    assert_eq!(number(&[]).await, []);
    let again = database.store().await;
    assert_eq!(again.number_domains(hosts(&["c.example"])).await.unwrap(), [DomainId(3)]);
}

async fn nodes_agree_on_the_numbers(database: Database) {
    let stores = [database.store().await, database.store().await];
    let names = hosts(&["a.example", "b.example", "c.example"]);
    let mut reversed = names.clone();
    reversed.reverse();
    let (one, mut other) =
        tokio::try_join!(stores[0].number_domains(names), stores[1].number_domains(reversed)).unwrap();
    other.reverse();
    assert_eq!(one, other);
    assert_eq!(database.count("domains"), 4);
}

async fn a_code_is_another_on_every_domain(database: Database) {
    let store = database.store().await;
    let domain = store.number_domains(hosts(&["a.example"])).await.unwrap()[0];
    let here = insert(&store, new_link("a")).await;
    let there = NewLink { domain, draft: Draft { domain, ..draft("https://example.org/") }, ..new_link("a") };
    let there = insert(&store, there).await;
    assert_eq!(store.find_link(DomainId::BASE, &code("a")).await.unwrap(), Some(here.clone()));
    assert_eq!(store.find_link(domain, &code("a")).await.unwrap(), Some(there));
    assert!(store.delete_link(domain, &code("a"), Caller::Operator, NOW).await.unwrap().is_some());
    assert_eq!(store.find_link(DomainId::BASE, &code("a")).await.unwrap(), Some(here));
    assert_eq!(store.find_link(domain, &code("a")).await.unwrap(), None);
}

//! What nodes share: numbers, node ids, and the secret of the codes.

use std::collections::{BTreeSet, HashSet};

use hny_store::{CodeKeyCheck, NodeGrant, NodeId, NodeLease, NodeWish, Store};

use crate::database::{Database, LATER, NOW, contract};

contract![
    numbers_are_leased_one_range_after_the_other,
    numbers_never_overlap_between_processes,
    nodes_are_given_from_the_lowest,
    a_wished_node_is_given,
    a_taken_node_says_until_when,
    half_a_wish_is_a_wish,
    a_lease_that_is_over_is_given_with_its_mark,
    a_renewed_node_stays_with_its_holder,
    a_node_that_another_has_taken_is_lost,
    a_node_that_is_given_back_keeps_its_mark,
    there_are_1024_nodes,
    two_processes_never_get_one_node,
    the_first_secret_is_the_one_in_use,
    each_length_has_a_secret_of_its_own,
    adopting_a_secret_begins_an_epoch,
    adopting_the_same_secret_changes_nothing,
];

const ANY: NodeWish = NodeWish { datacenter: None, worker: None };
const START: u64 = 1_900_000_000_000;
const END: u64 = START + 3_000;

fn node(datacenter: u8, worker: u8) -> NodeId {
    NodeId { datacenter, worker }
}

fn wish(datacenter: u8, worker: u8) -> NodeWish {
    NodeWish { datacenter: Some(datacenter), worker: Some(worker) }
}

async fn lease(store: &Store, wish: NodeWish, holder: &str, now_ms: u64) -> NodeGrant {
    store.lease_node(wish, holder, now_ms, now_ms + 3_000).await.unwrap()
}

async fn renew(store: &Store, node: NodeId, holder: &str, until_ms: u64) -> bool {
    store.renew_node(NodeLease { node, holder: holder.to_owned(), until_ms }).await.unwrap()
}

fn granted(node: NodeId, after_ms: u64) -> NodeGrant {
    NodeGrant::Granted { node, after_ms }
}

async fn numbers_are_leased_one_range_after_the_other(database: Database) {
    let store = database.store().await;
    assert_eq!(store.lease_numbers(1_000).await.unwrap(), 0..1_000);
    assert_eq!(store.lease_numbers(1).await.unwrap(), 1_000..1_001);
    assert_eq!(database.store().await.lease_numbers(u32::MAX).await.unwrap(), 1_001..1_001 + u64::from(u32::MAX));
    assert_eq!(store.lease_numbers(0).await.unwrap(), 4_294_968_296..4_294_968_296, "none of none");
}

async fn numbers_never_overlap_between_processes(database: Database) {
    let stores = [database.store().await, database.store().await];
    let leases: Vec<_> = (0..100)
        .map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move { store.lease_numbers(7).await.unwrap() })
        })
        .collect();
    let mut numbers = HashSet::new();
    for lease in leases {
        for number in lease.await.unwrap() {
            assert!(numbers.insert(number), "{number} was leased twice");
        }
    }
    assert_eq!(numbers.len(), 700);
    assert_eq!(numbers.iter().max(), Some(&699), "and none was left out");
}

async fn nodes_are_given_from_the_lowest(database: Database) {
    let store = database.store().await;
    for worker in 0..3 {
        let grant = lease(&store, ANY, &format!("holder {worker}"), START).await;
        assert_eq!(grant, granted(node(0, worker), 0));
    }
}

async fn a_wished_node_is_given(database: Database) {
    let store = database.store().await;
    assert_eq!(lease(&store, wish(31, 17), "a", START).await, granted(node(31, 17), 0));
    assert_eq!(lease(&store, wish(17, 31), "b", START).await, granted(node(17, 31), 0));
}

async fn a_taken_node_says_until_when(database: Database) {
    let store = database.store().await;
    lease(&store, wish(1, 2), "a", START).await;
    let other = database.store().await;
    for now in [START, END - 1] {
        assert_eq!(lease(&other, wish(1, 2), "b", now).await, NodeGrant::Taken { until_ms: END });
    }
    assert_eq!(lease(&other, wish(32, 0), "b", START).await, NodeGrant::Taken { until_ms: u64::MAX }, "no such node");
}

async fn half_a_wish_is_a_wish(database: Database) {
    let store = database.store().await;
    let (datacenter, worker) =
        (NodeWish { datacenter: Some(9), worker: None }, NodeWish { datacenter: None, worker: Some(5) });
    assert_eq!(lease(&store, datacenter, "a", START).await, granted(node(9, 0), 0));
    assert_eq!(lease(&store, datacenter, "b", START).await, granted(node(9, 1), 0));
    assert_eq!(lease(&store, worker, "c", START).await, granted(node(0, 5), 0));
    assert_eq!(lease(&store, worker, "d", START).await, granted(node(1, 5), 0));
    for holder in 2..32 {
        lease(&store, datacenter, &format!("{holder}"), START + 1).await;
    }
    let taken = lease(&store, datacenter, "e", START + 2).await;
    assert_eq!(taken, NodeGrant::Taken { until_ms: END }, "the first of them ends then");
}

async fn a_lease_that_is_over_is_given_with_its_mark(database: Database) {
    let store = database.store().await;
    lease(&store, wish(1, 2), "a", START).await;
    assert_eq!(lease(&store, wish(1, 2), "b", END).await, granted(node(1, 2), END));
    assert_eq!(lease(&store, wish(1, 2), "c", END + 10_000).await, granted(node(1, 2), END + 3_000));
}

async fn a_renewed_node_stays_with_its_holder(database: Database) {
    let store = database.store().await;
    lease(&store, wish(1, 2), "a", START).await;
    assert!(renew(&store, node(1, 2), "a", END + 1_000).await);
    assert_eq!(lease(&store, wish(1, 2), "b", END).await, NodeGrant::Taken { until_ms: END + 1_000 });
    assert!(renew(&store, node(1, 2), "a", END + 9_000).await, "also late, as long as nobody else has it");
}

async fn a_node_that_another_has_taken_is_lost(database: Database) {
    let store = database.store().await;
    lease(&store, wish(1, 2), "a", START).await;
    lease(&store, wish(1, 2), "b", END).await;
    assert!(!renew(&store, node(1, 2), "a", END + 9_000).await);
    assert!(!renew(&store, node(2, 1), "a", END + 9_000).await, "never had");
    assert_eq!(lease(&store, wish(1, 2), "c", END + 2_999).await, NodeGrant::Taken { until_ms: END + 3_000 });
}

async fn a_node_that_is_given_back_keeps_its_mark(database: Database) {
    let store = database.store().await;
    lease(&store, wish(1, 2), "a", START).await;
    assert!(renew(&store, node(1, 2), "a", START + 7).await);
    let other = database.store().await;
    assert_eq!(
        lease(&other, wish(1, 2), "b", START + 6).await,
        NodeGrant::Taken { until_ms: START + 7 },
        "an earlier clock"
    );
    assert_eq!(lease(&other, wish(1, 2), "b", START + 7).await, granted(node(1, 2), START + 7));
}

async fn there_are_1024_nodes(database: Database) {
    let store = database.store().await;
    let mut nodes = BTreeSet::new();
    for holder in 0..1_024_u64 {
        // Each a little later, so that the first ends first.
        match lease(&store, ANY, &format!("{holder}"), START + holder).await {
            NodeGrant::Granted { node, after_ms: 0 } => assert!(nodes.insert(node)),
            other => panic!("{holder}: {other:?}"),
        }
    }
    assert_eq!(lease(&store, ANY, "one more", START + 1_024).await, NodeGrant::Taken { until_ms: END });
    assert_eq!(lease(&store, ANY, "one more", END).await, granted(node(0, 0), END));
}

async fn two_processes_never_get_one_node(database: Database) {
    let stores = [database.store().await, database.store().await];
    let leases: Vec<_> = (0..60)
        .map(|holder: usize| {
            let store = stores[holder % 2].clone();
            tokio::spawn(async move { lease(&store, ANY, &format!("{holder}"), START).await })
        })
        .collect();
    let mut nodes = BTreeSet::new();
    for lease in leases {
        match lease.await.unwrap() {
            NodeGrant::Granted { node, .. } => assert!(nodes.insert(node), "{node:?} was given twice"),
            NodeGrant::Taken { .. } => panic!("there are more than sixty"),
        }
    }
}

async fn the_first_secret_is_the_one_in_use(database: Database) {
    let store = database.store().await;
    assert_eq!(store.check_code_key(7, "one", NOW).await.unwrap(), CodeKeyCheck::Same);
    let other = database.store().await;
    assert_eq!(other.check_code_key(7, "two", NOW).await.unwrap(), CodeKeyCheck::Different);
    assert_eq!(other.check_code_key(7, "one", LATER).await.unwrap(), CodeKeyCheck::Same);
}

async fn each_length_has_a_secret_of_its_own(database: Database) {
    let store = database.store().await;
    for (length, fingerprint) in [(4, "four"), (7, "seven"), (32, "thirty-two")] {
        assert_eq!(store.check_code_key(length, fingerprint, NOW).await.unwrap(), CodeKeyCheck::Same);
        assert_eq!(store.check_code_key(length, "other", NOW).await.unwrap(), CodeKeyCheck::Different);
    }
    assert_eq!(store.adopt_code_key(7, "other", NOW).await.unwrap(), 2);
    assert_eq!(store.check_code_key(4, "four", NOW).await.unwrap(), CodeKeyCheck::Same, "left as it was");
}

async fn adopting_a_secret_begins_an_epoch(database: Database) {
    let store = database.store().await;
    assert_eq!(store.adopt_code_key(7, "one", NOW).await.unwrap(), 1, "the first");
    assert_eq!(store.adopt_code_key(7, "two", NOW).await.unwrap(), 2);
    assert_eq!(store.check_code_key(7, "one", NOW).await.unwrap(), CodeKeyCheck::Different);
    assert_eq!(store.check_code_key(7, "two", NOW).await.unwrap(), CodeKeyCheck::Same);
    assert_eq!(store.adopt_code_key(7, "one", LATER).await.unwrap(), 3, "back to an earlier one is an epoch too");
    assert_eq!(database.store().await.check_code_key(7, "one", LATER).await.unwrap(), CodeKeyCheck::Same);
}

async fn adopting_the_same_secret_changes_nothing(database: Database) {
    let store = database.store().await;
    store.check_code_key(7, "one", NOW).await.unwrap();
    for _ in 0..2 {
        assert_eq!(store.adopt_code_key(7, "one", LATER).await.unwrap(), 1);
    }
}

use hny_domain::{Grant, KeyId, Role, Timestamp};
use hny_store::Settings;
use tempfile::TempDir;

use super::super::{PrivateTargets, Refusal};
use super::*;

/// A node on the database in a folder.
async fn node(folder: &TempDir) -> Blocks {
    let settings = Settings::Sqlite { path: folder.path().join("hny.db"), readers: 1 };
    let store = Store::open(settings).await.unwrap();
    let clock = Clock::standing(Timestamp::from_millis(1_800_000_000_000));
    let blocks = Blocks::new(store, clock, Blocklist::new(PrivateTargets::Allowed));
    blocks.catch_up().await.unwrap();
    blocks
}

fn check(blocks: &Blocks, host: &str) -> Result<(), Refusal> {
    blocks.list.check(&format!("https://{host}/"))
}

#[tokio::test]
async fn a_rule_holds_when_its_addition_is_acknowledged() {
    let folder = TempDir::new().unwrap();
    let blocks = node(&folder).await;
    let (block, is_new) = blocks.add(Caller::Operator, " *.EVIL.example. ").await.unwrap();
    assert_eq!((block.rule.as_str(), is_new, block.added_by), ("evil.example", true, None));
    assert_eq!(check(&blocks, "www.evil.example"), Err(Refusal::Listed));
    assert!(!blocks.add(Caller::Operator, "evil.example").await.unwrap().1);
    blocks.remove(Caller::Operator, "Evil.Example").await.unwrap();
    assert_eq!(check(&blocks, "www.evil.example"), Ok(()));
    assert!(matches!(blocks.remove(Caller::Operator, "evil.example").await, Err(BlockError::NotFound)));
    assert!(matches!(blocks.add(Caller::Operator, "co.uk").await, Err(BlockError::Rule(RuleError::PublicSuffix))));
}

#[tokio::test]
async fn another_node_follows_and_a_new_one_begins_with_all() {
    let folder = TempDir::new().unwrap();
    let (here, there) = (node(&folder).await, node(&folder).await);
    tokio::spawn(there.clone().follow());
    here.add(Caller::Operator, "a.example").await.unwrap();
    here.add(Caller::Operator, "b.example").await.unwrap();
    here.remove(Caller::Operator, "a.example").await.unwrap();
    let followed = async {
        while check(&there, "b.example").is_ok() || check(&there, "a.example").is_err() {
            tokio::task::yield_now().await;
        }
    };
    // The second that is promised.
    tokio::time::timeout(std::time::Duration::from_secs(1), followed).await.unwrap();
    let new = node(&folder).await;
    assert_eq!((check(&new, "a.example"), check(&new, "b.example")), (Ok(()), Err(Refusal::Listed)));
}

#[tokio::test]
async fn pages_come_to_an_end() {
    let folder = TempDir::new().unwrap();
    let blocks = node(&folder).await;
    for rule in ["c.example", "a.example", "b.example"] {
        blocks.add(Caller::Operator, rule).await.unwrap();
    }
    let page = |after: &str, limit| blocks.list(Caller::Operator, after.to_owned(), limit);
    let first = page("", 2).await.unwrap();
    assert_eq!((first.blocks.len(), first.next.as_deref()), (2, Some("b.example")));
    let last = page("b.example", 2).await.unwrap();
    assert_eq!((last.blocks.len(), last.next), (1, None));
    assert_eq!(page("", 3).await.unwrap().next, None);
    let record = blocks.changes(Caller::Operator, 0, 2).await.unwrap();
    assert_eq!((record.changes.len(), record.next), (2, Some(BlocksVersion(2))));
    assert_eq!(blocks.changes(Caller::Operator, 2, 2).await.unwrap().next, None);
}

#[tokio::test]
async fn only_admins_see_and_change_rules() {
    let folder = TempDir::new().unwrap();
    let blocks = node(&folder).await;
    let key = |role| Caller::Key(KeyId(1), Grant::new(role, false, None).unwrap());
    let others = [Caller::Anonymous, key(Role::Editor), key(Role::Creator), key(Role::Reader)];
    for caller in others {
        let refused =
            |result: Result<(), BlockError>| assert!(matches!(result, Err(BlockError::NotAllowed)), "{caller:?}");
        refused(blocks.add(caller, "a.example").await.map(drop));
        refused(blocks.remove(caller, "a.example").await);
        refused(blocks.list(caller, String::new(), 1).await.map(drop));
        refused(blocks.changes(caller, 0, 1).await.map(drop));
    }
    assert!(blocks.list(key(Role::Admin), String::new(), 1).await.is_ok());
}

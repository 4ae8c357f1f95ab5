use hny_store::Settings;
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::*;

#[tokio::test]
async fn all_who_ask_are_served_and_few_begin() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(Settings::Sqlite { path: folder.path().join("hny.db"), readers: 1 }).await.unwrap();
    let next = NextGeneration::new(store.clone());
    for number in 1..=3 {
        next.begin().await.unwrap();
        assert_eq!(store.cache_generation().number, number);
    }
    let mut asking: JoinSet<_> = (0..100)
        .map(|_| (next.clone(), store.clone()))
        .map(|(next, store)| async move {
            let before = store.cache_generation().number;
            next.begin().await.unwrap();
            assert!(store.cache_generation().number > before);
        })
        .collect();
    while let Some(asked) = asking.join_next().await {
        asked.unwrap();
    }
    // All have asked before the second of these begins.
    assert!(store.cache_generation().number <= 5);
    store.close().await;
}

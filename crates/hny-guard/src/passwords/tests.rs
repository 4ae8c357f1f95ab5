use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};

use super::*;

fn passwords(parallel: usize) -> Passwords {
    Passwords::new(parallel, StdRng::seed_from_u64(1))
}

#[tokio::test]
async fn a_hash_is_what_owasp_asks_for() {
    let hash = passwords(1).hash("correct horse").await.unwrap();
    let parameters = hash.as_str().strip_prefix("$argon2id$v=19$").unwrap().split('$').next().unwrap();
    let read = |name: &str| -> u32 {
        let value = parameters.split(',').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        value.unwrap().parse().unwrap()
    };
    assert!(read("m") >= 19_456 && read("t") >= 2 && read("p") == 1, "{parameters}");
    let salt = hash.as_str().split('$').nth(4).unwrap();
    assert_eq!(salt.len(), 22, "16 bytes of salt");
}

#[tokio::test]
async fn the_right_password_alone_is_right() {
    let passwords = passwords(1);
    let hash = passwords.hash("pässwörd").await.unwrap();
    for (password, is_right) in [("pässwörd", true), ("passwörd", false), ("", false), ("pässwörd ", false)] {
        assert_eq!(passwords.verify(password, &hash).await, Ok(is_right), "{password:?}");
    }
    let long = "x".repeat(password::MAX_LENGTH);
    let hash = passwords.hash(&long).await.unwrap();
    assert_eq!(passwords.verify(&long, &hash).await, Ok(true));
    assert_eq!(passwords.verify(&(long + "x"), &hash).await, Ok(false), "no password is so long");
}

#[tokio::test]
async fn two_hashes_of_a_password_differ() {
    let passwords = passwords(1);
    assert_ne!(passwords.hash("same").await, passwords.hash("same").await);
}

#[tokio::test]
async fn what_is_no_hash_is_damaged() {
    for hash in ["", "secret", "$argon2id$v=19$m=19456,t=2,p=1$", "$2b$12$abcdefghijklmnopqrstuv"] {
        let verified = passwords(1).verify("secret", &PasswordHash::new(hash)).await;
        assert!(matches!(verified, Err(PasswordError::Damaged) | Ok(false)), "{hash}: {verified:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_has_a_bound_because_few_are_served_at_once() {
    let passwords = passwords(1);
    // All of these are there before the first is done, as there is one turn and it is taken.
    let turn = Arc::clone(&passwords.0.served).acquire_owned().await.unwrap();
    let mut asked = JoinSet::new();
    for _ in 0..=WAITING {
        let passwords = passwords.clone();
        asked.spawn(async move { passwords.hash("a").await });
    }
    while passwords.0.admitted.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(passwords.hash("one too many").await, Err(PasswordError::Busy));
    drop(turn);
    let hashed = asked.join_all().await;
    assert!(hashed.iter().all(Result::is_ok), "{hashed:?}");
    assert!(passwords.hash("now there is room").await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_are_hashed_side_by_side_and_leave_room_for_others() {
    let passwords = passwords(2);
    let turns = Arc::clone(&passwords.0.served).acquire_many_owned(2).await.unwrap();
    let many: Vec<_> = (0..6).map(|number| format!("password {number}")).collect();
    let room = passwords.0.admitted.available_permits();
    let hashing = tokio::spawn({
        let (passwords, many) = (passwords.clone(), many.clone());
        async move { passwords.hash_all(many).await }
    });
    let both_wait = async {
        while passwords.0.admitted.available_permits() != room - 2 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), both_wait).await.expect("two at once, as there are two turns");
    drop(turns);
    let hashes = hashing.await.unwrap();
    assert_eq!(hashes.len(), many.len());
    for (password, hash) in many.iter().zip(hashes) {
        assert_eq!(passwords.verify(password, &hash.unwrap()).await, Ok(true), "in their order: {password}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_are_hashed_together_than_may_wait() {
    let passwords = passwords(1);
    let hashes = passwords.hash_all(vec!["a".to_owned(); WAITING + 2]).await;
    assert!(hashes.len() == WAITING + 2 && hashes.iter().all(Result::is_ok), "{hashes:?}");
    assert_eq!(passwords.hash_all(Vec::new()).await, []);
}

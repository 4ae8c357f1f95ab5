//! How often passwords of links may be tried: guessing shall not be worth the while.

use std::time::Duration;

use hny_domain::LinkId;

use crate::limit::TooMany;
use crate::{Client, Place, Places};

/// Attempts at passwords: by each client, at whatever links, and at each link, by whatever clients. Only those that fail count.
#[derive(Debug)]
pub struct Attempts {
    /// `None` is any number.
    by_client: Option<Places<Client>>,
    /// `None` is any number.
    at_link: Option<Places<LinkId>>,
}

/// An attempt that is under way. It counts as failed unless it is given back.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    who: (Client, LinkId),
    by_client: Option<Place>,
    at_link: Option<Place>,
}

impl Attempts {
    /// Nobody has tried anything yet.
    pub fn new(by_client: Option<Places<Client>>, at_link: Option<Places<LinkId>>) -> Self {
        Self { by_client, at_link }
    }

    /// Begins an attempt at `now`, before anything is hashed.
    pub async fn begin(&self, client: Client, link: LinkId, now: Duration) -> Result<Attempt, TooMany> {
        let by_client = match &self.by_client {
            Some(places) => Some(places.take(client, now).await?),
            None => None,
        };
        let who = (client, link);
        let Some(places) = &self.at_link else { return Ok(Attempt { who, by_client, at_link: None }) };
        match places.take(link, now).await {
            Ok(place) => Ok(Attempt { who, by_client, at_link: Some(place) }),
            Err(refused) => {
                // It was none: the link takes no more, from nobody.
                self.give_back(Attempt { who, by_client, at_link: None }, now).await;
                Err(refused)
            }
        }
    }

    /// It did not fail, or not because of what was tried.
    pub async fn give_back(&self, attempt: Attempt, now: Duration) {
        let (client, link) = attempt.who;
        if let (Some(places), Some(place)) = (&self.by_client, attempt.by_client) {
            places.give_back(client, place, now).await;
        }
        if let (Some(places), Some(place)) = (&self.at_link, attempt.at_link) {
            places.give_back(link, place, now).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::Limit;

    const NOW: Duration = Duration::from_hours(1);

    fn attempts(by_client: u32, at_link: u32) -> Attempts {
        let limit = |count| Limit { count, window: Duration::from_mins(1) };
        Attempts::new(Some(Places::new("a", limit(by_client))), Some(Places::new("b", limit(at_link))))
    }

    async fn tries(attempts: &Attempts, client: u32, link: i64) -> bool {
        attempts.begin(Client::of(Ipv4Addr::from(client).into()), LinkId(link), NOW).await.is_ok()
    }

    #[tokio::test]
    async fn a_client_has_so_many_at_all_links() {
        let attempts = attempts(3, 100);
        for link in 0..3 {
            assert!(tries(&attempts, 1, link).await);
        }
        assert!(!tries(&attempts, 1, 4).await);
        assert!(tries(&attempts, 2, 4).await, "another client");
    }

    #[tokio::test]
    async fn a_link_has_so_many_from_all_clients() {
        let attempts = attempts(3, 5);
        for client in 0..5 {
            assert!(tries(&attempts, client, 1).await);
        }
        for client in 5..10 {
            assert!(!tries(&attempts, client, 1).await);
            // Who was refused by the link has used up nothing of its own.
            assert!(tries(&attempts, client, i64::from(client)).await, "another link");
        }
    }

    #[tokio::test]
    async fn what_succeeds_does_not_count() {
        let attempts = attempts(1, 1);
        let client = Client::of(Ipv4Addr::LOCALHOST.into());
        for _ in 0..10 {
            let attempt = attempts.begin(client, LinkId(1), NOW).await.unwrap();
            attempts.give_back(attempt, NOW).await;
        }
        assert!(tries(&attempts, 1, 2).await && !tries(&attempts, 1, 3).await);
    }

    #[tokio::test]
    async fn without_limits_nothing_is_counted() {
        let attempts = Attempts::new(None, None);
        for _ in 0..100 {
            assert!(tries(&attempts, 1, 1).await);
        }
    }
}

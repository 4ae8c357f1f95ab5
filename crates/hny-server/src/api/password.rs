//! Passwords of links on their way in: hashed here, because neither the service nor the store is to see one.

use hny_domain::{Caller, Code, DomainId, PasswordHash, password};
use hny_service::Wish;

use crate::app::Parts;
use crate::problem::Failure;

/// A wish with the hash of the password that was sent. The wish was checked: this password can be one.
pub(super) async fn hashed(app: &Parts, wish: Wish, password: Option<&str>) -> Result<Wish, Failure> {
    let Some(password) = password else { return Ok(wish) };
    Ok(wish.with_password(app.guard.passwords.hash(password).await?))
}

/// Wishes with the hashes of the passwords that were sent, by their numbers. They were checked: nobody has us hash a password for
/// a link that cannot be.
pub(super) async fn all_hashed(
    app: &Parts,
    wishes: Vec<(usize, Wish, Option<String>)>,
) -> Vec<(usize, Result<Wish, Failure>)> {
    let passwords = wishes.iter().filter_map(|(.., password)| password.clone()).collect();
    let mut hashes = app.guard.passwords.hash_all(passwords).await.into_iter();
    let with_hash = |(number, wish, password): (usize, Wish, Option<String>)| {
        let wish = match password.and_then(|_| hashes.next()) {
            Some(hash) => hash.map(|hash| wish.with_password(hash)).map_err(Failure::from),
            None => Ok(wish),
        };
        (number, wish)
    };
    wishes.into_iter().map(with_hash).collect()
}

/// The hash of a new password for a link, if the caller may change it: nobody else makes us work. What cannot be a password has
/// none, and is refused with whatever else is wrong.
pub(super) async fn hashed_for(
    app: &Parts,
    (caller, place): (Caller, (DomainId, &Code)),
    text: Option<&str>,
) -> Result<Option<PasswordHash>, Failure> {
    let Some(text) = text.filter(|text| password::check(text).is_ok()) else { return Ok(None) };
    app.links.find_to_change(caller, place).await?;
    Ok(Some(app.guard.passwords.hash(text).await?))
}

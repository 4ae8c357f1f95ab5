//! What is said of `/api/v1/keys`.

use hny_wire::{KeyList, KeyView, NewKey, NewKeyView, ProblemKind};
use utoipa::openapi::path::HttpMethod::{Delete, Get, Post};

use super::answers::Schemas;
use super::call::Call;
use super::{answers, parameters};

const ONE: &str = "/api/v1/keys/{id}";

pub(super) fn calls() -> Vec<Call> {
    vec![
        Call::new(Post, "/api/v1/keys", "createKey", "Make an API key")
            .about("The answer has the key itself, this once. It may do no more than the key that makes it.")
            .needs_key()
            .query([])
            .takes::<NewKey>(super::JSON)
            .answers::<NewKeyView>(201, "The new key.", &["Location"])
            .can_fail([ProblemKind::NotAllowed]),
        Call::new(Get, "/api/v1/keys", "listKeys", "List API keys")
            .about("Those that the key may see: all for an admin, else itself. Revoked ones, too.")
            .needs_key()
            .query([])
            .answers::<KeyList>(200, "The keys.", &[]),
        Call::new(Get, ONE, "readKey", "Read an API key")
            .about("Every key may ask for itself.")
            .needs_key()
            .of(parameters::id("The id of the key."), ProblemKind::KeyNotFound)
            .answers::<KeyView>(200, "The key, without its secret.", &[]),
        Call::new(Delete, ONE, "revokeKey", "Revoke an API key")
            .about("It opens nothing any more, within a second on every node, and stays in the list.")
            .needs_key()
            .of(parameters::id("The id of the key."), ProblemKind::KeyNotFound)
            .answers_with(204, answers::nothing(), Schemas::new())
            .can_fail([ProblemKind::NotAllowed, ProblemKind::LastAdminKey]),
    ]
}

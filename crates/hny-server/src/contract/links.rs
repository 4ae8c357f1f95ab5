//! What is said of `/api/v1/links`, and of `/api/shorten`.

use hny_wire::{Bulk, BulkView, LinkPage, LinkPatch, LinkView, NewLink, NewToken, ProblemKind, Shortened, TokenView};
use utoipa::openapi::path::HttpMethod::{Delete, Get, Patch, Post};

use super::answers::Schemas;
use super::call::Call;
use super::{answers, parameters};

/// A merge patch under its own name, too.
const MERGE_PATCH: &[&str] = &["application/json", "application/merge-patch+json"];

const ONE: &str = "/api/v1/links/{code}";

const SHORTEN: &str = "The short way to a short URL. Anyone may do this where the operator has not restricted it, so many times a minute; \
    the fields beyond `originalUrl`, `customCode`, `expiresAt`, `redirectStatus` and `title` need a key. `url` is read as `originalUrl`.";

pub(super) fn calls() -> Vec<Call> {
    vec![
        shorten("/api/shorten", "shorten"),
        shorten("/shorten", "shortenShortly"),
        creates(Call::new(Post, "/api/v1/links", "createLink", "Make a link"))
            .about("As `/api/shorten`, and the answer is the whole link.")
            .answers::<LinkView>(201, "The new link.", &["ETag", "Location"])
            .answers::<LinkView>(200, "A link to this target that the caller has already.", &["ETag"]),
        Call::new(Get, "/api/v1/links", "listLinks", "List links")
            .about("Those that the key sees, with all that is asked for. Stable while links come and go: none twice, none left out.")
            .needs_key()
            .query(parameters::list())
            .answers::<LinkPage>(200, "A page.", &[]),
        Call::new(Post, "/api/v1/links/bulk", "makeOrDeleteLinks", "Make or delete many links")
            .about("Up to 1,000 at once, either to be made or to be deleted. Each has a result of its own, in their order.")
            .needs_key()
            .query([])
            .takes::<Bulk>(super::JSON)
            .once()
            .answers::<BulkView>(200, "What became of each.", &[])
            .can_fail([ProblemKind::NotAllowed]),
        Call::new(Get, ONE, "readLink", "Read a link").needs_key().of_link().query([]).answers::<LinkView>(200, "The link.", &["ETag"]),
        Call::new(Patch, ONE, "changeLink", "Change a link")
            .about("A merge patch (RFC 7396): `null` clears a field, an absent one stays as it is.")
            .needs_key()
            .of_link()
            .query([])
            .takes::<LinkPatch>(MERGE_PATCH)
            .if_match()
            .can_fail([ProblemKind::NotAllowed, ProblemKind::CodeTaken])
            .answers::<LinkView>(200, "The link as it is now.", &["ETag"]),
        Call::new(Delete, ONE, "deleteLink", "Delete a link")
            .about("A drawn code is never given again; a chosen one is free again for its owner and for admins.")
            .needs_key()
            .of_link()
            .query([])
            .if_match()
            .answers_with(204, answers::nothing(), Schemas::new())
            .can_fail([ProblemKind::NotAllowed]),
        Call::new(
            Post,
            "/api/v1/links/{code}/tokens",
            "createToken",
            "Make a URL that opens a link without its password",
        )
        .about("It is a secret, shown this once, and ends by itself; a new password ends it at once.")
        .needs_key()
        .of_link()
        .query([])
        .takes::<NewToken>(super::JSON)
        .answers::<TokenView>(201, "The URL.", &[])
        .can_fail([ProblemKind::NotAllowed, ProblemKind::NoPassword]),
    ]
}

fn shorten(path: &'static str, id: &str) -> Call {
    creates(Call::new(Post, path, id, "Shorten a URL"))
        .about(SHORTEN)
        .answers::<Shortened>(201, "The new link.", &["Location"])
        .answers::<Shortened>(200, "A link to this target that the caller has already.", &[])
}

fn creates(call: Call) -> Call {
    call.with_or_without_key().query([]).takes::<NewLink>(super::JSON).once().can_fail([
        ProblemKind::NotAllowed,
        ProblemKind::CodeTaken,
        ProblemKind::TooManyRequests,
    ])
}

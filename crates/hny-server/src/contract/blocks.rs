//! What is said of `/api/v1/blocks`.

use hny_wire::{BlockChangePage, BlockPage, BlockView, NewBlock, ProblemKind};
use utoipa::openapi::path::HttpMethod::{Delete, Get, Post};

use super::answers::Schemas;
use super::call::Call;
use super::{answers, parameters};
use crate::api::blocks::pages::{MOST, USUAL};

const ALL: &str = "/api/v1/blocks";

pub(super) fn calls() -> Vec<Call> {
    vec![
        Call::new(Get, ALL, "listBlocks", "List what links may not lead to")
            .about("The rules of the database, by their text; those of files are not among them.")
            .needs_key()
            .query(parameters::page(MOST, USUAL))
            .answers::<BlockPage>(200, "The rules.", &[])
            .can_fail([ProblemKind::NotAllowed]),
        Call::new(Post, ALL, "addBlock", "Block a domain or a URL")
            .about("For links that are there, too, within a second on every node.")
            .needs_key()
            .query([])
            .takes::<NewBlock>(super::JSON)
            .answers::<BlockView>(201, "The new rule.", &[])
            .answers::<BlockView>(200, "The rule, which was there before.", &[])
            .can_fail([ProblemKind::NotAllowed]),
        Call::new(Delete, ALL, "removeBlock", "Block a domain or a URL no more")
            .needs_key()
            .query([parameters::rule()])
            .answers_with(204, answers::nothing(), Schemas::new())
            .can_fail([ProblemKind::NotAllowed, ProblemKind::NotFound]),
        Call::new(Get, "/api/v1/blocks/changes", "listBlockChanges", "Who blocked what, and when")
            .about("Additions and removals, the oldest first.")
            .needs_key()
            .query(parameters::page(MOST, USUAL))
            .answers::<BlockChangePage>(200, "The changes.", &[])
            .can_fail([ProblemKind::NotAllowed]),
    ]
}

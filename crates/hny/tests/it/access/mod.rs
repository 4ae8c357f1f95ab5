//! Who may do what, see what, and what nobody may learn.

pub(crate) mod callers;
mod links;
mod lists;
mod maker;
mod matrix;
mod nodes;
mod places;
mod statistics;

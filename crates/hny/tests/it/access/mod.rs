//! Who may do what, see what, and what nobody may learn.

pub(crate) mod callers;
mod matrix;
mod nodes;
mod places;
mod statistics;

#![doc = include_str!("../README.md")]

pub mod abuse_view;
pub mod block_view;
pub mod bulk;
pub mod click_view;
pub mod csv;
pub mod facets;
pub mod key_view;
pub mod link_patch;
pub mod link_view;
pub mod new_key;
pub mod new_link;
pub mod problem;
pub mod read;
pub mod secret;
pub mod shortened;
pub mod stats;
pub mod token;
mod whole;

pub use abuse_view::{AbuseView, AbuseViews};
pub use block_view::{BlockChangePage, BlockChangeView, BlockPage, BlockView, NewBlock};
pub use bulk::{Bulk, BulkView};
pub use click_view::{ClickPage, ClickView};
pub use key_view::{KeyList, KeyView, NewKeyView};
pub use link_patch::LinkPatch;
pub use link_view::{LinkPage, LinkView};
pub use new_key::NewKey;
pub use new_link::NewLink;
pub use problem::{Problem, ProblemKind};
pub use read::{ReadError, read};
pub use secret::Secret;
pub use shortened::Shortened;
pub use stats::Stats;
pub use token::{NewToken, TokenView};

//! `hny resolve`.

use clap::Args;

/// What `hny resolve` takes.
#[derive(Debug, PartialEq, Eq, Args)]
pub struct ResolveArgs {
    /// A code, or a whole short URL
    pub code: String,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

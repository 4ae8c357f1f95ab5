//! `hny key`.

use clap::Subcommand;
use hny_domain::Role;

/// What `hny key` does.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub enum KeyCommand {
    /// Make an API key and show it, this once
    Create {
        /// What to call it in lists
        #[arg(long)]
        name: String,
        /// What it may do: admin
        #[arg(long)]
        role: Role,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// List the API keys
    List {
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
    /// Make an API key useless, at once and for good
    Revoke {
        /// The number of the key, as 'hny key list' shows it
        id: i64,
        /// Answer in JSON
        #[arg(long)]
        json: bool,
    },
}

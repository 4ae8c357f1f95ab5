//! `hny shorten`.

use clap::Args;

/// What `hny shorten` takes. The texts are checked by the same rules as the fields of the API.
#[derive(Debug, PartialEq, Eq, Args)]
pub struct ShortenArgs {
    /// The URL to shorten, with its https:// or http://
    pub url: String,
    /// The code to use instead of a generated one
    #[arg(long)]
    pub code: Option<String>,
    /// When the link stops working, such as 2030-01-01T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub expires_at: Option<String>,
    /// A line for yourself
    #[arg(long)]
    pub title: Option<String>,
    /// 301, 302, 307 or 308, for this link only
    #[arg(long, value_name = "STATUS")]
    pub redirect_status: Option<i64>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

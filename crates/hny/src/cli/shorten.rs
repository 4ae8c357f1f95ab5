//! `hny shorten`.

use std::fmt;

use clap::Args;
use hny_domain::{Caller, DraftInput};
use hny_wire::Shortened;
use serde::Serialize;

use super::failure::Failure;
use crate::compose::Verbs;
use crate::exit::Exit;
use crate::printer::Printer;

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
    /// The domain to make it on, one of the settings
    #[arg(long)]
    pub domain: Option<String>,
    /// How often it may be followed
    #[arg(long, value_name = "N")]
    pub max_clicks: Option<i64>,
    /// Where visitors go when it is expired or used up
    #[arg(long, value_name = "URL")]
    pub expired_url: Option<String>,
    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

/// What `hny shorten` answers: the short URL for people, everything for machines.
#[derive(Serialize)]
#[serde(transparent)]
struct Answer(Shortened);

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.short_url)
    }
}

/// Makes a link and prints its short URL.
pub(super) async fn run(args: &ShortenArgs, verbs: &Verbs) -> Result<Exit, Failure> {
    let input = DraftInput {
        original_url: Some(&args.url),
        custom_code: args.code.as_deref(),
        expires_at: args.expires_at.as_deref(),
        title: args.title.as_deref(),
        redirect_status: args.redirect_status,
        domain: args.domain.as_deref(),
        max_clicks: args.max_clicks,
        expired_url: args.expired_url.as_deref(),
        tags: Some(&args.tags),
        ..DraftInput::default()
    };
    let created = verbs.links.create(Caller::Operator, input).await?;
    let link = &created.link;
    let shortened = Shortened::of(link, verbs.domains.base_of(link.domain));
    Printer::of_json_flag(args.json).data(&Answer(shortened))?;
    Ok(Exit::Done)
}

//! `hny resolve`.

use std::fmt;

use clap::Args;
use hny_domain::{BaseUrl, Caller, Code, LinkState};
use hny_wire::LinkView;
use serde::Serialize;

use super::failure::Failure;
use crate::compose::Verbs;
use crate::exit::Exit;
use crate::printer::{Printer, say};

/// What `hny resolve` takes.
#[derive(Debug, PartialEq, Eq, Args)]
pub struct ResolveArgs {
    /// A code, or a whole short URL
    pub code: String,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

/// What `hny resolve` answers: the target for people, everything for machines.
#[derive(Serialize)]
#[serde(transparent)]
struct Answer(LinkView);

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.original_url)
    }
}

/// Prints where a code leads. A link that does not redirect now is shown too, with a word of warning and exit code 1.
pub(super) async fn run(args: &ResolveArgs, verbs: &Verbs) -> Result<Exit, Failure> {
    let Some(code) = code_of(&args.code, &verbs.base) else {
        return Ok(say_what_a_code_is(&verbs.base));
    };
    let link = verbs.links.find(Caller::Operator, &code).await?;
    let now = verbs.clock.now();
    Printer::of_json_flag(args.json).data(&Answer(LinkView::of(&link, &verbs.base, now)))?;
    match link.state(now) {
        LinkState::Active => Ok(Exit::Done),
        state => {
            say(format_args!("this link does not redirect: it is {state}"));
            Ok(Exit::Failed)
        }
    }
}

/// For whoever named no code of ours.
pub(super) fn say_what_a_code_is(base: &BaseUrl) -> Exit {
    say(format_args!("this is neither a code nor a short URL that starts with {}/", base.as_str()));
    Exit::Failed
}

/// The code in a code, or in a short URL of ours as a person would paste it.
pub(super) fn code_of(text: &str, base: &BaseUrl) -> Option<Code> {
    let behind_base = text.strip_prefix(base.as_str()).and_then(|rest| rest.strip_prefix('/'));
    let without_tail = behind_base.map(|rest| rest.split(['?', '#']).next().unwrap_or(rest).trim_end_matches('/'));
    Code::parse(without_tail.unwrap_or(text)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_url_is_as_good_as_its_code() {
        let base = BaseUrl::parse("https://sho.example/s").unwrap();
        for text in
            ["abc", "https://sho.example/s/abc", "https://sho.example/s/abc/", "https://sho.example/s/abc?x=1#y"]
        {
            assert_eq!(code_of(text, &base).unwrap().as_str(), "abc", "{text}");
        }
        for text in ["", "https://other.example/abc", "https://sho.example/s", "https://sho.example/s/a/b", "a.b"] {
            assert_eq!(code_of(text, &base), None, "{text}");
        }
    }
}

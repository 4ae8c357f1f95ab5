//! `hny resolve`.

use std::fmt;

use clap::Args;
use hny_domain::{Caller, Code, DomainId, Domains, LinkState};
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
    let Some((domain, code)) = place_of(&args.code, &verbs.domains) else {
        return Ok(say_what_a_code_is(&verbs.domains));
    };
    let link = verbs.links.find(Caller::Operator, (domain, &code)).await?;
    let now = verbs.clock.now();
    Printer::of_json_flag(args.json).data(&Answer(LinkView::of(&link, verbs.domains.base_of(link.domain), now)))?;
    match link.state(now) {
        LinkState::Active => Ok(Exit::Done),
        state => {
            say(format_args!("this link does not redirect: it is {state}"));
            Ok(Exit::Failed)
        }
    }
}

/// For whoever named no code of ours.
pub(super) fn say_what_a_code_is(domains: &Domains) -> Exit {
    let starts: Vec<_> = domains.all().map(|(_, base)| format!("{}/", base.as_str())).collect();
    say(format_args!("this is neither a code nor a short URL that starts with {}", starts.join(" or ")));
    Exit::Failed
}

/// Where a link lives, by its code, which is one of the first domain, or by a short URL of ours as a person would paste it.
pub(super) fn place_of(text: &str, domains: &Domains) -> Option<(DomainId, Code)> {
    for (domain, base) in domains.all() {
        let Some(rest) = text.strip_prefix(base.as_str()).and_then(|rest| rest.strip_prefix('/')) else { continue };
        let code = rest.split(['?', '#']).next().unwrap_or(rest).trim_end_matches('/');
        return Some((domain, Code::parse(code).ok()?));
    }
    Some((DomainId::BASE, Code::parse(text).ok()?))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hny_domain::BaseUrl;

    use super::*;

    #[test]
    fn a_short_url_is_as_good_as_its_code() {
        let base = Arc::new(BaseUrl::parse("https://sho.example/s").unwrap());
        let domains = Domains::new(base, [(DomainId(4), "go.example".parse().unwrap())]).unwrap();
        let place = |text: &str| place_of(text, &domains).map(|(domain, code)| (domain.0, code.to_string()));
        for (text, domain) in [
            ("abc", 0),
            ("https://sho.example/s/abc", 0),
            ("https://sho.example/s/abc/", 0),
            ("https://sho.example/s/abc?x=1#y", 0),
            ("https://go.example/s/abc", 4),
        ] {
            assert_eq!(place(text), Some((domain, "abc".to_owned())), "{text}");
        }
        for text in [
            "",
            "https://other.example/abc",
            "https://sho.example/s",
            "https://sho.example/s/a/b",
            "https://go.example/abc",
            "a.b",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}

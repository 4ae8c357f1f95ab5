//! A token in the query of a visit.

use std::borrow::Cow;

use hny_domain::{Code, DomainId, Lead, VisitKind};
use hny_guard::Token;
use hny_service::Error;

use crate::app::Parts;

/// The parameter that holds a token. No target is told of it.
const NAME: &str = "hny_token";

/// A short URL that opens its link by this token.
pub(crate) fn with_token(short_url: &str, token: &Token) -> String {
    format!("{short_url}?{NAME}={}", token.write())
}

/// Whether a token may be in a query. Whoever has none pays for nothing but this.
pub(super) fn may_be_in(query: Option<&str>) -> bool {
    query.is_some_and(|query| query.contains(NAME))
}

/// The token in the query of a visit, and the query without it.
pub(super) fn take_out(query: Option<&str>) -> (Option<Token>, Option<Cow<'_, str>>) {
    query.map_or((None, None), |query| {
        let (token, rest) = split(query);
        (token, Some(rest))
    })
}

/// Whether a visit by this token is let through. The password that it stands for is asked for anew each time, so a token ends with
/// it. A robot is never let through: it would show to all who read with it where the link leads.
pub(super) async fn opens(
    app: &Parts,
    (place, lead): ((DomainId, &Code), Lead<'_>),
    kind: VisitKind,
    token: Option<&Token>,
) -> Result<bool, Error> {
    let Some(token) = token.filter(|_| kind != VisitKind::Robot) else { return Ok(false) };
    let link = app.links.find_for_visit(place).await?;
    let password = link.filter(|link| link.id == lead.link).and_then(|link| link.password);
    Ok(password.is_some_and(|password| token.opens(lead.link, &password, app.clock.now())))
}

/// The first token in a query, and the query without any, its other bytes untouched.
fn split(query: &str) -> (Option<Token>, Cow<'_, str>) {
    if !may_be_in(Some(query)) {
        return (None, Cow::Borrowed(query));
    }
    let value = |part: &str| part.strip_prefix(NAME)?.strip_prefix('=').map(Token::read);
    let token = query.split('&').find_map(value).flatten();
    let is_other = |part: &&str| part.split('=').next() != Some(NAME);
    let rest: Vec<_> = query.split('&').filter(is_other).collect();
    (token, Cow::Owned(rest.join("&")))
}

#[cfg(test)]
mod tests {
    use hny_domain::{LinkId, PasswordHash, Timestamp};

    use super::*;

    #[test]
    fn a_token_is_found_and_nothing_else_is_touched() {
        let token = Token::sign(LinkId(1), &PasswordHash::new("$"), Timestamp::from_millis(1));
        let text = token.write();
        for (query, rest) in [
            (format!("hny_token={text}"), ""),
            (format!("a=1&hny_token={text}"), "a=1"),
            (format!("hny_token={text}&a=%20+&&b"), "a=%20+&&b"),
            (format!("a&hny_token={text}&b&hny_token=x"), "a&b"),
        ] {
            assert_eq!(split(&query), (Some(token), Cow::Borrowed(rest)), "{query}");
        }
        for (query, rest) in [
            ("", ""),
            ("a=hny_token", "a=hny_token"),
            ("hny_tokens=1", "hny_tokens=1"),
            ("hny_token", ""),
            ("hny_token=1&a", "a"),
        ] {
            assert_eq!(split(query), (None, Cow::Borrowed(rest)), "{query}");
        }
        assert!(with_token("https://hny.example/a", &token).starts_with("https://hny.example/a?hny_token="));
    }
}

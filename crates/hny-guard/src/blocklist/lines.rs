//! Lines of blocklists in the formats that are about: hosts files, plain domains, plain URLs, rules of ad blockers, and CSV.

use std::net::IpAddr;

use super::rule::{BlockRule, RuleError};

/// Where in a line of CSV the rule stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Column {
    /// By the name in the line of names.
    Named(String),
    /// By its place, from 0 on.
    At(usize),
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Rules: one, or several names behind an address in a hosts file.
    Rules(Vec<BlockRule>),
    /// Nothing: a comment, the line of names, or what hosts files say of the machine itself.
    Nothing,
    /// Something that cannot be used.
    Broken(RuleError),
}

/// Names that hosts files have for the machine itself.
const MACHINE: &[&str] = &["localhost", "localhost.localdomain", "local", "broadcasthost", "0.0.0.0"];

/// Reads a line that is not CSV. A byte order mark before the first one does not count.
pub(super) fn plain(line: &str) -> Line {
    let line = uncommented(line.trim_start_matches('\u{feff}').trim());
    if line.is_empty() {
        return Line::Nothing;
    }
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some(address), Some(_)) if address.parse::<IpAddr>().is_ok() => {
            let names = line.split_whitespace().skip(1).filter(|name| !is_machine(name));
            of_results(names.map(BlockRule::parse))
        }
        (Some(word), None) => of_results([BlockRule::parse(without_marks(word))]),
        _ => Line::Broken(RuleError::NoHost),
    }
}

/// Reads a line of CSV. Where the column has a name, the line of names is found by it (it may be a comment) and sets the place.
pub(super) fn csv(line: &str, column: &Column, place: &mut Option<usize>) -> Line {
    let line = line.trim_start_matches('\u{feff}').trim();
    if let (Column::Named(name), None) = (column, &place) {
        let names = fields(line.trim_start_matches('#').trim());
        *place = names.iter().position(|field| field.trim().eq_ignore_ascii_case(name));
        return if place.is_some() || line.is_empty() || line.starts_with('#') {
            Line::Nothing
        } else {
            Line::Broken(RuleError::NoHost)
        };
    }
    if line.is_empty() || line.starts_with('#') {
        return Line::Nothing;
    }
    let place = if let Column::At(place) = column { Some(*place) } else { *place };
    let field = place.and_then(|place| fields(line).into_iter().nth(place)).unwrap_or_default();
    of_results([BlockRule::parse(&field)])
}

/// All or nothing: one name that is none makes the line a broken one.
fn of_results(rules: impl IntoIterator<Item = Result<BlockRule, RuleError>>) -> Line {
    match rules.into_iter().collect::<Result<Vec<_>, _>>() {
        Ok(rules) if rules.is_empty() => Line::Nothing,
        Ok(rules) => Line::Rules(rules),
        Err(error) => Line::Broken(error),
    }
}

/// Without a comment: a whole line, or what stands behind a blank and a `#`, which a URL may have in it.
fn uncommented(line: &str) -> &str {
    if line.starts_with(['#', '!', ';']) {
        return "";
    }
    let comment = line.match_indices('#').find(|(at, _)| line[..*at].ends_with(char::is_whitespace));
    comment.map_or(line, |(at, _)| line[..at].trim_end())
}

/// The domain in `||domain^`.
fn without_marks(word: &str) -> &str {
    word.strip_prefix("||").map_or(word, |rest| rest.strip_suffix('^').unwrap_or(rest))
}

fn is_machine(name: &str) -> bool {
    MACHINE.contains(&name) || name.starts_with("ip6-")
}

/// The fields of a line of CSV (RFC 4180), quoted or not.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let Some(field) = fields.last_mut() else { break };
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if is_quoted || field.is_empty() => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => field.push(character),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: Line) -> Vec<String> {
        let Line::Rules(rules) = line else { panic!("{line:?}") };
        rules.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_usual_formats_are_read() {
        for (line, expected) in [
            ("evil.example", "evil.example"),
            ("  EVIL.example.  # a comment", "evil.example"),
            ("\u{feff}evil.example", "evil.example"),
            ("0.0.0.0 evil.example", "evil.example"),
            ("127.0.0.1\tevil.example # from somewhere", "evil.example"),
            (":: evil.example", "evil.example"),
            ("||evil.example^", "evil.example"),
            ("*.evil.example", "evil.example"),
            ("http://evil.example/a#b", "evil.example/a"),
            ("evil.example/a/", "evil.example/a/"),
            ("192.0.2.1", "192.0.2.1"),
        ] {
            assert_eq!(texts(plain(line)), [expected], "{line}");
        }
        assert_eq!(texts(plain("0.0.0.0 a.example b.example localhost")), ["a.example", "b.example"]);
    }

    #[test]
    fn comments_and_the_machine_itself_are_nothing() {
        for line in [
            "",
            "   ",
            "# evil.example",
            "! title",
            "; a",
            "127.0.0.1 localhost",
            "::1 ip6-localhost ip6-loopback",
            "0.0.0.0 0.0.0.0",
        ] {
            assert_eq!(plain(line), Line::Nothing, "{line:?}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_broken() {
        for line in ["two words", "0.0.0.0 a.example co.uk", "com", "github.io", "<html>", "evil_example", "http://"] {
            assert!(matches!(plain(line), Line::Broken(_)), "{line:?}");
        }
    }

    #[test]
    fn a_column_of_csv_is_read() {
        let read = |lines: &[&str], column: &Column| {
            let mut place = None;
            lines
                .iter()
                .map(|line| csv(line, column, &mut place))
                .filter(|line| *line != Line::Nothing)
                .collect::<Vec<_>>()
        };
        let urls = Column::Named("url".into());
        let of_urlhaus = [
            "# about",
            "# id,dateadded,url,url_status",
            "",
            "\"1\",\"2026-01-01\",\"http://evil.example/a,b\",\"online\"",
        ];
        let of_phishtank = ["phish_id,url,detail", "7,https://evil.example/\"a\",x"];
        assert_eq!(read(&of_urlhaus, &urls), [Line::Rules(vec![BlockRule::Url("evil.example/a,b".into())])]);
        assert_eq!(read(&of_phishtank, &urls), [Line::Rules(vec![BlockRule::Url("evil.example/\"a\"".into())])]);
        assert_eq!(
            read(&["1,evil.example", "2"], &Column::At(1)),
            [Line::Rules(vec![BlockRule::Domain("evil.example".into())]), Line::Broken(RuleError::NoHost)]
        );
        assert_eq!(read(&["a,b", "1,2"], &urls).len(), 2, "no such column");
        assert_eq!(fields("a,\"b \"\"c\"\", d\",,e\"f"), ["a", "b \"c\", d", "", "e\"f"]);
    }
}

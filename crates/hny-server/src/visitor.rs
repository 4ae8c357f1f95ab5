//! Who visits, as the fields of a request say it.

mod robots;

use hny_clicks::VisitorFields;
use hny_domain::VisitKind;
use http::HeaderMap;

pub(crate) use robots::prepare;

/// Fields in which a browser, or what runs in one, says that nobody has followed the link yet: `Sec-Purpose` (the Fetch standard), and what
/// was sent before there was a standard.
const PURPOSES: &[&str] = &["sec-purpose", "purpose", "x-purpose", "x-moz"];

/// How their values begin then. `Sec-Purpose` has parameters, as in `prefetch;prerender`.
const AHEAD_OF_TIME: &[&[u8]] = &[b"prefetch", b"preview", b"instant"];

/// Who visits, as the fields of the request say it. Of a field that is there twice the first counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Visitor<'a> {
    /// What is kept of it, in some form.
    pub(crate) fields: VisitorFields<'a>,
    is_ahead_of_time: bool,
}

/// The same, for longer than the request is there.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptVisitor {
    /// The agent, the referrer and the languages, one behind the other.
    text: Box<[u8]>,
    ends: [usize; 2],
    is_ahead_of_time: bool,
}

impl<'a> Visitor<'a> {
    /// As hyper has read the fields.
    pub(crate) fn of(headers: &'a HeaderMap) -> Self {
        let mut visitor = Self::default();
        for (name, value) in headers {
            visitor.read(name.as_str(), value.as_bytes());
        }
        visitor
    }

    /// Reads a field, which may be any.
    pub(crate) fn read(&mut self, name: &str, value: &'a [u8]) {
        // Lengths first: nearly all fields are none of these.
        match name.len() {
            7 if name.eq_ignore_ascii_case("referer") => set(&mut self.fields.referrer, value),
            10 if name.eq_ignore_ascii_case("user-agent") => set(&mut self.fields.agent, value),
            15 if name.eq_ignore_ascii_case("accept-language") => set(&mut self.fields.languages, value),
            5 | 7 | 9 | 11 if PURPOSES.iter().any(|purpose| name.eq_ignore_ascii_case(purpose)) => {
                self.is_ahead_of_time |= is_ahead_of_time(value);
            }
            _ => {}
        }
    }

    /// What kind of visit it is.
    pub(crate) fn kind(self, is_head: bool) -> VisitKind {
        if is_head {
            VisitKind::Probe
        } else if self.is_ahead_of_time {
            VisitKind::Prefetch
        } else if robots::is_robot(self.fields.agent) {
            VisitKind::Robot
        } else {
            VisitKind::Person
        }
    }
}

impl KeptVisitor {
    pub(crate) fn new(Visitor { fields, is_ahead_of_time }: Visitor<'_>) -> Self {
        let VisitorFields { agent, referrer, languages } = fields;
        let text = [agent, referrer, languages].concat().into();
        Self { text, ends: [agent.len(), agent.len() + referrer.len()], is_ahead_of_time }
    }

    pub(crate) fn visitor(&self) -> Visitor<'_> {
        let [agent, referrer] = self.ends;
        let fields = VisitorFields {
            agent: &self.text[..agent],
            referrer: &self.text[agent..referrer],
            languages: &self.text[referrer..],
        };
        Visitor { fields, is_ahead_of_time: self.is_ahead_of_time }
    }
}

fn set<'a>(field: &mut &'a [u8], value: &'a [u8]) {
    if field.is_empty() {
        *field = value;
    }
}

fn is_ahead_of_time(value: &[u8]) -> bool {
    let value = value.trim_ascii_start();
    let begins = |word: &&[u8]| value.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    AHEAD_OF_TIME.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(fields: &[(&str, &'static str)]) -> VisitKind {
        let mut visitor = Visitor::default();
        for (name, value) in fields {
            visitor.read(name, value.as_bytes());
        }
        assert_eq!(KeptVisitor::new(visitor).visitor(), visitor);
        visitor.kind(false)
    }

    #[test]
    fn who_says_nothing_is_a_person() {
        assert_eq!(kind(&[]), VisitKind::Person);
        assert_eq!(kind(&[("User-Agent", ""), ("Accept", "prefetch"), ("purpos", "prefetch")]), VisitKind::Person);
    }

    #[test]
    fn what_is_loaded_ahead_of_time_is_a_prefetch() {
        for field in [
            ("Sec-Purpose", "prefetch"),
            ("sec-purpose", "prefetch;prerender"),
            ("Sec-Purpose", "prefetch;anonymous-client-ip"),
            ("Purpose", "prefetch"),
            ("PURPOSE", " Prefetch"),
            ("X-Purpose", "preview"),
            ("X-Purpose", "instant"),
            ("X-Moz", "prefetch"),
        ] {
            assert_eq!(kind(&[field]), VisitKind::Prefetch, "{field:?}");
        }
        for field in [("Sec-Purpose", "navigate"), ("Purpose", ""), ("X-Moz", "pre"), ("Sec-Fetch-Mode", "prefetch")] {
            assert_eq!(kind(&[field]), VisitKind::Person, "{field:?}");
        }
    }

    #[test]
    fn a_robot_is_known_by_its_agent_and_a_head_is_a_probe() {
        let mut robot = Visitor::default();
        robot.read("user-agent", b"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)");
        assert_eq!((robot.kind(false), robot.kind(true)), (VisitKind::Robot, VisitKind::Probe));
        robot.read("purpose", b"prefetch");
        assert_eq!(robot.kind(false), VisitKind::Prefetch);
    }

    #[test]
    fn of_two_fields_the_first_counts_however_they_are_read() {
        let fields =
            [("user-agent", "a"), ("referer", "https://a.example/"), ("user-agent", "b"), ("accept-language", "de")];
        let (mut visitor, mut headers) = (Visitor::default(), HeaderMap::new());
        for (name, value) in fields {
            visitor.read(name, value.as_bytes());
            headers.append(name, http::HeaderValue::from_static(value));
        }
        let expected = VisitorFields { agent: b"a", referrer: b"https://a.example/", languages: b"de" };
        assert_eq!((visitor.fields, Visitor::of(&headers)), (expected, visitor));
    }
}

//! How a page is read: what is asked of the database, one step after the other, and what is made of the answers.
//!
//! By clicks there are two sorts of links: those that were followed, which an index has in their order, and the others, which come by
//! their ids. Of a tag with few links all are put in order instead.

use hny_domain::{KeyId, Link, LinkId, Order, Place, Tag};

use super::{LOOKED_AT, LinkPage, ListQuestion};
use crate::list_sql::{Among, Statements};

/// How many links are read at once, at most.
const AT_ONCE: usize = 1_000;

/// How far one looks for links that were never followed before it is said where the next page goes on: first as far as nearly always
/// is enough. (To look at their ids costs much less than to read links.)
const NEAR: usize = 1_000;
const FAR: usize = 50_000;

/// What is asked next.
#[derive(Debug)]
pub(crate) struct Step {
    /// The statement.
    pub(crate) sql: &'static str,
    /// What stands in its places.
    pub(crate) arguments: Vec<Argument>,
    /// What it answers.
    pub(crate) answer: Answer,
}

/// What stands in a place of a statement.
#[derive(Debug)]
pub(crate) enum Argument {
    /// A number, or NULL.
    Number(Option<i64>),
    /// A text.
    Text(String),
}

/// What is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Links with their clicks, which are last in each row; so many at most.
    Links(usize),
    /// A number, or no row.
    Number,
}

/// What is read of a list, in one order.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// All, by their ids.
    ById,
    /// Those with a tag, by their clicks; how many they are is not known yet.
    Tagged,
    /// By clicks. Among tagged ones all, else those that were followed.
    ByClicks(Among),
    /// Those that were never followed, by their ids.
    Unfollowed(Horizon),
}

/// How far one looks.
#[derive(Debug, Clone, Copy)]
enum Horizon {
    /// So many links; up to which is not known yet.
    Links(usize),
    /// Up to this link.
    Link(i64),
    /// To the end of the list.
    End,
}

/// A page while it is read.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    question: &'a ListQuestion,
    statements: &'static Statements,
    page: LinkPage,
    looked_at: usize,
    last: Option<Place>,
    /// What is to be read, the next at the end.
    parts: Vec<Part>,
    /// How far the next look at links that were never followed goes.
    horizon: usize,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(question: &'a ListQuestion, statements: &'static Statements) -> Self {
        let page = LinkPage { links: Vec::new(), next: None };
        let last = question.listing.after;
        let mut reading = Self { question, statements, page, looked_at: 0, last, parts: Vec::new(), horizon: NEAR };
        reading.parts = match (question.listing.order.by_clicks, &question.listing.filter.tag) {
            (false, _) => vec![Part::ById],
            (true, Some(_)) => vec![Part::Tagged],
            (true, None) => reading.by_clicks(),
        };
        reading
    }

    /// What is to be asked; `None` when the page is read.
    pub(crate) fn next(&self) -> Option<Step> {
        let among = Among::fewest(self.question);
        let order = self.question.listing.order;
        let statements = self.statements;
        Some(match *self.parts.last()? {
            Part::ById => self.links(statements.by_id.choose(among, order), among, self.ids(Horizon::End)),
            Part::Tagged => {
                let arguments = self.whose(Among::Tagged, false).chain([number(LOOKED_AT + 1)]).collect();
                Step { sql: statements.tag_size, arguments, answer: Answer::Number }
            }
            Part::ByClicks(among) => self.links(statements.by_clicks.choose(among, order), among, self.clicks()),
            Part::Unfollowed(Horizon::Links(count)) => {
                let (low, high) = self.ids(Horizon::End);
                let bounds = [Argument::Number(Some(low)), Argument::Number(Some(high)), number(count - 1)];
                let arguments = self.whose(among, among == Among::Owned).chain(bounds).collect();
                Step { sql: statements.horizon.choose(among, order), arguments, answer: Answer::Number }
            }
            Part::Unfollowed(horizon) => {
                self.links(statements.unfollowed.choose(among, order), among, self.ids(horizon))
            }
        })
    }

    /// Takes the number that was asked for.
    pub(crate) fn take_number(&mut self, number: Option<i64>) {
        match self.parts.pop() {
            Some(Part::Tagged) => {
                let size = number.and_then(|size| usize::try_from(size).ok()).unwrap_or_default();
                let are_few = size <= LOOKED_AT;
                self.parts = if are_few { vec![Part::ByClicks(Among::Tagged)] } else { self.by_clicks() };
            }
            Some(Part::Unfollowed(_)) => {
                self.parts.push(Part::Unfollowed(number.map_or(Horizon::End, Horizon::Link)));
            }
            other => self.parts.extend(other),
        }
    }

    /// Looks at the links that were asked for, each with its clicks. Fewer than `wanted` are all.
    pub(crate) fn take_links(&mut self, wanted: usize, links: Vec<(Link, i64)>) {
        let are_all = links.len() < wanted;
        for (link, clicks) in links {
            if !self.look_at(link, clicks) {
                self.parts.clear();
                return;
            }
        }
        if are_all {
            self.end_part();
        }
    }

    pub(crate) fn finish(self) -> LinkPage {
        self.page
    }

    /// The parts of a list by clicks, from where the page begins.
    fn by_clicks(&self) -> Vec<Part> {
        let followed = Part::ByClicks(Among::in_sight(self.question));
        let unfollowed = Part::Unfollowed(Horizon::Links(NEAR));
        let is_descending = self.question.listing.order.is_descending;
        match self.last.and_then(|last| last.clicks) {
            Some(0) if is_descending => vec![unfollowed],
            Some(1..) if !is_descending => vec![followed],
            _ if is_descending => vec![unfollowed, followed],
            _ => vec![followed, unfollowed],
        }
    }

    /// Looks at the next link. `false`: the page is at its end, and the link belongs to the next.
    fn look_at(&mut self, link: Link, clicks: i64) -> bool {
        let ListQuestion { sight, listing, now } = self.question;
        if self.page.links.len() == listing.limit || self.looked_at == LOOKED_AT {
            self.page.next = self.last;
            return false;
        }
        self.looked_at += 1;
        self.last = Some(Place { clicks: listing.order.by_clicks.then_some(clicks), link: link.id });
        if sight.includes(link.owner, link.domain) && listing.filter.admits(&link, *now) {
            self.page.links.push(link);
        }
        true
    }

    /// Goes on to what comes behind a part: what is beyond the horizon, or the next part. Who has looked far enough leaves that to the
    /// next page.
    fn end_part(&mut self) {
        let Some(Part::Unfollowed(Horizon::Link(link))) = self.parts.pop() else { return };
        self.last = Some(Place { clicks: Some(0), link: LinkId(link) });
        if self.horizon == FAR {
            self.page.next = self.last;
            self.parts.clear();
        } else {
            self.horizon = FAR;
            self.parts.push(Part::Unfollowed(Horizon::Links(FAR)));
        }
    }

    fn links(&self, sql: &'static str, among: Among, (first, second): (i64, i64)) -> Step {
        let wanted = self.wanted();
        let bounds = [Argument::Number(Some(first)), Argument::Number(Some(second)), number(wanted)];
        let arguments = self.whose(among, among != Among::All).chain(bounds).collect();
        Step { sql, arguments, answer: Answer::Links(wanted) }
    }

    /// The tag and the owner, as statements have them first.
    fn whose(&self, among: Among, has_owner: bool) -> impl Iterator<Item = Argument> {
        let tag = self.question.listing.filter.tag.as_ref().filter(|_| among == Among::Tagged);
        let owner = self.question.sight.owner.map(|KeyId(owner)| owner);
        let tag = tag.map(Tag::to_string).map(Argument::Text);
        tag.into_iter().chain(has_owner.then_some(Argument::Number(owner)))
    }

    /// How many links must be read to see the page to its end, and one more, if all of them are what is asked for. Else it is begun with
    /// some.
    fn wanted(&self) -> usize {
        let ListQuestion { sight, listing, .. } = self.question;
        let (missing, left) = (listing.limit - self.page.links.len(), LOOKED_AT - self.looked_at);
        let are_all_admitted = listing.filter.admits_all() && sight.domain.is_none();
        let likely = match self.looked_at {
            _ if are_all_admitted => missing,
            0 => missing * 4,
            _ => AT_ONCE,
        };
        1 + likely.min(left).min(AT_ONCE)
    }

    /// The ids between which the links are that come next.
    fn ids(&self, horizon: Horizon) -> (i64, i64) {
        let Order { by_clicks, is_descending } = self.question.listing.order;
        let (low, high) = self.question.listing.filter.ids();
        let (mut low, mut high) = (low.0, high.0);
        let last = self.last.filter(|last| !by_clicks || last.clicks == Some(0)).map(|last| last.link.0);
        // The link at the horizon is within it.
        let end = match horizon {
            Horizon::Link(link) if is_descending => Some(link.saturating_sub(1)),
            Horizon::Link(link) => Some(link.saturating_add(1)),
            Horizon::Links(_) | Horizon::End => None,
        };
        let (above, below) = if is_descending { (end, last) } else { (last, end) };
        low = above.map_or(low, |above| low.max(above));
        high = below.map_or(high, |below| high.min(below));
        (low, high)
    }

    /// The number of clicks and the id behind which the links are that come next.
    fn clicks(&self) -> (i64, i64) {
        let beginning = if self.question.listing.order.is_descending { i64::MAX } else { i64::MIN };
        let last = self.last.and_then(|Place { clicks, link }| Some((clicks?, link.0)));
        last.unwrap_or((beginning, beginning))
    }
}

fn number(number: usize) -> Argument {
    Argument::Number(Some(i64::try_from(number).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests;

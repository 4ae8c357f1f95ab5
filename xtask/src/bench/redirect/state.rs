//! What is measured: a server, and what is asked of it.

use crate::bench::server::Which;
use bench_visitors::{Draw, Traffic, links};
use clap::ValueEnum;

/// In what state a redirect is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum State {
    /// One link, again and again
    One,
    /// Any of all links, all of them in the cache
    Hot,
    /// As hot, with clicks discarded
    Uncounted,
    /// As hot, with a database that never takes a click: what recording alone costs
    Recorded,
    /// As recorded, with a spool that is full
    Full,
    /// Any of as many codes without a link, all of them in the cache
    Unknown,
    /// Any of all links, with a cache that is far too small
    Cold,
    /// Nine of ten from the cache, one from the database
    TenthCold,
    /// As hot, and one of a hundred requests makes a link
    Creates,
    /// As hot, on two server threads
    TwoThreads,
    /// As hot, over 2,000 connections
    Many,
    /// As hot, with a new connection for each request
    Fresh,
}

/// How the askers connect. Only what was asked in the same way is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// 64 connections that are kept.
    Kept,
    /// 2,000 connections that are kept.
    Many,
    /// 64 at once, each for one request.
    Fresh,
}

impl Shape {
    pub(super) fn connections(self) -> usize {
        match self {
            Self::Kept | Self::Fresh => 64,
            Self::Many => 2_000,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Kept => "",
            Self::Many => ", 2,000 connections",
            Self::Fresh => ", new connections",
        }
    }
}

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// `None` for what hny is compared with.
    state: Option<State>,
    pub(super) which: Which,
    pub(super) shape: Shape,
}

/// How many links are asked for most of the time where one of ten requests is to miss the cache.
const OFTEN: u64 = 1_000;

impl Case {
    pub(super) fn of(state: State) -> Self {
        let (which, shape) = match state {
            State::One | State::Hot | State::Unknown | State::Creates => (Which::Hny, Shape::Kept),
            State::Uncounted => (Which::Uncounted, Shape::Kept),
            State::Recorded => (Which::Untaken, Shape::Kept),
            State::Full => (Which::Full, Shape::Kept),
            State::Cold | State::TenthCold => (Which::Cold, Shape::Kept),
            State::TwoThreads => (Which::Two, Shape::Kept),
            State::Many => (Which::Hny, Shape::Many),
            State::Fresh => (Which::Hny, Shape::Fresh),
        };
        Self { state: Some(state), which, shape }
    }

    /// What cases of this shape are compared with.
    fn baselines(shape: Shape) -> [Self; 2] {
        [Which::Floor, Which::Nginx].map(|which| Self { state: None, which, shape })
    }

    pub(super) fn name(self) -> String {
        let value = self.state.and_then(|state| state.to_possible_value());
        match (value, self.which) {
            (Some(value), Which::Beside) => format!("beside {}", value.get_name()),
            (Some(value), _) => format!("hny {}", value.get_name()),
            (None, Which::Floor) => format!("epoll{}", self.shape.suffix()),
            (None, _) => format!("nginx{}", self.shape.suffix()),
        }
    }

    /// What is asked, when there are so many links.
    pub(super) fn traffic(self, links: u64) -> Traffic {
        let draw = match self.state {
            None if self.which == Which::Nginx => Draw::Fixed(links::SHORT_TARGET),
            None => Draw::Fixed(links::TARGET),
            Some(State::One) => Draw::One,
            Some(State::Unknown) => Draw::Unknown(links),
            Some(State::TenthCold) => Draw::Either { percent: 90, often: OFTEN.min(links), all: links },
            Some(_) => Draw::Any(links),
        };
        Traffic::new(draw, u64::from(self.state == Some(State::Creates)))
    }

    /// What fills the server's cache beforehand, so that nothing of it is measured.
    pub(super) fn warm_up(self, links: u64) -> Option<Draw> {
        match self.state? {
            State::Cold => None,
            State::Unknown => Some(Draw::EachUnknown(0..links)),
            State::TenthCold => Some(Draw::Each(0..OFTEN.min(links))),
            _ => Some(Draw::Each(0..links)),
        }
    }
}

/// The cases for these states, each kind of connection with what it is compared with before it. With `beside`, another build
/// has its turn right after ours.
pub(super) fn cases(states: &[State], beside: bool) -> Vec<Case> {
    let twin = |case: Case| Case { which: Which::Beside, ..case };
    let with_twin = |case: Case| [Some(case), (beside && case.which == Which::Hny).then(|| twin(case))];
    let chosen: Vec<_> = states.iter().copied().map(Case::of).flat_map(with_twin).flatten().collect();
    let mut cases = Vec::new();
    for shape in [Shape::Kept, Shape::Many, Shape::Fresh] {
        let of_shape: Vec<_> = chosen.iter().copied().filter(|case| case.shape == shape).collect();
        if !of_shape.is_empty() {
            cases.extend(Case::baselines(shape));
            cases.extend(of_shape);
        }
    }
    cases
}

#[test]
fn a_case_is_compared_with_what_was_asked_in_the_same_way() {
    let names = |states: &[State]| cases(states, false).iter().copied().map(Case::name).collect::<Vec<_>>();
    assert_eq!(names(&[State::Hot]), ["epoll", "nginx", "hny hot"]);
    let fresh = ["epoll, new connections", "nginx, new connections", "hny fresh"];
    assert_eq!(names(&[State::Fresh, State::One])[3..], fresh);
}

#[test]
fn another_build_has_its_turn_where_it_can() {
    let names: Vec<_> = cases(&[State::Hot, State::Cold], true).iter().copied().map(Case::name).collect();
    assert_eq!(names[2..], ["hny hot", "beside hot", "hny cold"]);
}

//! Ours beside something else, round by round, and whether it is as it should be.

use crate::bench::figures::median;
use serde_json::{Value, json};

/// What a ratio is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

/// One figure of ours and what it is compared with, as many as there were rounds.
#[derive(Debug)]
pub(super) struct Comparison {
    what: String,
    /// What ours is compared with.
    beside: &'static str,
    goal: Option<Goal>,
    pairs: Vec<(f64, f64)>,
}

impl Goal {
    fn is_reached(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(least) => ratio >= least,
            Self::AtMost(most) => ratio <= most,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtLeast(least) => format!(">= {least:.2}"),
            Self::AtMost(most) => format!("<= {most:.2}"),
        }
    }
}

impl Comparison {
    pub(super) fn new(what: impl Into<String>, beside: &'static str, goal: Option<Goal>) -> Self {
        Self { what: what.into(), beside, goal, pairs: Vec::new() }
    }

    /// Takes what one round saw.
    pub(super) fn round(&mut self, ours: f64, theirs: f64) {
        self.pairs.push((ours, theirs));
    }

    fn ours(&self) -> f64 {
        median(self.pairs.iter().map(|pair| pair.0))
    }

    fn theirs(&self) -> f64 {
        median(self.pairs.iter().map(|pair| pair.1))
    }

    fn ratios(&self) -> impl Iterator<Item = f64> {
        self.pairs.iter().map(|(ours, theirs)| ours / theirs)
    }

    /// The median of the rounds' ratios: what slows a whole round down falls out.
    fn ratio(&self) -> f64 {
        median(self.ratios())
    }

    /// The least and the most of any round: far apart, they say that somebody else was at work.
    fn spread(&self) -> (f64, f64) {
        (self.ratios().fold(f64::INFINITY, f64::min), self.ratios().fold(0.0, f64::max))
    }

    fn line(&self) -> String {
        let (least, most) = self.spread();
        let goal = self.goal.map_or_else(String::new, |goal| {
            format!("{} {}", goal.text(), if goal.is_reached(self.ratio()) { "reached" } else { "missed" })
        });
        format!(
            "{:<46} {:>9} {:>9} {:<18} {:>6.2} {:>11}  {goal}",
            self.what,
            figure(self.ours()),
            figure(self.theirs()),
            self.beside,
            self.ratio(),
            format!("{least:.2}-{most:.2}")
        )
        .trim_end()
        .to_owned()
    }

    /// For machines.
    pub(super) fn document(&self) -> Value {
        let (least, most) = self.spread();
        json!({
            "what": self.what, "hny": self.ours(), "beside": self.beside, "besideFigure": self.theirs(),
            "ratio": self.ratio(), "leastRatio": least, "mostRatio": most, "goal": self.goal.map(Goal::text),
            "isReached": self.goal.map(|goal| goal.is_reached(self.ratio())),
        })
    }
}

/// Rates as whole numbers, times with two places.
fn figure(value: f64) -> String {
    if value >= 1000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

/// The table for people; nothing when there is nothing to show.
pub(super) fn table(comparisons: &[Comparison]) -> String {
    if comparisons.is_empty() {
        return String::new();
    }
    let head = format!("{:<46} {:>9} {:>9} {:<18} {:>6} {:>11}  goal", "", "hny", "beside", "", "ratio", "rounds");
    std::iter::once(head).chain(comparisons.iter().map(Comparison::line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(goal: Goal) -> Comparison {
        let mut comparison = Comparison::new("redirects a second", "pgbench", Some(goal));
        // The second round was slow for both: the ratio does not see it.
        for (ours, theirs) in [(3000.0, 2000.0), (300.0, 200.0), (3000.0, 2500.0)] {
            comparison.round(ours, theirs);
        }
        comparison
    }

    #[test]
    fn ratios_are_taken_round_by_round_and_held_to_the_goal() {
        let table = table(&[comparison(Goal::AtLeast(1.5)), comparison(Goal::AtMost(1.4))]);
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[1].ends_with("3000      2000 pgbench              1.50   1.20-1.50  >= 1.50 reached"), "{table}");
        assert!(lines[2].ends_with("<= 1.40 missed"), "{table}");
    }

    #[test]
    fn machines_see_the_same_figures() {
        let document = comparison(Goal::AtMost(1.4)).document();
        assert_eq!((document["ratio"].as_f64(), document["isReached"].as_bool()), (Some(1.5), Some(false)));
        assert_eq!((document["hny"].as_f64(), document["besideFigure"].as_f64()), (Some(3000.0), Some(2000.0)));
        let plain = Comparison::new("p50", "PostgreSQL", None);
        assert!(plain.document()["isReached"].is_null());
    }
}

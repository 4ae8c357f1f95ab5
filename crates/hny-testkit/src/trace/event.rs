//! The lines of `strace -f -ttt`, joined to events.

use std::collections::HashMap;

/// One system call. `began` and `ended` are line numbers of the trace, so they order the events of all threads: what
/// ended before another began has the smaller number.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The thread that called.
    pub pid: u32,
    /// Seconds since the epoch when it began.
    pub time: f64,
    /// The name of the call.
    pub call: String,
    /// What stands between the parentheses.
    pub arguments: String,
    /// What stands behind the equals sign; empty when the call never returned.
    pub result: String,
    /// The line on which it began.
    pub began: usize,
    /// The line on which it returned; `None` when it never did.
    pub ended: Option<usize>,
}

impl Event {
    /// Whether the call did its work: it returned, and not with an error.
    pub fn succeeded(&self) -> bool {
        self.ended.is_some() && !self.result.starts_with(['-', '?'])
    }

    /// Whether the call had returned when `other` began.
    pub fn before(&self, other: &Self) -> bool {
        self.ended.is_some_and(|ended| ended < other.began)
    }
}

/// All calls of a trace; signals and exits are left out. The error is the line that strace cannot have written.
pub(super) fn parse(trace: &str) -> Result<Vec<Event>, &str> {
    let mut events: Vec<Event> = Vec::new();
    let mut unfinished: HashMap<u32, usize> = HashMap::new();
    for (number, line) in trace.lines().enumerate() {
        let (pid, time, text) = split(line).ok_or(line)?;
        if text.starts_with("---") || text.starts_with("+++") {
            continue;
        }
        if let Some(resumed) = text.strip_prefix("<... ") {
            let (_, rest) = resumed.split_once(" resumed>").ok_or(line)?;
            let event = &mut events[unfinished.remove(&pid).ok_or(line)?];
            let (arguments, result) = split_result(rest).ok_or(line)?;
            event.arguments.push_str(arguments);
            result.clone_into(&mut event.result);
            event.ended = Some(number);
            continue;
        }
        let (call, rest) = text.split_once('(').ok_or(line)?;
        let (arguments, result) = match rest.strip_suffix(" <unfinished ...>") {
            Some(arguments) => (arguments, None),
            // A trace that was cut off in the middle of a call ends with such a line.
            None => split_result(rest).map_or((rest, None), |(arguments, result)| (arguments, Some(result))),
        };
        if result.is_none() {
            unfinished.insert(pid, events.len());
        }
        events.push(Event {
            pid,
            time,
            call: call.to_owned(),
            arguments: arguments.to_owned(),
            result: result.unwrap_or_default().to_owned(),
            began: number,
            ended: result.map(|_| number),
        });
    }
    Ok(events)
}

/// Splits `1234 1700000000.123456 close(3) = 0` before the call.
fn split(line: &str) -> Option<(u32, f64, &str)> {
    let (pid, rest) = line.trim_start().split_once(' ')?;
    let (time, text) = rest.trim_start().split_once(' ')?;
    Some((pid.parse().ok()?, time.parse().ok()?, text))
}

/// Splits `3, "a", 1) = 1` at the parenthesis that closes the call. A result never contains ` = `.
fn split_result(text: &str) -> Option<(&str, &str)> {
    let (call, result) = text.rsplit_once(" = ")?;
    Some((call.trim_end().strip_suffix(')')?, result))
}

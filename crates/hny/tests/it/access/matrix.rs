//! Every kind of caller makes every call, on a link of its own, of another key, and of nobody; and on another's key.

use std::collections::BTreeSet;

use hny_testkit::Response;
use serde_json::Value;

use super::callers::{self, ELSEWHERE, Holder, Kind, here};
use super::maker::Maker;
use super::places::{Act, PLACES, Place};
use crate::keeper::Keeper;
use crate::site::Site;

/// A call of a caller, and what should become of it.
struct Cell<'a> {
    holder: &'a Holder,
    place: &'static Place,
    /// The path, with a link or key in it that no other cell has.
    path: String,
    body: Value,
    expected: char,
    what: String,
}

/// Of many, each says for itself what may not be.
fn make_many(holder: &Holder) -> char {
    match holder.kind {
        kind if kind.sees_all == 'k' => 'k',
        kind if kind.name.starts_with("reader") => 'f',
        _ => 'y',
    }
}

fn cells<'a>(maker: &mut Maker<'_>, holder: &'a Holder) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for place in PLACES {
        let Kind { sees, changes, sees_all, keys, governs, .. } = holder.kind;
        let mut add = |path: String, body: Value, expected: char, whose: &str| {
            let what = format!("{}: {} {path}{whose} {body}", holder.kind.name, place.method);
            cells.push(Cell { holder, place, path, body, expected, what });
        };
        let path = || place.path.replace("{id}", &maker.key()) + place.query;
        match place.act {
            Act::See => of_links(maker, holder, place, sees, add),
            Act::Change => of_links(maker, holder, place, changes, add),
            Act::Make => makes(maker, holder, place, add),
            Act::MakeMany => add(path(), (place.body)(), make_many(holder), ""),
            Act::Answer => add(path(), (place.body)(), 'y', ""),
            Act::SeeAll | Act::SeeKeys => add(path(), (place.body)(), *sees_all, ""),
            Act::MakeKey => add(path(), (place.body)(), keys[0], ""),
            Act::SeeKey => add(path(), (place.body)(), keys[1], ""),
            Act::RevokeKey => add(path(), (place.body)(), keys[2], ""),
            // The number of the one report.
            Act::Govern => add(place.path.replace("{id}", "1") + place.query, (place.body)(), *governs, ""),
        }
    }
    cells
}

/// A call on links of each owner, on each domain.
fn of_links(
    maker: &mut Maker<'_>,
    holder: &Holder,
    place: &Place,
    letters: &[[char; 3]; 2],
    mut add: impl FnMut(String, Value, char, &str),
) {
    for (letters, is_elsewhere) in letters.iter().zip([false, true]) {
        for (whose, expected) in letters.iter().enumerate() {
            let path = place.path.replace("{code}", &maker.link(holder, (is_elsewhere, whose)));
            let path = if is_elsewhere { format!("{path}?domain={ELSEWHERE}") } else { path };
            add(path, (place.body)(), *expected, [", its own", ", another's", ", nobody's"][whose]);
        }
    }
}

/// A call that makes a link, without naming a domain, and on each.
fn makes(maker: &Maker<'_>, holder: &Holder, place: &Place, mut add: impl FnMut(String, Value, char, &str)) {
    let domains = [None, Some(here(&maker.keeper.site)), Some(ELSEWHERE.to_owned())];
    for (domain, expected) in domains.into_iter().zip(holder.kind.makes) {
        let mut body = (place.body)();
        body["domain"] = domain.into();
        add(place.path.to_owned(), body, expected, "");
    }
}

fn assert_outcome(answer: &Response, expected: char, what: &str) {
    let text = answer.text();
    let outcome = match answer.status {
        200..=299 => 'y',
        401 => 'k',
        403 => 'f',
        404 => 'n',
        other => panic!("{what}: {other} {text}"),
    };
    assert_eq!(outcome, expected, "{what}: {text}");
    assert!(outcome == 'y' || !text.contains("secret.example"), "{what} tells the target: {text}");
}

fn call(keeper: &Keeper, cell: &Cell<'_>) {
    let Cell { holder, place, path, body, expected, what } = cell;
    let mut caller = holder.connect(&keeper.site);
    let mut ask = |method: &str| match body {
        Value::Null => caller.ask(method, path),
        body => caller.send(method, path, body),
    };
    if place.method == "GET" {
        let head = ask("HEAD");
        assert_outcome(&head, *expected, &format!("{what}, HEAD"));
        assert_eq!(head.text(), "", "{what}");
    }
    assert_outcome(&ask(place.method), *expected, what);
}

#[test]
fn every_kind_of_caller_may_what_the_table_says_and_nothing_else() {
    callers::on_both(|keeper| {
        let holders = callers::all(keeper);
        let mut maker = Maker::new(keeper);
        let cells: Vec<_> = holders.iter().flat_map(|holder| cells(&mut maker, holder)).collect();
        maker.finish();
        assert!(cells.len() > 800);
        for cell in &cells {
            call(keeper, cell);
        }
    });
}

/// What is served is what is in the table, method by method.
#[test]
fn every_route_has_a_place_in_the_matrix() {
    let site = Site::shared();
    for path in hny_server::paths() {
        let ours: BTreeSet<_> = PLACES.iter().filter(|place| place.path == path).map(|place| place.method).collect();
        let target = path.replace("{code}", "abc").replace("{id}", "1");
        let answer = site.visitor().request("PROPFIND", &target, &[], b"");
        assert_eq!(answer.status, 405, "{path}");
        let allowed = answer.header("allow").unwrap_or_default().split(',').map(str::trim);
        let allowed: BTreeSet<_> = allowed.filter(|method| *method != "HEAD").collect();
        assert_eq!(ours, allowed, "give {path} its places in places.rs, where it says who may do what");
    }
    let paths: BTreeSet<_> = hny_server::paths().collect();
    assert!(PLACES.iter().all(|place| paths.contains(place.path)), "a place is of no route");
}

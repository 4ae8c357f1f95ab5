//! Every kind of caller makes every call, on a link of its own, of another key, and of nobody; and on another's key.

use std::collections::BTreeSet;

use hny_testkit::Response;
use serde_json::{Value, json};

use super::callers::{self, Holder, Kind, make_key};
use super::places::{Act, PLACES, Place};
use crate::caller::Caller;
use crate::keeper::Keeper;
use crate::site::Site;

/// What no refusal may say.
const TARGET: &str = "https://secret.example/target";

/// A call of a caller, and what should become of it.
struct Cell<'a> {
    holder: &'a Holder,
    place: &'static Place,
    /// The path, with a link or key in it that no other cell has.
    path: String,
    expected: char,
    what: String,
}

/// Makes links and keys to call about.
struct Maker<'a> {
    keeper: &'a Keeper,
    admin: Caller,
    other: i64,
    /// Codes and owners, as they stand in a table.
    owners: Vec<String>,
}

impl Maker<'_> {
    fn new(keeper: &Keeper) -> Maker<'_> {
        let (other, _) = make_key(&keeper.site, &json!({"name": "other", "role": "creator"}));
        Maker { keeper, admin: keeper.admin(), other, owners: Vec::new() }
    }

    /// The code of a new link of the holder's own, of another key, or of nobody.
    fn link(&mut self, holder: &Holder, whose: usize) -> String {
        let code = format!("cell-{}", self.owners.len());
        self.admin.link(&json!({"originalUrl": TARGET, "customCode": code, "allowLookalike": true}));
        let owner = [holder.owner(), self.other.to_string(), "NULL".to_owned()][whose].clone();
        self.owners.push(format!("('{code}', {owner})"));
        code
    }

    /// The number of a new key.
    fn key(&self) -> String {
        make_key(&self.keeper.site, &json!({"name": "one of the others", "role": "creator"})).0.to_string()
    }

    /// Gives the links to their owners.
    fn finish(self) {
        let values = self.owners.join(", ");
        let sql = "UPDATE links SET owner = CAST(given.owner AS bigint) FROM given WHERE links.code = given.code";
        self.keeper.run(&format!("WITH given (code, owner) AS (VALUES {values}) {sql}"));
    }
}

fn cells<'a>(maker: &mut Maker<'_>, holder: &'a Holder) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for place in PLACES {
        let Kind { makes, sees, changes, sees_all, keys, .. } = holder.kind;
        let by_link = match place.act {
            Act::See => Some(sees),
            Act::Change => Some(changes),
            _ => None,
        };
        let mut add = |path: String, expected: char, whose: &str| {
            let what = format!("{}: {} {path}{whose}", holder.kind.name, place.method);
            cells.push(Cell { holder, place, path, expected, what });
        };
        if let Some(letters) = by_link {
            for (whose, expected) in letters.iter().enumerate() {
                let path = place.path.replace("{code}", &maker.link(holder, whose));
                add(path, *expected, [", its own", ", another's", ", nobody's"][whose]);
            }
            continue;
        }
        let expected = match place.act {
            Act::Answer => 'y',
            Act::Make => *makes,
            Act::SeeAll | Act::SeeKeys => *sees_all,
            Act::MakeKey => keys[0],
            Act::SeeKey => keys[1],
            Act::RevokeKey => keys[2],
            Act::See | Act::Change => continue,
        };
        let path =
            if place.path.contains("{id}") { place.path.replace("{id}", &maker.key()) } else { place.path.to_owned() };
        add(path, expected, "");
    }
    cells
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
    let Cell { holder, place, path, expected, what } = cell;
    let mut caller = holder.connect(&keeper.site);
    let body = (place.body)();
    let mut ask = |method: &str| match &body {
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
    Keeper::on_both(|keeper| {
        let holders = callers::all(keeper);
        let mut maker = Maker::new(keeper);
        let cells: Vec<_> = holders.iter().flat_map(|holder| cells(&mut maker, holder)).collect();
        maker.finish();
        assert!(cells.len() > 500);
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

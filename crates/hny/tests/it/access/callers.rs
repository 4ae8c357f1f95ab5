//! One caller of each kind, and what it may do.

use serde_json::{Value, json};

use crate::caller::{Caller, text};
use crate::keeper::Keeper;
use crate::site::Site;

/// The domains that links are on: that of the base URL, and this.
pub(crate) const ELSEWHERE: &str = "other.example";

/// A kind of caller, and what becomes of what it asks for: `y` it is done, `f` it is forbidden (403), `n` there is no such thing
/// (404), `k` a key is needed (401).
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    key: Key,
    /// To make a link: without naming a domain, on that of the base URL, elsewhere.
    pub(crate) makes: [char; 3],
    /// To see a link of its own, of another key, of nobody: on the domain of the base URL, and elsewhere.
    pub(crate) sees: [[char; 3]; 2],
    /// To change such a link.
    pub(crate) changes: [[char; 3]; 2],
    /// To see something of all links that it sees.
    pub(crate) sees_all: char,
    /// To make a key; to see and to revoke one of the others.
    pub(crate) keys: [char; 3],
    /// To do what is for those who may do everything.
    pub(crate) governs: char,
}

/// How a caller gets its key.
#[derive(Clone, Copy)]
enum Key {
    /// It has none.
    None,
    /// One with this role; narrowed to its own links; and to a domain.
    Of(&'static str, bool, Domain),
    /// An admin's, which is revoked.
    Revoked,
    /// An admin's, which has expired.
    Expired,
}

/// What a key is narrowed to.
#[derive(Clone, Copy)]
enum Domain {
    Any,
    Base,
    Other,
}

use Domain::{Any, Base, Other};

const OWN: bool = true;
const ALL: bool = false;

const fn kind(name: &'static str, key: Key, row: [&str; 8]) -> Kind {
    let [makes, sees, sees_elsewhere, changes, changes_elsewhere, sees_all, keys, governs] = row;
    Kind {
        name,
        key,
        makes: letters(makes),
        sees: [letters(sees), letters(sees_elsewhere)],
        changes: [letters(changes), letters(changes_elsewhere)],
        sees_all: letter(sees_all, 0),
        keys: letters(keys),
        governs: letter(governs, 0),
    }
}

const fn letter(text: &str, place: usize) -> char {
    text.as_bytes()[place] as char
}

const fn letters(text: &str) -> [char; 3] {
    [letter(text, 0), letter(text, 1), letter(text, 2)]
}

/// All kinds.
#[rustfmt::skip]
pub(crate) static KINDS: [Kind; 18] = [
    //                                                          makes  sees: here, elsewhere  changes        all  keys   governs
    kind("nobody", Key::None,                                   ["ykk", "kkk", "kkk",         "kkk", "kkk",  "k", "kkk", "k"]),
    kind("revoked", Key::Revoked,                               ["kkk", "kkk", "kkk",         "kkk", "kkk",  "k", "kkk", "k"]),
    kind("expired", Key::Expired,                               ["kkk", "kkk", "kkk",         "kkk", "kkk",  "k", "kkk", "k"]),
    kind("admin", Key::Of("admin", ALL, Any),                   ["yyy", "yyy", "yyy",         "yyy", "yyy",  "y", "yyy", "y"]),
    kind("admin here", Key::Of("admin", ALL, Base),             ["yyf", "yyy", "nnn",         "yyy", "nnn",  "y", "ynn", "f"]),
    kind("admin elsewhere", Key::Of("admin", ALL, Other),       ["yfy", "nnn", "yyy",         "nnn", "yyy",  "y", "ynn", "f"]),
    kind("editor", Key::Of("editor", ALL, Any),                 ["yyy", "yyy", "yyy",         "yyy", "yyy",  "y", "fnn", "f"]),
    kind("editor of own", Key::Of("editor", OWN, Any),          ["yyy", "ynn", "ynn",         "ynn", "ynn",  "y", "fnn", "f"]),
    kind("editor here", Key::Of("editor", ALL, Base),           ["yyf", "yyy", "nnn",         "yyy", "nnn",  "y", "fnn", "f"]),
    kind("editor elsewhere", Key::Of("editor", ALL, Other),     ["yfy", "nnn", "yyy",         "nnn", "yyy",  "y", "fnn", "f"]),
    kind("editor of own here", Key::Of("editor", OWN, Base),    ["yyf", "ynn", "nnn",         "ynn", "nnn",  "y", "fnn", "f"]),
    kind("creator", Key::Of("creator", OWN, Any),               ["yyy", "ynn", "ynn",         "ynn", "ynn",  "y", "fnn", "f"]),
    kind("creator here", Key::Of("creator", OWN, Base),         ["yyf", "ynn", "nnn",         "ynn", "nnn",  "y", "fnn", "f"]),
    kind("creator elsewhere", Key::Of("creator", OWN, Other),   ["yfy", "nnn", "ynn",         "nnn", "ynn",  "y", "fnn", "f"]),
    kind("reader", Key::Of("reader", ALL, Any),                 ["fff", "yyy", "yyy",         "fff", "fff",  "y", "fnn", "f"]),
    kind("reader of own", Key::Of("reader", OWN, Any),          ["fff", "ynn", "ynn",         "fnn", "fnn",  "y", "fnn", "f"]),
    kind("reader here", Key::Of("reader", ALL, Base),           ["fff", "yyy", "nnn",         "fff", "nnn",  "y", "fnn", "f"]),
    kind("reader elsewhere", Key::Of("reader", ALL, Other),     ["fff", "nnn", "yyy",         "nnn", "fff",  "y", "fnn", "f"]),
];

/// A caller.
pub(crate) struct Holder {
    pub(crate) kind: &'static Kind,
    /// The number of its key.
    pub(crate) id: Option<i64>,
    key: Option<String>,
}

impl Holder {
    /// On a new connection.
    pub(crate) fn connect(&self, site: &Site) -> Caller {
        match &self.key {
            Some(key) => site.holder(key),
            None => Caller::without_key(site.visitor()),
        }
    }

    /// The owner of its links, as it stands in a table.
    pub(crate) fn owner(&self) -> String {
        self.id.map_or_else(|| "NULL".to_owned(), |id| id.to_string())
    }
}

/// A key that an admin makes.
pub(crate) fn make_key(site: &Site, fields: &Value) -> (i64, String) {
    let made = site.admin().send("POST", "/api/v1/keys", fields);
    assert_eq!(made.status, 201, "{fields} {}", made.text());
    let made = made.json();
    (text(&made, "id").parse().unwrap(), text(&made, "key"))
}

/// The name of the domain of the base URL.
pub(crate) fn here(site: &Site) -> String {
    site.base().replace("http://", "")
}

/// Does the same on both databases, with two domains.
pub(crate) fn on_both(test: impl Fn(&Keeper)) {
    Keeper::on_both_with(&[("HNY_DOMAINS", ELSEWHERE), ("HNY_SECURITY_CONTACT", "mailto:security@example.com")], test);
}

/// One caller of each kind.
pub(crate) fn all(keeper: &Keeper) -> Vec<Holder> {
    KINDS.iter().map(|kind| holder(keeper, kind)).collect()
}

fn holder(keeper: &Keeper, kind: &'static Kind) -> Holder {
    let (role, own, domain) = match kind.key {
        Key::None => return Holder { kind, id: None, key: None },
        Key::Of(role, own, domain) => (role, own, domain),
        Key::Revoked | Key::Expired => ("admin", ALL, Any),
    };
    let domain = match domain {
        Any => None,
        Base => Some(here(&keeper.site)),
        Other => Some(ELSEWHERE.to_owned()),
    };
    let fields = json!({"name": kind.name, "role": role, "ownLinks": own, "domain": domain});
    let (id, key) = make_key(&keeper.site, &fields);
    match kind.key {
        Key::Revoked => {
            assert_eq!(keeper.admin().ask("DELETE", &format!("/api/v1/keys/{id}")).status, 204);
        }
        Key::Expired => keeper.run(&format!("UPDATE keys SET expires_at = 1 WHERE id = {id}")),
        Key::Of(..) | Key::None => {}
    }
    Holder { kind, id: Some(id), key: Some(key) }
}

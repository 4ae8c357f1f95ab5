//! One caller of each kind, and what it may do.

use serde_json::{Value, json};

use crate::caller::{Caller, text};
use crate::keeper::Keeper;
use crate::site::Site;

/// A kind of caller, and what becomes of what it asks for: `y` it is done, `f` it is forbidden (403), `n` there is no such thing
/// (404), `k` a key is needed (401).
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    key: Key,
    /// To make a link.
    pub(crate) makes: char,
    /// To see a link of its own, of another key, of nobody.
    pub(crate) sees: [char; 3],
    /// To change such a link.
    pub(crate) changes: [char; 3],
    /// To see something of all links that it sees.
    pub(crate) sees_all: char,
    /// To make a key; to see and to revoke one of the others.
    pub(crate) keys: [char; 3],
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

/// What a key is narrowed to. All links are on the domain of the base URL.
#[derive(Clone, Copy, PartialEq)]
enum Domain {
    Any,
    Base,
    Other,
}

use Domain::{Any, Base, Other};

const OWN: bool = true;
const ALL: bool = false;

const fn kind(name: &'static str, key: Key, row: [&str; 5]) -> Kind {
    let [makes, sees, changes, sees_all, keys] = row;
    Kind {
        name,
        key,
        makes: letter(makes, 0),
        sees: letters(sees),
        changes: letters(changes),
        sees_all: letter(sees_all, 0),
        keys: letters(keys),
    }
}

const fn letter(text: &str, place: usize) -> char {
    text.as_bytes()[place] as char
}

const fn letters(text: &str) -> [char; 3] {
    [letter(text, 0), letter(text, 1), letter(text, 2)]
}

/// All kinds.
pub(crate) static KINDS: [Kind; 18] = [
    //                                                     makes sees   changes all  keys
    kind("nobody", Key::None, ["y", "kkk", "kkk", "k", "kkk"]),
    kind("revoked", Key::Revoked, ["k", "kkk", "kkk", "k", "kkk"]),
    kind("expired", Key::Expired, ["k", "kkk", "kkk", "k", "kkk"]),
    kind("admin", Key::Of("admin", ALL, Any), ["y", "yyy", "yyy", "y", "yyy"]),
    kind("admin here", Key::Of("admin", ALL, Base), ["y", "yyy", "yyy", "y", "ynn"]),
    kind("admin elsewhere", Key::Of("admin", ALL, Other), ["f", "nnn", "nnn", "y", "ynn"]),
    kind("editor", Key::Of("editor", ALL, Any), ["y", "yyy", "yyy", "y", "fnn"]),
    kind("editor of own", Key::Of("editor", OWN, Any), ["y", "ynn", "ynn", "y", "fnn"]),
    kind("editor here", Key::Of("editor", ALL, Base), ["y", "yyy", "yyy", "y", "fnn"]),
    kind("editor elsewhere", Key::Of("editor", ALL, Other), ["f", "nnn", "nnn", "y", "fnn"]),
    kind("editor of own here", Key::Of("editor", OWN, Base), ["y", "ynn", "ynn", "y", "fnn"]),
    kind("creator", Key::Of("creator", OWN, Any), ["y", "ynn", "ynn", "y", "fnn"]),
    kind("creator here", Key::Of("creator", OWN, Base), ["y", "ynn", "ynn", "y", "fnn"]),
    kind("creator elsewhere", Key::Of("creator", OWN, Other), ["f", "nnn", "nnn", "y", "fnn"]),
    kind("reader", Key::Of("reader", ALL, Any), ["f", "yyy", "fff", "y", "fnn"]),
    kind("reader of own", Key::Of("reader", OWN, Any), ["f", "ynn", "fnn", "y", "fnn"]),
    kind("reader here", Key::Of("reader", ALL, Base), ["f", "yyy", "fff", "y", "fnn"]),
    kind("reader elsewhere", Key::Of("reader", ALL, Other), ["f", "nnn", "nnn", "y", "fnn"]),
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

/// One caller of each kind.
pub(crate) fn all(keeper: &Keeper) -> Vec<Holder> {
    keeper.run("INSERT INTO domains (id, host) VALUES (1, 'other.example')");
    KINDS.iter().map(|kind| holder(keeper, kind)).collect()
}

fn holder(keeper: &Keeper, kind: &'static Kind) -> Holder {
    let (role, own, domain) = match kind.key {
        Key::None => return Holder { kind, id: None, key: None },
        Key::Of(role, own, domain) => (role, own, domain),
        Key::Revoked | Key::Expired => ("admin", ALL, Any),
    };
    let base = (domain == Base).then(|| keeper.site.base().replace("http://", ""));
    let fields = json!({"name": kind.name, "role": role, "ownLinks": own, "domain": base});
    let (id, key) = make_key(&keeper.site, &fields);
    match kind.key {
        Key::Revoked => {
            assert_eq!(keeper.admin().ask("DELETE", &format!("/api/v1/keys/{id}")).status, 204);
        }
        Key::Expired => keeper.run(&format!("UPDATE keys SET expires_at = 1 WHERE id = {id}")),
        // No call can name it: the service has one domain.
        Key::Of(_, _, Other) => keeper.run(&format!("UPDATE keys SET domain = 1 WHERE id = {id}")),
        Key::Of(..) | Key::None => {}
    }
    Holder { kind, id: Some(id), key: Some(key) }
}

//! A key that is revoked on one node opens nothing on the others.

use serde_json::json;

use super::callers::make_key;
use crate::document::assert_problem;
use crate::postgres;
use crate::site::{Site, program};

/// The promise is a second; there is no cache of keys, so it is at once.
#[test]
fn a_key_that_one_node_revokes_opens_nothing_on_the_other() {
    let file = program();
    for (program, beside) in [(postgres::program(), None), (file.clone(), Some(file))] {
        let one = Site::start(&program);
        let two = Site::start(&beside.unwrap_or(program));
        for _ in 0..10 {
            let (id, key) = make_key(&one, &json!({"name": "to go", "role": "creator"}));
            let mut holders = [one.holder(&key), two.holder(&key)];
            let link = holders[0].link(&json!({"originalUrl": "https://example.com/"}));
            assert_eq!(holders[1].read(&link).status, 200);
            assert_eq!(two.admin().ask("DELETE", &format!("/api/v1/keys/{id}")).status, 204);
            for holder in &mut holders {
                assert_problem(&holder.read(&link), 401, "key-needed");
                assert_problem(&holder.shorten(&json!({"originalUrl": "https://example.com/"})), 401, "key-needed");
            }
        }
        let (id, key) = make_key(&two, &json!({"name": "to go", "role": "editor"}));
        assert_eq!(one.holder(&key).ask("GET", "/api/v1/stats").status, 200);
        let revoked = two.hny().program().run(["key", "revoke", &id.to_string()]);
        assert!(revoked.status.success(), "{revoked:?}");
        assert_problem(&one.holder(&key).ask("GET", "/api/v1/stats"), 401, "key-needed");
    }
}

//! Links and keys to call about.

use serde_json::json;

use super::callers::{ELSEWHERE, Holder, here, make_key};
use crate::caller::Caller;
use crate::keeper::Keeper;

/// What no refusal may say.
const TARGET: &str = "https://secret.example/target";

/// Makes links and keys to call about.
pub(crate) struct Maker<'a> {
    pub(crate) keeper: &'a Keeper,
    admin: Caller,
    other: i64,
    /// Codes and owners, as they stand in a table.
    owners: Vec<String>,
}

impl Maker<'_> {
    pub(crate) fn new(keeper: &Keeper) -> Maker<'_> {
        let (other, _) = make_key(&keeper.site, &json!({"name": "other", "role": "creator"}));
        Maker { keeper, admin: keeper.admin(), other, owners: Vec::new() }
    }

    /// The code of a new link of the holder's own, of another key, or of nobody; on the domain of the base URL, or elsewhere.
    pub(crate) fn link(&mut self, holder: &Holder, (is_elsewhere, whose): (bool, usize)) -> String {
        let code = format!("cell-{}", self.owners.len());
        let domain = if is_elsewhere { ELSEWHERE.to_owned() } else { here(&self.keeper.site) };
        let fields = json!({"originalUrl": TARGET, "customCode": code, "domain": domain, "allowLookalike": true});
        self.admin.link(&fields);
        let owner = [holder.owner(), self.other.to_string(), "NULL".to_owned()][whose].clone();
        self.owners.push(format!("('{code}', {owner})"));
        code
    }

    /// The number of a new key.
    pub(crate) fn key(&self) -> String {
        make_key(&self.keeper.site, &json!({"name": "one of the others", "role": "creator"})).0.to_string()
    }

    /// Gives the links to their owners, and all of them the same password. Of one there is a report.
    pub(crate) fn finish(mut self) {
        self.admin.link(&json!({"originalUrl": TARGET, "customCode": "with-password", "password": "open sesame"}));
        self.keeper.run(
            "UPDATE links SET password_hash = (SELECT password_hash FROM links WHERE code = 'with-password');
            INSERT INTO abuse_reports (link, domain, code, reason, reporter, reported_at)
                SELECT id, domain, code, 'spam', 'somebody', 1 FROM links WHERE code = 'with-password'",
        );
        let values = self.owners.join(", ");
        let sql = "UPDATE links SET owner = CAST(given.owner AS bigint) FROM given WHERE links.code = given.code";
        self.keeper.run(&format!("WITH given (code, owner) AS (VALUES {values}) {sql}"));
    }
}

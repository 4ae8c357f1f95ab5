//! The SQL for links, but for making them.

mod alias;

use std::sync::Arc;

use hny_domain::{Caller, Code, CodeOrigin, DomainId, Edit, Expected, Lead, Link, RedirectStatus, Timestamp, Version};
use tokio_postgres::Row;

use super::Postgres;
use super::change::{First, Question, Verdict, Write, change};
use super::failure::Failure;
use super::generation::begin_generation;
use super::row::{self, lead_columns, link_columns};
use crate::rights::Rights;
use crate::{Change, Deletion, Edition, Insertion, NewLink, StoreError, target_hash};

impl Postgres {
    pub(crate) async fn insert_link(&self, link: NewLink, begins: bool) -> Result<Insertion, StoreError> {
        Ok(self.writer.insert(link, begins).await?)
    }

    pub(crate) async fn find_link(&self, domain: DomainId, code: &Code) -> Result<Option<Link>, StoreError> {
        let found = self.find(FIND, domain, code).await?;
        Ok(found.as_ref().map(row::link).transpose()?)
    }

    pub(crate) async fn find_lead<T>(
        &self,
        domain: DomainId,
        code: &Code,
        take: impl FnOnce(Lead<'_>) -> T,
    ) -> Result<Option<T>, StoreError> {
        let found = self.replicas.find_lead(domain, code, self.find(LEAD, domain, code)).await?;
        Ok(found.as_ref().map(row::lead).transpose()?.map(take))
    }

    async fn find(&self, sql: &'static str, domain: DomainId, code: &Code) -> Result<Option<Row>, Failure> {
        let rows = self.readers.ask(sql, &[&id(domain), &code.as_str()]).await?;
        Ok(rows.into_iter().next())
    }

    pub(crate) async fn edit_link(
        &self,
        (domain, code): (DomainId, Code),
        edit: Edit,
        caller: Caller,
        now: Timestamp,
        begins: bool,
    ) -> Result<Edition, StoreError> {
        let rename = edit.rename().cloned();
        let wanted = rename.as_ref().map(|rename| rename.code.clone());
        let decide = move |found: Option<&Row>, version: Version| {
            let Some(found) = found else { return Ok(Verdict::Leave(Edition::NoSuchLink)) };
            let mut link = row::link(found)?;
            if !edit.expects(link.version) {
                return Ok(Verdict::Leave(Edition::Outdated));
            }
            let (old, origin) = (link.code.clone(), link.origin);
            if let Err(error) = edit.clone().apply_to(&mut link, now) {
                return Ok(Verdict::Leave(Edition::Refused(error)));
            }
            link.version = version;
            let Some(rename) = rename.as_ref().filter(|rename| rename.code != old) else {
                let writes = [update(&link, begins)].into_iter().chain(alias::follow(&link)).collect();
                return Ok(Verdict::WriteAll(Edition::Edited(link), writes));
            };
            if let Some(refusal) = alias::refusal(found, rename)? {
                return Ok(Verdict::Leave(refusal));
            }
            let way = alias::clear_the_way(&link);
            let writes = [way, update(&link, begins)].into_iter().chain(alias::leave(&link, (&old, origin))).collect();
            Ok(Verdict::WriteAll(Edition::Renamed(link, old), writes))
        };
        self.change_link((domain, code), caller, wanted, decide, Edition::changes).await
    }

    pub(crate) async fn delete_link(
        &self,
        place: (DomainId, Code),
        expected: Expected,
        caller: Caller,
        now: Timestamp,
        begins: bool,
    ) -> Result<Deletion, StoreError> {
        self.delete_link_if(place, caller, now, begins, move |link| expected.includes(link.version)).await
    }

    /// Deletes a link if it is one that is meant.
    pub(super) async fn delete_link_if(
        &self,
        place: (DomainId, Code),
        caller: Caller,
        now: Timestamp,
        begins: bool,
        is_meant: impl Fn(&Link) -> bool + Send + Sync + 'static,
    ) -> Result<Deletion, StoreError> {
        let by = place.1.clone();
        let decide = move |found: Option<&Row>, version: Version| {
            let Some(found) = found else { return Ok(Verdict::Leave(Deletion::NoSuchLink)) };
            let mut link = row::link(found)?;
            if !is_meant(&link) {
                return Ok(Verdict::Leave(Deletion::Outdated));
            }
            link.version = version;
            if link.code != by {
                let writes = alias::delete(&mut link, &by, now, begins);
                return Ok(Verdict::WriteAll(Deletion::AliasDeleted(Box::new(link), by.clone()), writes));
            }
            let parameters = vec![
                Box::new(link.id.0) as _,
                Box::new(now.as_millis()) as _,
                Box::new(version.0.cast_signed()) as _,
                Box::new(begins) as _,
            ];
            let delete = Write { sql: DELETE, parameters };
            let writes = [delete].into_iter().chain(alias::end_all(&link)).collect();
            let changes = Edition::Edited(link).changes();
            Ok(Verdict::WriteAll(Deletion::Deleted(changes), writes))
        };
        self.change_link(place, caller, None, decide, Deletion::changes).await
    }

    /// Changes a link that the caller may change, and tells who listens before the answer. What is known of another code that it shall
    /// have comes with it.
    async fn change_link<T: Send + 'static>(
        &self,
        (domain, code): (DomainId, Code),
        caller: Caller,
        wanted: Option<Code>,
        decide: impl Fn(Option<&Row>, Version) -> Result<Verdict<T>, Failure> + Send + Sync + 'static,
        changes: impl FnOnce(&T) -> Vec<Change> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (line, news) = (Arc::clone(&self.changes), self.news.clone());
        self.run(async move {
            let (rights, takes_over) = (Rights::to_change(caller, domain), Rights::to_take_over(caller, domain));
            let (owner, heir) = (rights.owner.map(|owner| owner.0), takes_over.owner.map(|owner| owner.0));
            let skeleton = wanted.as_ref().map(Code::skeleton);
            let question = Question {
                first: First::TakeVersion,
                sql: FIND_OWN,
                parameters: &[
                    &id(domain),
                    &code.as_str(),
                    &rights.any_owner,
                    &owner,
                    &wanted.as_ref().map(Code::as_str),
                    &takes_over.any_owner,
                    &heir,
                    &skeleton,
                ],
            };
            let decide = |first: &Row, found: &[Row]| decide(found.first(), row::version(first, 1)?);
            let value = change(&*line.lock().await, &question, decide).await?;
            let changes = changes(&value);
            if !changes.is_empty() {
                news.tell_own(&changes);
            }
            Ok(value)
        })
        .await
    }
}

/// A domain as the database counts it.
pub(super) fn id(domain: DomainId) -> i32 {
    domain.0.cast_signed()
}

/// The link with a code, or an alias.
macro_rules! by_code {
    () => {
        " FROM links
        WHERE id = (SELECT coalesce(a.alias_of, a.id) FROM links a WHERE a.domain = $1 AND a.code = $2) AND deleted_at IS NULL"
    };
}

const FIND: &str = concat!("SELECT ", link_columns!(), by_code!());

/// For every visit that the cache does not know, so nothing else is read. Both parts are of one moment: a link that gets its old code
/// back is found all the time.
const LEAD: &str = concat!(
    "SELECT ",
    lead_columns!(),
    ", NULL::bigint FROM links WHERE domain = $1 AND code = $2 AND deleted_at IS NULL",
    alias::or_lead!()
);

/// And what stands in the way of another code for it.
const FIND_OWN: &str =
    concat!("SELECT ", link_columns!(), alias::obstacle_columns!(), by_code!(), " AND ($3 OR owner = $4)");

const UPDATE: &str = concat!(
    "WITH begun AS (",
    begin_generation!("$22"),
    ")
    UPDATE links SET target = $2, target_hash = $3, title = $4, updated_at = $5, valid_from = $6, expires_at = $7,
        redirect_status = $8, forward_query = $9, active = $10, version = $11, max_clicks = $12, forward_path = $13,
        expired_url = $14, password_hash = $15, tags = $16, note = $17, code = $18, is_custom = $19, skeleton = $20, aliases = $21
    WHERE id = $1"
);

/// Triggers remove the clicks of the link, and the rest of what it said.
const DELETE: &str = concat!(
    "WITH begun AS (",
    begin_generation!("$4"),
    ")
    UPDATE links SET target = NULL, target_hash = NULL, title = NULL, skeleton = NULL, aliases = NULL, updated_at = $2,
        deleted_at = $2, version = $3
    WHERE id = $1"
);

fn update(link: &Link, begins: bool) -> Write {
    let parameters = vec![
        Box::new(link.id.0) as _,
        Box::new(link.target.as_str().to_owned()) as _,
        Box::new(target_hash::of(&link.target)) as _,
        Box::new(link.title.clone()) as _,
        Box::new(link.updated_at.as_millis()) as _,
        Box::new(link.valid_from.map(Timestamp::as_millis)) as _,
        Box::new(link.expires_at.map(Timestamp::as_millis)) as _,
        Box::new(status(link.redirect_status)) as _,
        Box::new(link.forward_query) as _,
        Box::new(link.active) as _,
        Box::new(link.version.0.cast_signed()) as _,
        Box::new(link.max_clicks.map(i64::from)) as _,
        Box::new(link.forward_path.then_some(true)) as _,
        Box::new(link.expired_url.as_ref().map(ToString::to_string)) as _,
        Box::new(link.password.as_ref().map(|hash| hash.as_str().to_owned())) as _,
        Box::new(stored(&link.tags)) as _,
        Box::new(link.note.clone()) as _,
        Box::new(link.code.as_str().to_owned()) as _,
        Box::new(link.origin == CodeOrigin::Custom) as _,
        Box::new(alias::skeleton(&link.code, link.origin)) as _,
        Box::new(stored(&link.aliases)) as _,
        Box::new(begins) as _,
    ];
    Write { sql: UPDATE, parameters }
}

/// Tags or codes as the database has them.
fn stored(texts: &[impl ToString]) -> Option<Vec<String>> {
    (!texts.is_empty()).then(|| texts.iter().map(ToString::to_string).collect())
}

/// A status as the database has it.
pub(super) fn status(status: Option<RedirectStatus>) -> Option<i16> {
    status.map(|status| status.as_u16().cast_signed())
}

#[test]
fn pgbench_asks_what_a_visit_asks() {
    let script = include_str!("../../benches/lookup.sql");
    let asked = format!("{};", LEAD.replace("$1", "0").replace("$2", ":code"));
    assert!(script.lines().any(|line| line == asked), "benches/lookup.sql must have this line: {asked}");
}

//! The SQL for making links, many in one statement.

mod terms;

use std::collections::HashMap;

use hny_domain::{CodeOrigin, Link, LinkId, PasswordHash, Tag, Target, Timestamp, Version};
use tokio_postgres::Row;

use super::change::{BEGIN, LIMIT, in_turn};
use super::failure::Failure;
use super::generation::begin_generation;
use super::session::Session;
use super::{link, row};
use crate::rights::Rights;
use crate::{Insertion, NewLink, Receipt, target_hash};

/// Takes as many versions. The lock of this row is held to the end of the transaction, so what the next statement sees of links
/// is what they are.
pub(super) const TAKE: &str = "UPDATE sequence SET version = version + $1::bigint";

/// Makes the links, in the order of the arrays, and says what became of each: its version, or NULL for a lookalike. No row comes
/// for one whose code is taken.
///
/// The unique index on (domain, code) decides: the row is new, or it was a tombstone that this caller may take, or no row is
/// written. A code that is taken itself is told before one that looks like another: choosing it again with leave would be in vain.
const INSERT: &str = concat!(
    r#"
    WITH wanted AS (
        SELECT w.*, (SELECT s.version FROM sequence s) - cardinality($1) + w.place AS version
        FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::boolean[], $5::bigint[], $6::text[], $7::bigint[], $8::text[],
            $9::bigint[], $10::bigint[], $11::bigint[], $12::smallint[], $13::boolean[], $14::boolean[], $15::boolean[],
            $16::text[], $17::boolean[], $18::bigint[], $19::boolean[], $20::text[], $21::text[], $22::text[], $23::text[])
            WITH ORDINALITY
            AS w (id, domain, code, is_custom, owner, target, target_hash, title, now, valid_from, expires_at, redirect_status,
                forward_query, active, private, skeleton, allow_lookalike, max_clicks, forward_path, expired_url,
                password_hash, tags, note, place)
    ), lookalikes AS (
        SELECT w.id, EXISTS (
            SELECT FROM links l WHERE l.domain = w.domain AND l.code = w.code COLLATE "C" AND (l.deleted_at IS NULL OR l.alias_of IS NOT NULL)
        ) AS is_taken
        FROM wanted w
        WHERE w.skeleton IS NOT NULL AND NOT w.allow_lookalike AND EXISTS (
            SELECT FROM links l
            WHERE l.domain = w.domain AND l.skeleton = w.skeleton COLLATE "C" AND l.code <> w.code COLLATE "C"
        )
    ), inserted AS (
        INSERT INTO links (id, domain, code, is_custom, owner, target, target_hash, title, created_at, updated_at, valid_from,
            expires_at, redirect_status, forward_query, active, private, skeleton, version, max_clicks, forward_path,
            expired_url, password_hash, tags, note)
        SELECT w.id, w.domain, w.code, w.is_custom, w.owner, w.target, w.target_hash, w.title, w.now, w.now, w.valid_from,
            w.expires_at, w.redirect_status, w.forward_query, w.active, w.private, w.skeleton, w.version, w.max_clicks,
            w.forward_path, w.expired_url, w.password_hash, string_to_array(w.tags, E'\n'), w.note
        FROM wanted w
        WHERE w.id NOT IN (SELECT id FROM lookalikes)
        ORDER BY w.place
        ON CONFLICT (domain, code) DO UPDATE SET
            id = excluded.id, owner = excluded.owner, target = excluded.target, target_hash = excluded.target_hash,
            title = excluded.title, created_at = excluded.created_at, updated_at = excluded.updated_at,
            valid_from = excluded.valid_from, expires_at = excluded.expires_at,
            redirect_status = excluded.redirect_status, forward_query = excluded.forward_query,
            active = excluded.active, version = excluded.version, private = excluded.private,
            skeleton = excluded.skeleton, max_clicks = excluded.max_clicks, forward_path = excluded.forward_path,
            expired_url = excluded.expired_url, password_hash = excluded.password_hash, tags = excluded.tags,
            note = excluded.note, aliases = NULL, deleted_at = NULL
        WHERE links.deleted_at IS NOT NULL AND links.alias_of IS NULL AND links.is_custom AND excluded.is_custom
            AND (excluded.id = ANY ($24::bigint[]) OR links.owner = excluded.owner)
        RETURNING id, version
    ), begun AS ("#,
    begin_generation!("$25 AND EXISTS (SELECT FROM inserted)"),
    ")
    SELECT id, version FROM inserted
    UNION ALL
    SELECT id, NULL FROM lookalikes WHERE NOT is_taken"
);

/// Which of these links are there.
const FIND_ALL: &str = "SELECT id, version FROM links WHERE id = ANY ($1::bigint[])";

/// What became of each link that was to be made. One that is not named is taken.
pub(super) type Outcomes = HashMap<LinkId, Outcome>;

/// What became of a link that was to be made.
#[derive(Debug)]
pub(super) enum Outcome {
    Made(Version),
    Lookalike,
    /// Another will do.
    Found(Box<Link>),
    /// Its request was answered before.
    Answered(Receipt),
}

/// What is told of a link that was to be made.
pub(super) fn insertion(link: NewLink, outcome: Option<&Outcome>) -> Insertion {
    match outcome {
        Some(Outcome::Made(version)) => Insertion::Inserted(link.into_link(*version)),
        Some(Outcome::Lookalike) => Insertion::Lookalike,
        Some(Outcome::Found(link)) => Insertion::Found(Link::clone(link)),
        Some(Outcome::Answered(receipt)) => Insertion::Answered(receipt.clone()),
        None => Insertion::CodeTaken,
    }
}

/// Makes links, all in one transaction. They must be sorted by domain and code, and no code may appear twice, nor two that look
/// alike. Another generation of the shared cache begins with them where that is asked for. After an error nothing was changed, unless
/// it is a loss.
pub(super) async fn insert(session: &Session, links: &[NewLink], begins: bool) -> Result<Outcomes, Failure> {
    if links.iter().any(|link| !link.terms.is_empty()) {
        return terms::insert(session, links, begins).await;
    }
    let rows = session
        .within(LIMIT, async {
            let (take, insert) = (session.statement(TAKE).await?, session.statement(INSERT).await?);
            let count = i64::try_from(links.len()).unwrap_or(i64::MAX);
            let arrays = Arrays { begins, ..Arrays::of(links) };
            let (client, count, parameters) = (session.client(), &[&count as _], arrays.parameters());
            // All four are on their way before the first is answered.
            let (begun, taken, inserted, committed) = tokio::join!(
                biased;
                client.batch_execute(BEGIN),
                client.execute(&take, count),
                client.query(&insert, &parameters),
                client.batch_execute("COMMIT"),
            );
            begun?;
            taken?;
            let inserted = inserted?;
            committed?;
            Ok(inserted)
        })
        .await?;
    outcomes(&rows)
}

/// What became of links to whose making no answer came. It waits until that is certain.
pub(super) async fn look_up(session: &Session, links: &[NewLink]) -> Result<Outcomes, Failure> {
    let ids: Vec<i64> = links.iter().map(|link| link.id.0).collect();
    let rows = in_turn(session, FIND_ALL, &[&ids]).await?;
    outcomes(&rows)
}

fn outcomes(rows: &[Row]) -> Result<Outcomes, Failure> {
    let outcome = |row: &Row| {
        let version: Option<i64> = row::get(row, 1)?;
        let made = |version: i64| Outcome::Made(Version(version.cast_unsigned()));
        Ok((LinkId(row::get(row, 0)?), version.map_or(Outcome::Lookalike, made)))
    };
    rows.iter().map(outcome).collect()
}

/// The columns of many links, as the statement takes them.
#[derive(Default)]
struct Arrays<'a> {
    ids: Vec<i64>,
    domains: Vec<i32>,
    codes: Vec<&'a str>,
    are_custom: Vec<bool>,
    owners: Vec<Option<i64>>,
    targets: Vec<&'a str>,
    target_hashes: Vec<i64>,
    titles: Vec<Option<&'a str>>,
    times: Vec<i64>,
    valid_from: Vec<Option<i64>>,
    expire_at: Vec<Option<i64>>,
    statuses: Vec<Option<i16>>,
    forward_queries: Vec<Option<bool>>,
    active: Vec<bool>,
    private: Vec<bool>,
    skeletons: Vec<Option<String>>,
    allow_lookalikes: Vec<bool>,
    max_clicks: Vec<Option<i64>>,
    forward_paths: Vec<Option<bool>>,
    expired_urls: Vec<Option<&'a str>>,
    password_hashes: Vec<Option<&'a str>>,
    /// Each a line; an array of arrays would lose where one ends.
    tags: Vec<Option<String>>,
    notes: Vec<Option<&'a str>>,
    /// The ids of those that admins make.
    of_admins: Vec<i64>,
    /// Whether a generation begins, with all of them.
    begins: bool,
}

impl<'a> Arrays<'a> {
    fn of(links: impl IntoIterator<Item = &'a NewLink>) -> Self {
        let mut arrays = Self::default();
        for link in links {
            arrays.push(link);
        }
        arrays
    }

    fn push(&mut self, new: &'a NewLink) {
        let NewLink { id, domain, code, origin, draft, caller, now, terms: _ } = new;
        self.ids.push(id.0);
        self.domains.push(link::id(*domain));
        self.codes.push(code.as_str());
        self.are_custom.push(*origin == CodeOrigin::Custom);
        self.owners.push(caller.owner().map(|owner| owner.0));
        self.targets.push(draft.target.as_str());
        self.target_hashes.push(target_hash::of(&draft.target));
        self.titles.push(draft.title.as_deref());
        self.times.push(now.as_millis());
        self.valid_from.push(draft.valid_from.map(Timestamp::as_millis));
        self.expire_at.push(draft.expires_at.map(Timestamp::as_millis));
        self.statuses.push(link::status(draft.redirect_status));
        self.forward_queries.push(draft.forward_query);
        self.active.push(draft.active);
        self.private.push(draft.private);
        self.skeletons.push(new.skeleton());
        self.allow_lookalikes.push(draft.allow_lookalike);
        self.max_clicks.push(draft.max_clicks.map(i64::from));
        self.forward_paths.push(draft.forward_path.then_some(true));
        self.expired_urls.push(draft.expired_url.as_ref().map(Target::as_str));
        self.password_hashes.push(draft.password.as_ref().map(PasswordHash::as_str));
        self.tags.push(lines(&draft.tags));
        self.notes.push(draft.note.as_deref());
        if Rights::to_take_over(*caller, *domain).any_owner {
            self.of_admins.push(id.0);
        }
    }

    fn parameters(&self) -> [&(dyn tokio_postgres::types::ToSql + Sync); 25] {
        [
            &self.ids,
            &self.domains,
            &self.codes,
            &self.are_custom,
            &self.owners,
            &self.targets,
            &self.target_hashes,
            &self.titles,
            &self.times,
            &self.valid_from,
            &self.expire_at,
            &self.statuses,
            &self.forward_queries,
            &self.active,
            &self.private,
            &self.skeletons,
            &self.allow_lookalikes,
            &self.max_clicks,
            &self.forward_paths,
            &self.expired_urls,
            &self.password_hashes,
            &self.tags,
            &self.notes,
            &self.of_admins,
            &self.begins,
        ]
    }
}

/// Tags, a line for each: no tag has a line end in it.
fn lines(tags: &[Tag]) -> Option<String> {
    let texts: Vec<_> = tags.iter().map(Tag::as_str).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

//! `GET /api/v1/links/{code}/clicks`

use axum::extract::State;
use axum::response::IntoResponse;
use hny_clicks::{Cursor, Page, span_of};
use hny_domain::{Caller, Code, DomainId, LinkId, Problems, Span, Timestamp};
use hny_wire::{ClickPage, ClickView};
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};

use super::export::{Export, Lines};
use crate::answer::{Outcome, json};
use crate::app::App;
use crate::cache_policy::CachePolicy;
use crate::extract::{KeyHolder, Parameters, PathCode, invalid};
use crate::problem::Failure;

/// How many clicks a page has that does not say.
pub(crate) const USUAL: u32 = 100;

/// How many clicks a page may have, and how many are read at once where all are wanted.
pub(crate) const MOST: u32 = 1_000;

/// What is asked.
struct Asked {
    span: Span,
    form: Form,
}

/// In what form.
enum Form {
    /// A page in JSON, so long, from behind a click on.
    Page(u32, Option<Cursor>),
    /// All, in lines.
    Lines(Lines),
}

/// The visits of a link, one by one.
pub(crate) async fn clicks(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    PathCode(code): PathCode,
    parameters: Parameters,
) -> Outcome {
    let Asked { span, form } = asked(&parameters, app.clock.now())?;
    let domain = parameters.domain();
    let link = app.links.find(caller, (domain, &code)).await?.id;
    match form {
        Form::Page(limit, after) => {
            let page = app.statistics.clicks(link, span, after, limit).await?;
            let items = page.clicks.iter().map(ClickView::of).collect();
            Ok(json(StatusCode::OK, &ClickPage { items, next: page.next.map(|next| next.to_string()) }))
        }
        Form::Lines(lines) => {
            let of = code.clone();
            let fetch = move |after| all(App::clone(&app), (caller, domain, of.clone(), link), span, after);
            // The first page before the head: what fails then has a status that says so.
            let first = fetch(None).await?;
            Ok(attachment(&code, lines, axum::body::Body::new(Export::new(lines, first, fetch))))
        }
    }
}

/// A page of all clicks of a link.
async fn all(
    app: App,
    (caller, domain, code, link): (Caller, DomainId, Code, LinkId),
    span: Span,
    after: Option<Cursor>,
) -> Result<Page, Failure> {
    let page = app.statistics.clicks(link, span, after, MOST).await?;
    if page.next.is_none() {
        // A link that is deleted meanwhile has no more clicks: that would not be the end of them.
        app.links.find(caller, (domain, &code)).await?;
    }
    Ok(page)
}

fn asked(parameters: &Parameters, now: Timestamp) -> Result<Asked, Failure> {
    let [from, to, limit, cursor, format] = parameters.only(["from", "to", "limit", "cursor", "format"])?;
    let mut problems = Problems::default();
    let form = match format {
        None | Some("json") => page(limit, cursor, &mut problems),
        Some(format) => {
            for (name, value) in [("limit", limit), ("cursor", cursor)] {
                if value.is_some() {
                    problems
                        .note(name, "only pages have it, which are JSON; in every other format all clicks are sent");
                }
            }
            problems.take("format", Lines::of_name(format).ok_or("it is json, csv or jsonl")).map(Form::Lines)
        }
    };
    let span = problems.take_all(span_of(from, to, now));
    let asked = form.zip(span).map(|(form, span)| Asked { span, form });
    problems.finish(asked).map_err(invalid)
}

/// The page that is asked for.
fn page(limit: Option<&str>, cursor: Option<&str>, problems: &mut Problems) -> Option<Form> {
    let limit = limit.map_or(Some(USUAL), |text| {
        let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
        problems.take("limit", number.ok_or_else(|| format!("it is a number from 1 to {MOST}")))
    });
    let cursor = cursor.map_or(Some(None), |text| problems.take("cursor", text.parse().map(Some)));
    Some(Form::Page(limit?, cursor?))
}

/// What a browser saves as a file.
fn attachment(code: &Code, lines: Lines, body: axum::body::Body) -> axum::response::Response {
    let name = format!("attachment; filename=\"clicks-{code}.{}\"", lines.name());
    let headers = [
        (CONTENT_TYPE, lines.media_type()),
        // A code is letters, digits, and signs that need no quoting.
        (CONTENT_DISPOSITION, HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("attachment"))),
        (CACHE_CONTROL, CachePolicy::NoStore.header()),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (StatusCode::OK, headers, body).into_response()
}

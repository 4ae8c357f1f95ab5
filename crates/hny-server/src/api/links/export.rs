//! All clicks of a link as the body of an answer, page by page.
//!
//! A page is asked for when the client has taken the one before, so that there is never more than one in memory, however slow the
//! client and however many the clicks.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hny_clicks::{Cursor, Page};
use hny_wire::{ClickView, csv};
use http::HeaderValue;
use http_body::{Body, Frame};
use thiserror::Error;

use crate::problem::Failure;

/// How a click becomes a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Comma-separated values.
    Csv,
    /// JSON Lines.
    Json,
}

impl Lines {
    /// What it is called in a query, and at the end of a file's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "jsonl",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        [Self::Csv, Self::Json].into_iter().find(|lines| lines.name() == name)
    }

    pub(super) const fn media_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/jsonl",
        })
    }

    /// What stands before the first line.
    const fn head(self) -> &'static str {
        match self {
            Self::Csv => csv::HEADER,
            Self::Json => "",
        }
    }

    fn push(self, text: &mut String, click: &ClickView<'_>) {
        match self {
            Self::Csv => csv::push_line(text, click),
            Self::Json => {
                // Strings only: there is nothing in a click that could fail to become JSON.
                text.push_str(&serde_json::to_string(click).unwrap_or_default());
                text.push('\n');
            }
        }
    }
}

/// A page that is asked for.
type Fetching = Pin<Box<dyn Future<Output = Result<Page, Failure>> + Send>>;

/// The body does not go on. Its head is out, with a status that says all is well: so the connection breaks, and nobody takes what came for
/// the whole.
#[derive(Debug, Error)]
#[error("a download is broken off")]
pub(super) struct BrokenOff;

/// The body.
pub(super) struct Export<F> {
    lines: Lines,
    fetch: F,
    /// What is to be written before the next page.
    text: String,
    step: Step,
}

enum Step {
    Has(Page),
    Waits(Fetching),
    Ended,
}

impl<F, P> Export<F>
where
    F: Fn(Option<Cursor>) -> P,
    P: Future<Output = Result<Page, Failure>> + Send + 'static,
{
    /// The lines of the first page, and of all that `fetch` brings behind it.
    pub(super) fn new(lines: Lines, first: Page, fetch: F) -> Self {
        Self { lines, fetch, text: lines.head().to_owned(), step: Step::Has(first) }
    }

    /// A page in lines; the next one is asked for.
    fn write(&mut self, page: &Page) -> Bytes {
        let mut text = std::mem::take(&mut self.text);
        page.clicks.iter().for_each(|click| self.lines.push(&mut text, &ClickView::of(click)));
        self.step = match page.next {
            Some(next) => Step::Waits(Box::pin((self.fetch)(Some(next)))),
            None => Step::Ended,
        };
        text.into()
    }
}

impl<F, P> Body for Export<F>
where
    F: Fn(Option<Cursor>) -> P + Unpin,
    P: Future<Output = Result<Page, Failure>> + Send + 'static,
{
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        let export = self.get_mut();
        let page = match &mut export.step {
            Step::Ended => return Poll::Ready(None),
            Step::Has(page) => std::mem::take(page),
            Step::Waits(fetching) => match ready!(fetching.as_mut().poll(cx)) {
                Ok(page) => page,
                Err(Failure(problem)) => {
                    tracing::warn!(why = problem.detail, "{BrokenOff}");
                    export.step = Step::Ended;
                    return Poll::Ready(Some(Err(BrokenOff)));
                }
            },
        };
        let bytes = export.write(&page);
        if bytes.is_empty() {
            return Poll::Ready(None);
        }
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests;

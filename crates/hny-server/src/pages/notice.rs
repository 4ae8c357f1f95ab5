//! The page that says what went wrong. It repeats nothing of the request, so that nothing can be put into it.

use askama::Template;
use hny_wire::Problem;

#[derive(Template)]
#[template(path = "notice.html")]
pub(super) struct Notice<'a> {
    prefix: &'a str,
    status: u16,
    title: &'a str,
    detail: &'a str,
}

impl<'a> Notice<'a> {
    pub(super) fn of(problem: &'a Problem, prefix: &'a str) -> Self {
        Self { prefix, status: problem.status, title: problem.title, detail: &problem.detail }
    }
}

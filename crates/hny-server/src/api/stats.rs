//! `GET /api/v1/stats`

use axum::extract::State;
use hny_clicks::{Question, QuestionInput};
use hny_domain::{Caller, Scope};
use hny_wire::Stats;
use http::StatusCode;

use super::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters, invalid};
use crate::problem::{Failure, key_needed};

/// How often the links were followed that are the caller's; for an admin, all links.
pub(crate) async fn stats(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    let question = question(&app, &parameters)?;
    answer(&app, scope(caller)?, &question).await
}

/// The links that a caller answers for.
fn scope(caller: Caller) -> Result<Scope, Failure> {
    caller.sights().map(Scope::from).ok_or_else(|| Failure(key_needed()))
}

/// What is asked by the parameters of a query.
pub(super) fn question(app: &App, parameters: &Parameters) -> Result<Question, Failure> {
    let [from, to, interval, tz, group_by] = parameters.only(["from", "to", "interval", "tz", "groupBy"])?;
    QuestionInput { from, to, interval, tz, group_by }.check(app.clock.now()).map_err(invalid)
}

/// The answer to a question.
pub(super) async fn answer(app: &App, scope: Scope, question: &Question) -> Outcome {
    let report = app.statistics.of(scope, question).await?;
    Ok(json(StatusCode::OK, &Stats::of(&report)))
}

#[cfg(test)]
mod tests {
    use hny_domain::{KeyId, Role};

    use super::*;

    #[test]
    fn everyone_answers_for_what_it_sees() {
        let of = |caller| scope(caller).ok();
        assert_eq!(of(Caller::Operator), Some(Scope::All));
        for (role, expected) in [(Role::Admin, Scope::All), (Role::Creator, Scope::Owner(KeyId(3)))] {
            assert_eq!(of(Caller::Key(KeyId(3), role.into())), Some(expected));
        }
        assert_eq!(of(Caller::Anonymous), None);
    }
}

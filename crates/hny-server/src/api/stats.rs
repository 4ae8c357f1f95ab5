//! `GET /api/v1/stats`

use axum::extract::State;
use hny_clicks::{Question, QuestionInput};
use hny_domain::{Caller, DomainId, FieldError, Scope};
use hny_service::Error;
use hny_wire::Stats;
use http::StatusCode;

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters, invalid};
use crate::problem::{Failure, key_needed};

/// How often the links were followed that the caller sees; on one domain, if that is named.
pub(crate) async fn stats(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    let question = question(&app, &parameters)?;
    answer(&app, scope(caller, parameters.named_domain())?, &question).await
}

/// The links that are asked about.
fn scope(caller: Caller, named: Option<DomainId>) -> Result<Scope, Failure> {
    let sight = caller.sights().ok_or_else(|| Failure(key_needed()))?;
    let Some(domain) = named else { return Ok(sight.into()) };
    if sight.owner.is_some() && sight.domain.is_none() {
        // They are counted by owner or by domain, not by both.
        let detail = "a key that has its own links only asks about all of them; leave the domain out";
        return Err(invalid(vec![FieldError::new("domain", detail)]));
    }
    sight.on(domain).map(Scope::from).ok_or_else(|| Error::NotAllowed.into())
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
    use hny_domain::{Grant, KeyId, Role};

    use super::*;

    #[test]
    fn everyone_answers_for_what_it_sees() {
        let of = |caller| scope(caller, None).ok();
        assert_eq!(of(Caller::Operator), Some(Scope::All));
        for (role, expected) in [(Role::Admin, Scope::All), (Role::Creator, Scope::Owner(KeyId(3)))] {
            assert_eq!(of(Caller::Key(KeyId(3), role.into())), Some(expected));
        }
        assert_eq!(of(Caller::Anonymous), None);
    }

    #[test]
    fn a_domain_may_be_asked_about_by_whoever_sees_all_on_it() {
        let (here, there) = (DomainId::BASE, DomainId(7));
        let key = |role, domain| Caller::Key(KeyId(3), Grant::new(role, false, domain).unwrap());
        let of = |caller, domain| scope(caller, Some(domain)).map_err(|Failure(problem)| problem.status);
        for caller in [Caller::Operator, key(Role::Reader, None), key(Role::Editor, Some(there))] {
            assert_eq!(of(caller, there).unwrap(), Scope::Domain(there));
        }
        assert_eq!(of(key(Role::Admin, None), here).unwrap(), Scope::Domain(here));
        assert_eq!(of(key(Role::Admin, Some(there)), here).unwrap_err(), 403);
        assert_eq!(of(key(Role::Creator, Some(there)), there).unwrap(), Scope::Owner(KeyId(3)));
        assert_eq!(of(key(Role::Creator, Some(there)), here).unwrap_err(), 403);
        assert_eq!(of(key(Role::Creator, None), here).unwrap_err(), 400);
        assert_eq!(of(Caller::Anonymous, here).unwrap_err(), 401);
    }
}

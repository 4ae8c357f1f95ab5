//! Making a link, by whichever path it is asked for.

use hny_domain::{Caller, Link};
use hny_guard::Client;
use hny_service::{Answer, Created, Making, Told, Turn, Wish};
use hny_wire::NewLink;

use super::create_limit::within_limit;
use super::password::hashed;
use crate::answer::{Outcome, refused, reply};
use crate::app::{App, Parts};
use crate::extract::{Parameters, Posted};
use crate::problem::of_service;

/// How a path shows a link that was made, or, if not, was there already.
pub(super) type Show = fn(&Parts, &Link, is_new: bool) -> Answer;

/// Makes the link that is posted and answers as `show` does. A body without a domain means that of the query.
pub(super) async fn make_posted(
    app: &App,
    from: (Caller, Client),
    parameters: &Parameters,
    mut posted: Posted<NewLink>,
    show: Show,
) -> Outcome {
    posted.shape.domain = posted.shape.domain.take().or_else(|| parameters.domain_name());
    let making = async |turn: Option<&_>| {
        // Who may not make links hears that, and no more.
        app.links.check_rights(from.0, posted.shape.input())?;
        parameters.only([])?;
        let wish = app.links.wish(from.0, posted.shape.input())?;
        let wish = hashed(app, wish, posted.shape.password()).await?;
        Box::pin(make(app, from, wish, turn, show)).await
    };
    Box::pin(posted.once(app, from, making)).await
}

/// Makes a link and answers as `show` does. A request that may come again is answered the same then.
async fn make(app: &App, from: (Caller, Client), wish: Wish, turn: Option<&Turn>, show: Show) -> Outcome {
    let wish = match turn {
        Some(turn) => wish.answering(turn, say(App::clone(app), show)),
        None => wish,
    };
    let making = async {
        match app.links.make(&wish).await? {
            Making::Answered(answer) => Ok(reply(answer)),
            Making::Created(Created { link, is_new: true }) => {
                app.metrics.link_created();
                Ok(reply(show(app, &link, true)))
            }
            Making::Created(Created { link, is_new: false }) => {
                let answer = show(app, &link, false);
                Ok(reply(match turn {
                    Some(turn) => app.receipts.keep(turn, answer).await?,
                    None => answer,
                }))
            }
        }
    };
    // Large, and handed from one to the next.
    within_limit(app, from, Box::pin(making)).await
}

fn say(app: App, show: Show) -> impl Fn(Told<'_>) -> Answer {
    move |told| match told {
        Told::Made(link) => show(&app, link, true),
        Told::Found(link) => show(&app, link, false),
        Told::Refused(error) => refused(&of_service(error)),
    }
}

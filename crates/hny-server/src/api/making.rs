//! Making a link, by whichever path it is asked for.

use hny_domain::{Caller, Link};
use hny_guard::Client;
use hny_service::{Answer, Created, Making, Told, Turn, Wish};

use super::Outcome;
use super::answer::{refused, reply};
use super::create_limit::within_limit;
use crate::app::{App, Parts};
use crate::problem::of_service;

/// How a path shows a link that was made, or, if not, was there already.
pub(super) type Show = fn(&Parts, &Link, is_new: bool) -> Answer;

/// Makes a link and answers as `show` does. A request that may come again is answered the same then.
pub(super) async fn make(app: &App, from: (Caller, Client), wish: Wish, turn: Option<&Turn>, show: Show) -> Outcome {
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

//! Where links may lead, whichever verb would lead them there.

use hny_domain::{Caller, DraftInput, EditInput, Expected, Patch, TargetError};
use hny_service::{Error, Screen};

use crate::service::{Choice, Database, Service, plain, random};
use crate::words::Words;

const EVIL: &str = "https://evil.example/";

fn fields(error: Error) -> Vec<String> {
    let Error::Invalid(fields) = error else { panic!("{error:?}") };
    fields.into_iter().map(|field| field.field).collect()
}

#[tokio::test]
async fn a_link_can_neither_be_made_nor_changed_to_lead_where_it_may_not() {
    let rules = |target: &hny_domain::Target| if target.as_str() == EVIL { Err(TargetError::Blocked) } else { Ok(()) };
    let choice = Choice { words: Words::of(&["aB3x9zQ"]), screen: Screen::new(rules), ..Choice::default() };
    let service = Service::new(&Database::new().store().await, random(7), choice);
    for caller in [Caller::Anonymous, Caller::Operator] {
        let input = DraftInput { original_url: Some("https://EVIL.example"), ..DraftInput::default() };
        assert_eq!(fields(service.links.wish(caller, input).unwrap_err()), ["originalUrl"]);
    }
    let link = service.links.create(Caller::Operator, plain()).await.unwrap().link;
    let edit = EditInput { original_url: Patch::Set(EVIL), ..EditInput::default() };
    assert_eq!(
        fields(
            service
                .links
                .edit(Caller::Operator, (link.domain, &link.code), edit, None, Expected::Any)
                .await
                .unwrap_err()
        ),
        ["originalUrl"]
    );
    assert_eq!(service.links.find(Caller::Operator, (link.domain, &link.code)).await.unwrap(), link);
    let edit = EditInput { expired_url: Patch::Set(EVIL), ..EditInput::default() };
    assert_eq!(
        fields(
            service
                .links
                .edit(Caller::Operator, (link.domain, &link.code), edit, None, Expected::Any)
                .await
                .unwrap_err()
        ),
        ["expiredUrl"]
    );
    let input = DraftInput { original_url: Some(EVIL), expired_url: Some(EVIL), ..DraftInput::default() };
    assert_eq!(fields(service.links.wish(Caller::Operator, input).unwrap_err()), ["originalUrl", "expiredUrl"]);
    let edit = EditInput { title: Patch::Set("still"), ..EditInput::default() };
    assert!(
        service.links.edit(Caller::Operator, (link.domain, &link.code), edit, None, Expected::Any).await.is_ok(),
        "nothing new is asked about"
    );
}

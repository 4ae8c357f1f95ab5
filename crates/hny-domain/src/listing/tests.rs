use std::sync::Arc;

use super::*;
use crate::{BaseUrl, Code, CodeOrigin, Domains, Draft, KeyId, Target, Version};

const NOW: Timestamp = Timestamp::from_millis(1_900_000_000_000);

fn check(input: ListInput<'_>) -> Result<Listing, Vec<String>> {
    let base = BaseUrl::parse("https://hny.example").unwrap();
    input.check(&Domains::one(Arc::new(base))).map_err(|errors| errors.into_iter().map(|error| error.field).collect())
}

fn link() -> Link {
    let draft = Draft::plain(Target::parse("https://example.com/Path").unwrap());
    Link {
        id: LinkId(1),
        domain: DomainId::BASE,
        code: Code::parse("aB3x9zQ").unwrap(),
        origin: CodeOrigin::Generated,
        aliases: Vec::new(),
        target: draft.target,
        owner: Some(KeyId(1)),
        created_at: NOW,
        updated_at: NOW,
        valid_from: None,
        expires_at: None,
        max_clicks: None,
        clicks_used: 0,
        redirect_status: None,
        forward_query: None,
        forward_path: false,
        expired_url: None,
        password: None,
        private: false,
        title: Some("Frühling Sale".to_owned()),
        tags: vec![Tag::parse("ÄPFEL").unwrap(), Tag::parse("news").unwrap()],
        note: Some("secret".to_owned()),
        active: true,
        version: Version(1),
    }
}

#[test]
fn nothing_asked_is_the_newest_fifty() {
    let listing = check(ListInput::default()).unwrap();
    assert_eq!(listing, Listing { filter: Filter::default(), order: Order::NEWEST, after: None, limit: 50 });
    assert!(listing.filter.admits_all() && listing.filter.admits(&link(), NOW));
}

#[test]
fn bad_values_are_named_all_at_once() {
    let bad = ListInput {
        search: Some(""),
        tag: Some(" "),
        domain: Some("other.example"),
        state: Some("Active"),
        created_from: Some("2030-01-01"),
        created_to: Some("x"),
        order: Some("title;--"),
        cursor: None,
        limit: Some("0"),
    };
    let fields = ["search", "tag", "domain", "state", "createdFrom", "createdTo", "order", "limit"];
    assert_eq!(check(bad), Err(fields.map(str::to_owned).to_vec()));
    for limit in ["-1", "201", "1e12", "1000000000000", "abc", "1;DROP TABLE x", "1 UNION SELECT 1", ""] {
        let input = ListInput { limit: Some(limit), ..ListInput::default() };
        assert_eq!(check(input), Err(vec!["limit".to_owned()]), "{limit}");
    }
    assert_eq!(check(ListInput { limit: Some("200"), ..ListInput::default() }).unwrap().limit, 200);
}

#[test]
fn a_place_is_read_as_it_is_written_and_only_in_its_order() {
    let places = [
        ("created", Place { clicks: None, link: LinkId(0) }),
        ("-created", Place { clicks: None, link: LinkId(i64::MAX) }),
        ("clicks", Place { clicks: Some(0), link: LinkId(7) }),
        ("-clicks", Place { clicks: Some(i64::MAX), link: LinkId(255) }),
    ];
    for (order, place) in places {
        let text = place.to_string();
        let read =
            |order: &'static str| check(ListInput { order: Some(order), cursor: Some(&text), ..ListInput::default() });
        assert_eq!(read(order).unwrap().after, Some(place));
        let other = if place.clicks.is_some() { "created" } else { "clicks" };
        assert_eq!(read(other), Err(vec!["cursor".to_owned()]), "{order}");
    }
    for text in ["", "-", "-1", "+1", "1-", "x", "1-2-3", "ffffffffffffffff", "1'"] {
        for order in ["created", "clicks"] {
            let input = ListInput { order: Some(order), cursor: Some(text), ..ListInput::default() };
            assert_eq!(check(input), Err(vec!["cursor".to_owned()]), "{order} {text}");
        }
    }
}

#[test]
fn a_search_finds_parts_of_code_target_title_and_tags() {
    let finds = |text: &str| {
        let listing = check(ListInput { search: Some(text), ..ListInput::default() }).unwrap();
        listing.filter.admits(&link(), NOW)
    };
    for text in ["aB3x9zQ", "ab3", "example.com/path", "PATH", "frühling", "FRÜHLING s", "äpfel", "NEWS"] {
        assert!(finds(text), "{text}");
    }
    for text in ["secret", "other", "fruhling", "%", "_", "aB3x9zQ "] {
        assert!(!finds(text), "{text}");
    }
}

#[test]
fn each_filter_is_asked() {
    let ok = |filter: Filter| filter.admits(&link(), NOW);
    let tag = |text| Some(Tag::parse(text).unwrap());
    let ms = |ms: i64| Some(Timestamp::from_millis(NOW.as_millis() + ms));
    let none = Filter::default;
    for (filter, is_admitted) in [
        (Filter { tag: tag("news"), ..none() }, true),
        (Filter { tag: tag("News"), ..none() }, false),
        (Filter { domain: Some(DomainId::BASE), ..none() }, true),
        (Filter { domain: Some(DomainId(1)), ..none() }, false),
        (Filter { state: Some(LinkState::Active), ..none() }, true),
        (Filter { state: Some(LinkState::Expired), ..none() }, false),
        (Filter { created_from: ms(0), ..none() }, true),
        (Filter { created_from: ms(1), ..none() }, false),
        (Filter { created_to: ms(1), ..none() }, true),
        (Filter { created_to: ms(0), ..none() }, false),
    ] {
        assert_eq!(ok(filter.clone()), is_admitted, "{filter:?}");
        assert!(!filter.admits_all());
    }
}

#[test]
fn no_link_made_in_time_is_outside_its_ids() {
    let id = |ms: i64| LinkId((ms - EPOCH_MS) << BELOW_MS);
    let filter = Filter { created_from: Some(NOW), created_to: Some(NOW), ..Filter::default() };
    let (first, last) = filter.ids();
    let ms = NOW.as_millis();
    assert!(first < id(ms - DAY_MS + 1) && id(ms + DAY_MS - 1) < last);
    assert!(first > id(ms - 2 * DAY_MS) && id(ms + 2 * DAY_MS) > last, "and not many others are between them");
    let long_ago = Timestamp::from_millis(0);
    let (first, _) = Filter { created_from: Some(long_ago), ..Filter::default() }.ids();
    assert!(first < LinkId(0));
    assert_eq!(Filter::default().ids(), (LinkId(i64::MIN), LinkId(i64::MAX)));
}

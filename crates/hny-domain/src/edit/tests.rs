use super::*;
use crate::{Code, CodeOrigin, DomainId, KeyId, LinkId, Version};

const NOW: Timestamp = Timestamp::from_millis(1_900_000_000_000);

fn full_link() -> Link {
    let at = |offset| Some(Timestamp::from_millis(NOW.as_millis() + offset));
    Link {
        id: LinkId(1),
        domain: DomainId::BASE,
        code: Code::parse("abc").unwrap(),
        origin: CodeOrigin::Custom,
        aliases: Vec::new(),
        target: Target::parse("https://example.com/").unwrap(),
        owner: Some(KeyId(3)),
        created_at: Timestamp::from_millis(1),
        updated_at: Timestamp::from_millis(1),
        valid_from: at(-1_000),
        expires_at: at(1_000),
        max_clicks: Some(5),
        clicks_used: 3,
        redirect_status: Some(RedirectStatus::TemporaryRedirect),
        forward_query: Some(false),
        forward_path: true,
        expired_url: Some(Target::parse("https://example.com/over").unwrap()),
        password: Some(PasswordHash::new("$argon2id$")),
        private: false,
        title: Some("title".to_owned()),
        tags: vec![Tag::parse("tag").unwrap()],
        note: Some("note".to_owned()),
        active: false,
        version: Version(1),
    }
}

fn edited(input: EditInput<'_>) -> Result<Link, Vec<String>> {
    let base = BaseUrl::parse("https://hny.example").unwrap();
    let fields = |errors: Vec<FieldError>| errors.into_iter().map(|error| error.field).collect::<Vec<_>>();
    let edit = input.check(&base, NOW).map_err(fields)?;
    let mut link = full_link();
    edit.apply_to(&mut link, NOW).map_err(|error| vec![error.field])?;
    Ok(link)
}

#[test]
fn an_absent_field_is_kept() {
    let link = edited(EditInput::default()).unwrap();
    assert_eq!(link, Link { updated_at: NOW, ..full_link() });
}

#[test]
fn null_clears() {
    let link = edited(EditInput {
        custom_code: Patch::Keep,
        keep_alias: None,
        allow_lookalike: None,
        original_url: Patch::Keep,
        expires_at: Patch::Clear,
        valid_from: Patch::Clear,
        max_clicks: Patch::Clear,
        redirect_status: Patch::Clear,
        forward_query: Patch::Clear,
        forward_path: Patch::Clear,
        expired_url: Patch::Clear,
        password: Patch::Clear,
        title: Patch::Clear,
        tags: Patch::Clear,
        note: Patch::Clear,
        active: Patch::Clear,
    })
    .unwrap();
    assert_eq!((link.max_clicks, link.expired_url, link.password, link.note), (None, None, None, None));
    assert!(link.tags.is_empty() && !link.forward_path && link.clicks_used == 3);
    assert_eq!((link.expires_at, link.valid_from, link.redirect_status), (None, None, None));
    assert_eq!((link.forward_query, link.title, link.active), (None, None, true));
}

#[test]
fn a_private_link_whose_code_can_be_guessed_keeps_its_password() {
    let secret = "abcdefghijklmnopqrstuv";
    for (private, code, origin, may_clear) in [
        (true, "abc", CodeOrigin::Custom, false),
        (true, "abcdefghij", CodeOrigin::Generated, false),
        (true, secret, CodeOrigin::Custom, false),
        (true, secret, CodeOrigin::Generated, true),
        (false, "abc", CodeOrigin::Custom, true),
    ] {
        let mut link = Link { private, code: Code::parse(code).unwrap(), origin, ..full_link() };
        let clearing = Edit { password: Patch::Clear, ..Edit::default() };
        assert_eq!(clearing.apply_to(&mut link, NOW).is_ok(), may_clear, "{private} {code} {origin:?}");
        let other = PasswordHash::new("$another");
        Edit::default().with_password(other.clone()).apply_to(&mut link, NOW).unwrap();
        assert_eq!(link.password, Some(other));
    }
}

#[test]
fn a_value_sets() {
    let link = edited(EditInput {
        original_url: Patch::Set("https://example.org/new"),
        expires_at: Patch::Set("2099-01-01T00:00:00Z"),
        redirect_status: Patch::Set(308),
        max_clicks: Patch::Set(6),
        forward_path: Patch::Set(false),
        expired_url: Patch::Set("https://example.org/over"),
        title: Patch::Set("new"),
        tags: Patch::Set(&["b".to_owned(), "a".to_owned()]),
        note: Patch::Set("two\nlines"),
        active: Patch::Set(true),
        ..EditInput::default()
    })
    .unwrap();
    assert_eq!(link.target.as_str(), "https://example.org/new");
    assert_eq!(link.redirect_status, Some(RedirectStatus::PermanentRedirect));
    assert_eq!((link.title.as_deref(), link.active, link.updated_at), (Some("new"), true, NOW));
    assert_eq!((link.max_clicks, link.forward_path, link.note.as_deref()), (Some(6), false, Some("two\nlines")));
    assert_eq!(link.tags.iter().map(Tag::as_str).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(link.expired_url.unwrap().as_str(), "https://example.org/over");
}

#[test]
fn bad_values_are_named_all_at_once() {
    let input = EditInput {
        original_url: Patch::Clear,
        expires_at: Patch::Set(""),
        max_clicks: Patch::Set(0),
        redirect_status: Patch::Set(0),
        expired_url: Patch::Set("https://hny.example/over"),
        password: Patch::Set(""),
        title: Patch::Set("\0"),
        tags: Patch::Set(&["a".to_owned(), "\n".to_owned()]),
        note: Patch::Set("\0"),
        ..EditInput::default()
    };
    let wrong = [
        "originalUrl",
        "expiresAt",
        "maxClicks",
        "redirectStatus",
        "expiredUrl",
        "password",
        "title",
        "tags[1]",
        "note",
    ];
    assert_eq!(edited(input).unwrap_err(), wrong);
}

#[test]
fn an_edit_may_not_lead_back_to_us() {
    let input = EditInput { original_url: Patch::Set("https://HNY.example.:443/x"), ..EditInput::default() };
    assert_eq!(edited(input).unwrap_err(), ["originalUrl"]);
}

#[test]
fn an_edited_link_must_live_for_some_time() {
    let begin = |start| EditInput { valid_from: Patch::Set(start), ..EditInput::default() };
    let end = full_link().expires_at.unwrap().to_string();
    assert_eq!(edited(begin(&end)).unwrap_err(), ["validFrom"]);
    let both = EditInput { expires_at: Patch::Clear, ..begin(&end) };
    assert_eq!(edited(both).unwrap().expires_at, None);
}

fn renamed(link: Link, code: &str, keep_alias: bool) -> Result<Link, String> {
    let base = BaseUrl::parse("https://hny.example").unwrap();
    let input = EditInput { custom_code: Patch::Set(code), keep_alias: Some(keep_alias), ..EditInput::default() };
    let mut renamed = link;
    let edit = input.check(&base, NOW).map_err(|errors| errors[0].field.clone())?;
    edit.apply_to(&mut renamed, NOW).map(|()| renamed).map_err(|error| error.field)
}

#[test]
fn a_link_keeps_its_old_code_as_an_alias_if_asked() {
    let alone = renamed(full_link(), "new", false).unwrap();
    assert_eq!((alone.code.as_str(), alone.aliases.len()), ("new", 0));
    let drawn = Link { origin: CodeOrigin::Generated, ..full_link() };
    let kept = renamed(drawn, "new", true).unwrap();
    assert_eq!((kept.origin, &*kept.aliases), (CodeOrigin::Custom, &[Code::parse("abc").unwrap()][..]));
    let versions: Vec<_> = kept.codes().map(|(code, version)| (code.as_str(), version.0)).collect();
    assert_eq!(versions, [("new", 1), ("abc", 2)]);
    let back = renamed(kept, "abc", true).unwrap();
    assert_eq!((back.code.as_str(), &*back.aliases), ("abc", &[Code::parse("new").unwrap()][..]));
    assert_eq!(renamed(back.clone(), "abc", true).unwrap().aliases, back.aliases, "it is no alias of itself");
}

#[test]
fn nobody_chooses_the_code_of_a_private_link_without_a_password() {
    let private = Link { private: true, ..full_link() };
    assert!(renamed(private.clone(), "new", true).is_ok());
    assert_eq!(renamed(Link { password: None, ..private }, "new", true), Err("customCode".to_owned()));
}

#[test]
fn aliases_have_an_end() {
    let mut link = full_link();
    for number in 0..20 {
        link = renamed(link, &format!("code{number}"), true).unwrap();
    }
    assert_eq!(renamed(link.clone(), "more", true), Err("keepAlias".to_owned()));
    assert_eq!(renamed(link, "more", false).unwrap().aliases.len(), 20);
}

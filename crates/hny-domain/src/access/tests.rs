use super::*;
use crate::Timestamp;

const ME: KeyId = KeyId(1);
const HERE: DomainId = DomainId::BASE;
const THERE: DomainId = DomainId(7);

fn key(role: Role, own_links: bool, domain: Option<DomainId>) -> Caller {
    Caller::Key(ME, Grant::new(role, own_links, domain).unwrap())
}

/// What a caller has of links that are mine, another key's and nobody's, on two domains: `-` nothing, `s` sees, `c` changes.
fn table(caller: Caller) -> String {
    let mut words = Vec::new();
    for domain in [HERE, THERE] {
        let letter = |owner| {
            let of = |sight: Option<Sight>| sight.is_some_and(|sight| sight.includes(owner, domain));
            match (of(caller.sights()), of(caller.changes())) {
                (true, true) => 'c',
                (true, false) => 's',
                (false, false) => '-',
                (false, true) => panic!("{caller:?} changes what it does not see"),
            }
        };
        words.push([Some(ME), Some(KeyId(2)), None].map(letter).iter().collect::<String>());
    }
    words.join(" ")
}

#[test]
fn the_links_that_each_role_sees_and_changes() {
    for (role, own_links, domain, expected) in [
        (Role::Admin, false, None, "ccc ccc"),
        (Role::Admin, false, Some(THERE), "--- ccc"),
        (Role::Editor, false, None, "ccc ccc"),
        (Role::Editor, true, None, "c-- c--"),
        (Role::Editor, false, Some(HERE), "ccc ---"),
        (Role::Editor, true, Some(HERE), "c-- ---"),
        (Role::Creator, false, None, "c-- c--"),
        (Role::Creator, true, None, "c-- c--"),
        (Role::Creator, false, Some(THERE), "--- c--"),
        (Role::Reader, false, None, "sss sss"),
        (Role::Reader, true, None, "s-- s--"),
        (Role::Reader, false, Some(THERE), "--- sss"),
        (Role::Reader, true, Some(THERE), "--- s--"),
    ] {
        assert_eq!(table(key(role, own_links, domain)), expected, "{role} {own_links} {domain:?}");
    }
    assert_eq!(table(Caller::Operator), "ccc ccc");
    assert_eq!(table(Caller::Anonymous), "--- ---");
}

#[test]
fn a_reader_makes_no_links_and_others_only_on_their_domain() {
    let domains = |caller: Caller| [HERE, THERE].map(|domain| caller.may_create_on(domain));
    for role in [Role::Admin, Role::Editor, Role::Creator] {
        assert_eq!(domains(key(role, false, None)), [true, true], "{role}");
        assert_eq!(domains(key(role, false, Some(THERE))), [false, true], "{role}");
    }
    assert_eq!(domains(key(Role::Reader, false, None)), [false, false]);
    assert_eq!(domains(key(Role::Reader, false, Some(HERE))), [false, false]);
    assert_eq!(domains(Caller::Operator), [true, true]);
}

#[test]
fn only_admins_manage_keys_and_none_a_mightier_one() {
    let grant = |role, domain| Grant::new(role, false, domain).unwrap();
    for role in [Role::Editor, Role::Creator, Role::Reader] {
        let caller = key(role, false, None);
        assert!(!caller.may_manage_keys() && !caller.may_manage(grant(Role::Reader, None)), "{role}");
    }
    assert!(!Caller::Anonymous.may_manage_keys());
    let (all, narrowed) = (key(Role::Admin, false, None), key(Role::Admin, false, Some(THERE)));
    for role in Role::ALL {
        assert!([None, Some(HERE), Some(THERE)].iter().all(|domain| all.may_manage(grant(role, *domain))));
        let managed = [None, Some(HERE), Some(THERE)].map(|domain| narrowed.may_manage(grant(role, domain)));
        assert_eq!(managed, [false, false, true], "{role}");
    }
    assert!(all.is_admin() && !narrowed.is_admin());
    assert!(narrowed.is_admin_of(THERE) && !narrowed.is_admin_of(HERE));
}

#[test]
fn a_key_is_seen_by_itself_and_by_those_who_may_revoke_it() {
    let made = |id, domain| {
        let grant = Grant::new(Role::Reader, false, domain).unwrap();
        let (name, created_at) = (String::new(), Timestamp::from_millis(0));
        ApiKey { id, name, grant, created_at, expires_at: None, revoked_at: None, last_used_at: None }
    };
    let [mine, other, there] = [made(ME, None), made(KeyId(2), None), made(KeyId(3), Some(THERE))];
    let seen = |caller: Caller| [&mine, &other, &there].map(|key| caller.sees_key(key));
    for role in [Role::Editor, Role::Creator, Role::Reader] {
        assert_eq!(seen(key(role, false, None)), [true, false, false], "{role}");
    }
    assert_eq!(seen(key(Role::Admin, false, None)), [true; 3]);
    assert_eq!(seen(key(Role::Admin, false, Some(THERE))), [true, false, true]);
    assert_eq!(seen(Caller::Operator), [true; 3]);
    assert_eq!(seen(Caller::Anonymous), [false; 3]);
}

#[test]
fn an_admin_is_not_narrowed_to_its_own_links() {
    assert_eq!(Grant::new(Role::Admin, true, None), Err(GrantError));
    assert_eq!(Grant::from(Role::Creator), Grant::new(Role::Creator, true, None).unwrap());
    assert_eq!(Grant::from(Role::Admin), Grant::EVERYTHING);
}

//! Roles, and what a node does not need that does not have them.

use super::*;

const NO_ROLES: &str = "must be one or more of redirect, api and pages, separated by commas";

#[test]
fn a_node_may_have_any_of_the_roles() {
    for (text, roles) in [
        ("redirect", &[Role::Redirect][..]),
        ("api,pages", &[Role::Api, Role::Pages]),
        ("pages, redirect ,api", &Role::ALL),
        ("api,api", &[Role::Api]),
    ] {
        assert_eq!(
            Given::nothing().env("HNY_ROLES", text).config().http.roles,
            roles.iter().copied().collect(),
            "{text}"
        );
    }
    let given = Given::nothing().file("hny.toml", "roles = [\"redirect\", \"pages\"]");
    assert_eq!(given.config().http.roles, [Role::Redirect, Role::Pages].into_iter().collect());
}

#[test]
fn what_is_no_role_is_refused_by_name() {
    for text in ["redirects", "API", "redirect,,api", "redirect,", ",", " ", "redirect;api", "all"] {
        let problems = Given::nothing().env("HNY_ROLES", text).problems();
        assert_eq!(problems, [format!("HNY_ROLES: {NO_ROLES}; it is {text:?}")]);
    }
    let problems = Given::nothing().file("hny.toml", "roles = [\"\"]\nthreads = 1").flag("roles", "web").problems();
    assert_eq!(problems, [format!("--roles: {NO_ROLES}; it is \"web\"")]);
}

#[test]
fn only_a_node_that_makes_links_needs_the_secret_of_codes() {
    let given = |roles: &str| Given::nothing().env("HNY_CODES", "permuted").env("HNY_ROLES", roles);
    assert_eq!(given("redirect,pages").problems(), [""; 0]);
    assert_eq!(given("redirect,pages").config().codes.key, None);
    let problems = given("api").problems();
    assert!(problems.len() == 1 && problems[0].contains("must be set (HNY_CODE_KEY)"), "{problems:?}");
}

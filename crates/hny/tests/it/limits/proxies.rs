//! Who is a client: the peer, or whom trusted proxies name.

use super::{shorten, shorten_for, site};

#[test]
fn forged_headers_change_nothing() {
    let site = site(&[]);
    let mut client = site.visitor();
    let passed = (0..40).filter(|number| {
        let address = format!("203.0.113.{number}");
        let forwarded = format!("for={address}");
        let headers = [
            ("X-Forwarded-For", if number % 5 == 0 { "23189987" } else { &*address }),
            ("X-Real-IP", &address),
            ("Forwarded", &forwarded),
            ("CF-Connecting-IP", &address),
            ("True-Client-IP", &address),
        ];
        shorten(&mut client, &headers).status == 201
    });
    assert_eq!(passed.count(), 10);
}

#[test]
fn a_trusted_proxy_separates_clients() {
    let site = site(&[("HNY_CREATE_LIMIT", "2/60s"), ("HNY_TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/8")]);
    let mut proxy = site.visitor();
    for same in ["203.0.113.5", "203.0.113.5, 10.0.0.2"] {
        assert_eq!(shorten_for(&mut proxy, same), 201, "{same}");
    }
    for same in [
        "203.0.113.5",
        "203.0.113.5:4711",
        "::ffff:203.0.113.5",
        "198.51.100.9, 203.0.113.5, 10.0.0.2",
        " 203.0.113.5 ,, 10.0.0.2,",
        "198.51.100.10,garbage,203.0.113.5",
    ] {
        assert_eq!(shorten_for(&mut proxy, same), 429, "{same}");
    }
    let lines = [("X-Forwarded-For", "198.51.100.11, 203.0.113.5"), ("x-forwarded-for", "10.0.0.3")];
    assert_eq!(shorten(&mut proxy, &lines).status, 429);
    // One client's limit does not touch the other's, nor that of the proxy itself.
    for other in ["203.0.113.6", "10.0.0.2", "23189987", "198.51.100.9, 23189987"] {
        assert_eq!(shorten_for(&mut proxy, other), 201, "{other}");
    }
    assert_eq!(shorten(&mut proxy, &[]).status, 429, "what is no address is the proxy's own");
}

#[test]
fn a_64_is_one_client() {
    let site = site(&[("HNY_CREATE_LIMIT", "5/60s"), ("HNY_TRUSTED_PROXIES", "127.0.0.0/8")]);
    let mut proxy = site.visitor();
    let passed = (0..50).filter(|number| shorten_for(&mut proxy, &format!("2001:db8:1:2::{number:x}")) == 201).count();
    assert_eq!(passed, 5);
    assert_eq!(shorten_for(&mut proxy, "[2001:db8:1:2:a:b:c:d]:443"), 429);
    assert_eq!(shorten_for(&mut proxy, "2001:db8:9::1"), 201);
}

#[test]
fn no_address_is_logged() {
    let mut site = site(&[
        ("HNY_CREATE_LIMIT", "1/60s"),
        ("HNY_UNKNOWN_LIMIT", "1/60s"),
        ("HNY_TRUSTED_PROXIES", "127.0.0.1"),
        ("HNY_LOG", "trace"),
    ]);
    let mut proxy = site.visitor();
    assert_eq!((shorten_for(&mut proxy, "203.0.113.5"), shorten_for(&mut proxy, "203.0.113.5")), (201, 429));
    for code in ["/one", "/two"] {
        proxy.request("GET", code, &[("X-Forwarded-For", "203.0.113.5")], b"");
    }
    let said = site.stop();
    assert!(!said.contains("203.0.113"), "{said}");
}

use proptest::prelude::*;

use super::*;

const TRUSTED: &str = "10.0.0.0/8, 192.0.2.7,fd00::/8";

/// The client behind these lines, which came from `peer`.
fn client(trusted: &str, peer: &str, lines: &[&str]) -> Client {
    let proxies = if trusted.is_empty() { TrustedProxies::default() } else { trusted.parse().unwrap() };
    proxies.client(peer.parse().unwrap(), lines.iter().map(|line| line.as_bytes()))
}

fn address_of(text: &str) -> Client {
    Client::of(text.parse().unwrap())
}

#[test]
fn the_rightmost_who_is_not_trusted_is_the_client() {
    let cases: &[(&[&str], &str)] = &[
        (&["203.0.113.5"], "203.0.113.5"),
        (&["203.0.113.5, 10.0.0.2"], "203.0.113.5"),
        // The first is forged.
        (&["198.51.100.9, 203.0.113.5, 10.0.0.2"], "203.0.113.5"),
        (&["198.51.100.9,203.0.113.5,192.0.2.7,10.1.2.3"], "203.0.113.5"),
        // Several lines are one list.
        (&["198.51.100.9", "203.0.113.5", "10.0.0.2"], "203.0.113.5"),
        (&["198.51.100.9, 203.0.113.5", "10.0.0.2, 10.0.0.3"], "203.0.113.5"),
        // Who forges the address of a proxy is found all the same.
        (&["10.9.9.9, 203.0.113.5"], "203.0.113.5"),
        // Everyone is trusted: it is the furthest.
        (&["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        (&[], "10.0.0.1"),
    ];
    for (lines, expected) in cases {
        assert_eq!(client(TRUSTED, "10.0.0.1", lines), address_of(expected), "{lines:?}");
    }
}

#[test]
fn a_header_from_anyone_else_is_ignored() {
    for trusted in ["", TRUSTED, "127.0.0.2", "0.0.0.0/32"] {
        for peer in ["203.0.113.77", "127.0.0.1", "::1", "11.0.0.1", "192.0.2.8"] {
            let lines = ["198.51.100.9", "23189987", "10.0.0.2", "127.0.0.1"];
            assert_eq!(client(trusted, peer, &lines), address_of(peer), "{peer} {trusted}");
        }
    }
}

#[test]
fn an_address_is_read_as_proxies_write_it() {
    for (entry, expected) in [
        ("203.0.113.5:4711", "203.0.113.5"),
        ("  203.0.113.5\t", "203.0.113.5"),
        ("2001:db8::1", "2001:db8::1"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("[::ffff:203.0.113.5]:80", "203.0.113.5"),
        // Empty elements are none.
        ("203.0.113.5,", "203.0.113.5"),
        ("203.0.113.5, ,,\t, 10.0.0.2", "203.0.113.5"),
        // A trusted one in any spelling.
        ("203.0.113.5, ::ffff:10.0.0.2, [fd00::7]:80", "203.0.113.5"),
    ] {
        assert_eq!(client(TRUSTED, "10.0.0.1", &[entry]), address_of(expected), "{entry}");
    }
}

#[test]
fn what_is_no_address_ends_the_walk_at_who_was_reached() {
    for garbage in [
        "unknown",
        "_hidden",
        "unix:",
        "23189987",
        "010.0.0.1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.4:99999",
        "[1.2.3.4]",
        "[2001:db8::1",
        "2001:db8::1]",
        "fe80::1%eth0",
        "for=1.2.3.4",
        "\"1.2.3.4\"",
        "1.2.3.4 5.6.7.8",
        "1.2.3.4;",
        "grün",
    ] {
        let lines = [&*format!("203.0.113.5, {garbage}, 10.0.0.2")];
        assert_eq!(client(TRUSTED, "10.0.0.1", &lines), address_of("10.0.0.2"), "{garbage}");
        assert_eq!(client(TRUSTED, "10.0.0.1", &[garbage]), address_of("10.0.0.1"), "{garbage}");
    }
    let proxies: TrustedProxies = TRUSTED.parse().unwrap();
    let lines = [&b"203.0.113.5, \xff\xfe"[..]];
    assert_eq!(proxies.client("10.0.0.1".parse().unwrap(), lines.into_iter()), address_of("10.0.0.1"));
}

#[test]
fn a_mapped_peer_is_the_ipv4_one() {
    assert_eq!(client(TRUSTED, "::ffff:10.0.0.1", &["203.0.113.5"]), address_of("203.0.113.5"));
    for mapped in ["::ffff:10.0.0.0/104", "::ffff:10.0.0.1"] {
        assert_eq!(client(mapped, "10.0.0.1", &["203.0.113.5"]), address_of("203.0.113.5"), "{mapped}");
        assert_eq!(client(mapped, "11.0.0.1", &["203.0.113.5"]), address_of("11.0.0.1"), "{mapped}");
    }
    // All of IPv6, and no IPv4.
    assert_eq!(client("::/0", "10.0.0.1", &["203.0.113.5"]), address_of("10.0.0.1"));
}

#[test]
fn networks_and_addresses_can_be_trusted() {
    for text in ["10.0.0.0/8", "10.1.2.3/8", "10.0.0.1", "::1", "fd00::/8,10.0.0.0/8 , 192.0.2.0/24", "0.0.0.0/0,::/0"]
    {
        assert!(text.parse::<TrustedProxies>().is_ok(), "{text}");
    }
    for text in ["", ",", "10.0.0.0/8,", "10.0.0.0/33", "10.0.0/8", "localhost", "nginx", "10.0.0.0/8 fd00::/8", "*"] {
        assert_eq!(text.parse::<TrustedProxies>(), Err(ProxyError), "{text}");
    }
}

proptest! {
    /// Whatever a client puts into the header itself stands to the left of what the proxy says, and changes nothing.
    #[test]
    fn what_a_client_claims_changes_nothing(claims in proptest::collection::vec("[ -~]{0,40}|[0-9.:,\\[\\] ]{0,40}", 0..4)) {
        let mut lines: Vec<&str> = claims.iter().map(String::as_str).collect();
        lines.push("203.0.113.5");
        prop_assert_eq!(client(TRUSTED, "10.0.0.1", &lines), address_of("203.0.113.5"));
        // As a proxy does that makes one line of it.
        let one = lines.join(", ");
        prop_assert_eq!(client(TRUSTED, "10.0.0.1", &[&one]), address_of("203.0.113.5"));
        prop_assert_eq!(client(TRUSTED, "203.0.113.5", &lines[..claims.len()]), address_of("203.0.113.5"));
    }
}

//! `X-Forwarded-For`: nobody becomes somebody else by what they claim themselves.

use std::net::IpAddr;

use hny_guard::{Client, TrustedProxies};

use crate::Target;

/// Lines of `X-Forwarded-For`.
pub const TARGET: Target = Target {
    seeds: &[
        b"203.0.113.5, 10.0.0.2",
        b"198.51.100.9, 203.0.113.5\n10.0.0.2",
        b"[2001:db8::1]:4711, ::ffff:10.0.0.3",
        b"203.0.113.5:80,, ,\"10.0.0.2\"",
        b"unknown, _hidden, 10.0.0.2",
        b"10.0.0.1",
    ],
    words: &[
        ",",
        ", ",
        "\n",
        "10.0.0.2",
        "203.0.113.9",
        "::1",
        "[",
        "]",
        ":80",
        "::ffff:",
        "fd00::1",
        "0x0a000001",
        "%eth0",
        "/8",
        "\t",
        "\0",
    ],
    run,
};

/// What a proxy of ours says, behind what the client claims.
const SAID: &[u8] = b"203.0.113.5, 10.0.0.2";

const PROXY: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
const STRANGER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 7));

fn run(bytes: &[u8]) {
    let trusted: TrustedProxies = "10.0.0.0/8, fd00::/8".parse().expect("networks");
    let of = |peer, lines: &[&[u8]]| trusted.client(peer, lines.iter().copied());
    let lines: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
    assert_eq!(of(STRANGER, &lines), Client::of(STRANGER), "a stranger is who it is, whatever it says");
    let client = of(PROXY, &lines);
    assert!(client == Client::of(PROXY) || is_named(client, &lines), "a client is the peer or somebody who is named");
    let with_more: Vec<_> = lines.iter().copied().chain([SAID]).collect();
    assert_eq!(of(PROXY, &with_more), Client::of([203, 0, 113, 5].into()), "what stands in front is not looked at");
    let joined = lines.join(&b","[..]);
    assert_eq!(of(PROXY, &[&joined]), client, "all lines are one list");
}

/// Whether an entry of the list is an address of this client.
fn is_named(client: Client, lines: &[&[u8]]) -> bool {
    let entries = lines.iter().flat_map(|line| line.split(|byte| *byte == b','));
    entries.filter_map(|entry| std::str::from_utf8(entry.trim_ascii()).ok()).any(|entry| {
        let bare = entry.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or(entry);
        let without_port = bare.rsplit_once(':').map_or(bare, |(front, _)| front);
        [bare, without_port].iter().any(|text| text.parse().is_ok_and(|address: IpAddr| Client::of(address) == client))
    })
}

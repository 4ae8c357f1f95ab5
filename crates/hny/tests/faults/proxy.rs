//! nginx with the site of `deploy/nginx/`, before real nodes.

use std::net::SocketAddr;

use hny_testkit::{Nginx, NginxSite};

const SITE: &str = include_str!("../../../../deploy/nginx/hny.conf");

/// The site before these nodes.
pub(crate) fn site(nodes: [SocketAddr; 2]) -> NginxSite {
    split_site(nodes, nodes)
}

/// The site with some nodes for short links and others for the rest.
pub(crate) fn split_site(redirect: [SocketAddr; 2], api: [SocketAddr; 2]) -> NginxSite {
    let (for_links, rest) = SITE.split_once("upstream hny_api {").expect("the site has two groups of nodes");
    let named = |text: &str, [first, second]: [SocketAddr; 2]| {
        NginxSite::new(text).replace("hny-1:8080", &first.to_string()).replace("hny-2:8080", &second.to_string())
    };
    let (for_links, rest) = (named(for_links, redirect), named(rest, api));
    NginxSite::new(format!("{}upstream hny_api {{{}", for_links.text(), rest.text()))
}

/// The site, started.
pub(crate) fn start(site: NginxSite) -> Nginx {
    site.replace("    listen [::]:80; #plain\n", "").start("listen 80; #plain")
}

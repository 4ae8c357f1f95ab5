//! `hny health`.

use hny_testkit::Program;

use super::{assert_failed, said, talk};
use crate::instant::until_some;
use crate::site::{Site, program};

/// The command, with the address of the service.
fn of(site: &Site) -> Program {
    site.hny().program().clone().env("HNY_LISTEN", site.hny().address().to_string())
}

#[test]
fn a_service_that_runs_is_ready() {
    let site = Site::shared();
    let asked = of(&site).run(["health"]);
    assert_eq!((asked.status.code(), said(&asked)), (Some(0), "ready"), "{asked:?}");
}

#[test]
fn a_service_on_every_address_is_found() {
    let site = Site::start(&program().env("HNY_LISTEN", "0.0.0.0:0"));
    let asked = of(&site).run(["health"]);
    assert_eq!((asked.status.code(), said(&asked)), (Some(0), "ready"), "{asked:?}");
}

#[test]
fn a_service_that_stops_is_not_ready_and_one_that_is_gone_does_not_answer() {
    let mut site = Site::start(&program().env("HNY_DRAIN_DELAY", "2s"));
    let command = of(&site);
    site.hny().terminate();
    let asked = until_some(|| Some(command.run(["health"])).filter(|asked| !asked.status.success()));
    assert_eq!((asked.status.code(), said(&asked)), (Some(1), "draining"), "{asked:?}");
    site.kill();
    let asked = command.run(["health"]);
    assert_failed(&asked, 1);
    assert!(talk(&asked).contains("nobody answers on 127.0.0.1:"), "{asked:?}");
}

#[test]
fn a_port_that_is_not_known_cannot_be_asked() {
    let asked = program().run(["health"]);
    assert_failed(&asked, 2);
    assert!(talk(&asked).contains("HNY_LISTEN"), "{asked:?}");
}

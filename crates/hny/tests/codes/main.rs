//! A hundred thousand links, made by four processes on one SQLite file at once, under every scheme: no code comes twice, and
//! every link that was acknowledged is there.
#![cfg(test)]

mod crowd;

use std::collections::HashMap;

use hny_domain::{Code, DomainId};
use hny_store::{Settings, Store};
use hny_testkit::Program;

use crowd::Crowd;

/// Makes the links with codes of `scheme`, and looks every one of them up.
fn make_and_find(scheme: &str) {
    let program = Program::new(env!("CARGO_BIN_EXE_hny"));
    let program = program.env("HNY_CODES", scheme).env("HNY_CODE_KEY", "a secret of at least 32 characters");
    let links = Crowd::start(&program).make_links();
    let mut targets = HashMap::with_capacity(links.len());
    for (code, target) in links {
        if let Some(other) = targets.insert(code.clone(), target.clone()) {
            panic!("{code} was given for {other} and for {target}");
        }
    }
    assert_eq!(targets.len(), crowd::LINKS);
    assert_found(&program, &targets);
}

fn assert_found(program: &Program, targets: &HashMap<String, String>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(Settings::new(program.database())).await.expect("a database");
        for (code, target) in targets {
            let parsed = Code::parse(code).expect("a code");
            let link = store.find_link(DomainId::BASE, &parsed).await.expect("a database that can be read");
            assert_eq!(link.map(|link| link.target.as_str().to_owned()).as_ref(), Some(target), "{code}");
        }
        store.close().await;
    });
}

// One test, so that they do not take each other's time: the four processes are all that a machine can bear.
#[test]
fn no_code_comes_twice_and_no_link_is_lost() {
    for scheme in ["random", "permuted", "counter", "snowflake", "hash"] {
        let start = std::time::Instant::now();
        make_and_find(scheme);
        println!("{scheme}: {:.1} s", start.elapsed().as_secs_f64());
    }
}

//! `hny migrate`.

use super::{assert_failed, said, talk};
use crate::site::{Site, program};

#[test]
fn it_makes_the_database_and_may_be_run_again() {
    let program = program();
    assert!(!program.database().exists());
    for _ in 0..2 {
        let migrated = program.run(["migrate"]);
        assert!(migrated.status.success(), "{migrated:?}");
        assert_eq!(said(&migrated), "");
        assert!(program.database().exists());
    }
}

#[test]
fn it_may_be_run_beside_a_running_service() {
    let site = Site::start(&program());
    let path = site.admin().link(&serde_json::json!({"originalUrl": "https://example.com/"}));
    assert!(site.hny().program().run(["migrate"]).status.success());
    assert_eq!(site.visitor().get(&path).status, 302);
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let program = program();
    let text = "this is a diary and no database\n".repeat(100);
    std::fs::write(program.database(), &text).unwrap();
    let refused = program.run(["migrate"]);
    assert_failed(&refused, 1);
    assert!(talk(&refused).contains("hny.db"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(program.database()).unwrap(), text);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let refused = program().env("HNY_DATABASE_URL", "sqlite:no/such/folder/hny.db").run(["migrate"]);
    assert_failed(&refused, 1);
    assert!(talk(&refused).contains("no/such/folder/hny.db"), "{refused:?}");
}

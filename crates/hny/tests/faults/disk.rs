//! A disk that is full, fails or may only be read: no redirect suffers, nothing acknowledged is lost, and it passes.

mod clicks;
mod links;

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use hny_testkit::{Client, DEADLINE, Program, Strace};

use crate::admin::new_key;
use crate::{program, visit};
use links::{Links, assert_logged_discreetly};

#[test]
fn a_log_that_may_not_grow_stops_changes_and_nothing_else() {
    // SIGXFSZ would end the program where a full disk returns an error.
    let program = program().under(["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    let key = new_key(&program);
    let hny = program.start();
    let mut links = Links::make(&hny);
    let log = program.database().with_extension("db-wal");
    hny.limit_file_size(Some(log.metadata().unwrap().len()));
    links.fill(&hny);
    links.assert_changes_are_refused(&hny, &key);
    hny.limit_file_size(None);
    links.recover(&hny);
    assert_logged_discreetly(hny);
    links.check(&program.start());
}

#[test]
fn a_full_disk_stops_creates_and_nothing_else() {
    let program = program();
    let disk = program.folder().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let Some(command) = in_own_mounts(&program, "mount -t tmpfs -o size=2m tmpfs disk") else { return };
    // A relative path leads into the file system that only the program sees.
    let hny = program.clone().env("HNY_DATABASE_URL", "sqlite:disk/hny.db").under(command).start();
    let mut links = Links::make(&hny);
    let filler = PathBuf::from(format!("/proc/{}/root{}/filler", hny.pid(), disk.display()));
    let mut file = File::create(&filler).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    drop(file);
    links.fill(&hny);
    std::fs::remove_file(&filler).unwrap();
    links.recover(&hny);
    assert_logged_discreetly(hny);
}

#[test]
fn a_disk_that_fails_for_a_while_fails_only_what_it_could_not_keep() {
    let program = program();
    let mut links = Links::make(&program.start());
    // A sync that fails is the worst of errors: what it was to bring to disk may be gone.
    let fault = |call: &str| format!("{call}:error=EIO:when=6..20");
    let strace = Strace::of("fsync,fdatasync").inject(&fault("fsync")).inject(&fault("fdatasync"));
    let hny = program.clone().under(strace.command(&program.folder().join("trace"))).start();
    links.fill(&hny);
    let mut client = Client::connect(hny.address());
    while links.try_create(&mut client, "").status != 201 {}
    links.recover(&hny);
    assert_logged_discreetly(hny);
    links.check(&program.start());
}

#[test]
fn a_folder_that_may_only_be_read_is_named_instead_of_a_start() {
    let program = program();
    let mut first = program.start();
    first.terminate();
    assert!(first.wait(DEADLINE).success());
    let read_only = "mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\"";
    let Some(command) = in_own_mounts(&program, read_only) else { return };
    let ended = program.clone().under(command).try_start().err().expect("it cannot serve what it cannot change");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success() && said.contains("hny.db") && said.contains("write"), "{said}");
    assert!(visit::target(&mut Client::connect(program.start().address()), "nothing").is_none(), "nothing was spoilt");
}

/// The words to start a program after `script`, which mounts something that only that program sees; `None` where this user
/// may not mount. What needs no mount is tested above all the same.
fn in_own_mounts(program: &Program, script: &str) -> Option<[String; 5]> {
    let probe = Command::new("unshare").args(["-m", "sh", "-c", script]).current_dir(program.folder()).output();
    if !probe.is_ok_and(|probe| probe.status.success()) {
        println!("skipped: this user may not mount file systems");
        return None;
    }
    let script = format!("{script} && exec \"$0\" \"$@\"");
    Some(["unshare", "-m", "sh", "-c", &script].map(str::to_owned))
}

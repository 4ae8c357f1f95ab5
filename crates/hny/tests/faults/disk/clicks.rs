//! The disk of the spool has no room.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use hny_testkit::{Client, DEADLINE, Running};

use super::in_own_mounts;
use crate::{program, visit};

const TARGET: &str = "https://example.com/";

/// Fills the disk that only the program sees; what has to be removed to make room again.
fn fill(hny: &Running, disk: &Path) -> PathBuf {
    let filler = PathBuf::from(format!("/proc/{}/root{}/filler", hny.pid(), disk.display()));
    let mut file = File::create(&filler).expect("the disk can be written");
    while file.write_all(&[0; 4096]).is_ok() {}
    filler
}

fn follow(hny: &Running, code: &str, times: usize) {
    let mut client = Client::connect(hny.address());
    for _ in 0..times {
        assert_eq!(visit::target(&mut client, code).as_deref(), Some(TARGET));
    }
}

#[test]
fn a_full_disk_of_the_spool_stops_no_visitor_and_loses_no_click() {
    let program = program();
    let disk = program.folder().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let Some(command) = in_own_mounts(&program, "mount -t tmpfs -o size=256k tmpfs disk") else { return };
    let full = program.clone().env("HNY_SPOOL_DIR", "disk/spool").env("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let mut hny = full.under(command).start();
    let code = visit::shorten(&mut Client::connect(hny.address()), TARGET);
    let filler = fill(&hny, &disk);
    // What the last page of a file has room for may still be written.
    let mut followed = 0;
    while !hny.stderr().contains("clicks cannot be kept on disk now") {
        follow(&hny, &code, 100);
        followed += 100;
        assert!(followed < 100_000, "the disk is full");
    }
    follow(&hny, &code, 1000);
    let mut metrics = Client::connect(hny.metrics_address());
    let text = metrics.get("/metrics").text().to_owned();
    assert!(text.contains("hny_clicks_lost_total{reason=\"disk_down\"} 0\n"), "{text}");
    let pending = text.lines().find_map(|line| line.strip_prefix("hny_clicks_pending ")?.parse::<usize>().ok());
    assert!(pending.is_some_and(|pending| pending >= 1000), "{text}");
    std::fs::remove_file(&filler).unwrap();
    hny.wait_for_line(|line| line.contains("clicks are kept on disk again").then_some(()));
    follow(&hny, &code, 10);
    hny.terminate();
    assert_eq!(hny.wait(DEADLINE).code(), Some(0));
    let said = program.run(["stats", code.as_str(), "--json"]);
    let stats: serde_json::Value = serde_json::from_slice(&said.stdout).expect("it is JSON");
    assert_eq!(stats["total"]["clicks"], followed + 1010);
}

//! What may go wrong with spools.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use super::*;
use crate::LEAST_LIMIT;
use crate::sink::haul::FEWEST;
use crate::spool::block::{HEAD, MOST_BYTES};
use crate::spool::record::Record;

/// How many bytes a click takes here.
const LENGTH: usize = Record::LEAST_BYTES;

/// The files of clicks below a folder, in order.
fn segments(folder: &Path) -> Vec<PathBuf> {
    let spools = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = spools.flat_map(|spool| fs::read_dir(spool).unwrap().map(|entry| entry.unwrap().path()));
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "clicks")).collect();
    files.sort();
    files
}

/// A folder in which a process has left so many blocks behind, each of one click on the link of its number.
async fn left_behind(ledger: &Ledger, blocks: i64) -> TempDir {
    let folder = TempDir::new().unwrap();
    ledger.plan(&[], Fault::Refused);
    let recorder = start(folder.path(), ledger);
    for link in 0..blocks {
        recorder.record(Visited::of(link));
        until_written(&recorder, link.unsigned_abs() + 1);
    }
    recorder.close().await;
    assert_eq!(recorder.counts().pending, blocks.unsigned_abs());
    drop(recorder);
    ledger.plan(&[], Fault::None);
    folder
}

/// Has the next process count what is there.
async fn count_the_rest(folder: &Path, ledger: &Ledger) -> Counts {
    let next = start(folder, ledger);
    until(&next, || entries(folder) == 1);
    next.close().await;
    assert_eq!((entries(folder), ledger.spools()), (0, 0));
    next.counts()
}

fn one_click_each(links: impl Iterator<Item = i64>) -> BTreeMap<i64, u64> {
    links.map(|link| (link, 1)).collect()
}

#[tokio::test]
async fn what_the_store_does_not_take_at_the_end_is_counted_by_the_next_process() {
    let ledger = Ledger::default();
    let folder = left_behind(&ledger, 5).await;
    count_the_rest(folder.path(), &ledger).await;
    assert_eq!(ledger.counts(), one_click_each(0..5));
}

#[tokio::test]
async fn what_was_handed_over_only_in_part_is_finished_by_the_next_process() {
    // More than two changes take, with whole blocks of the largest size.
    let links = 5 * i64::try_from(FEWEST).unwrap() - 5;
    for faults in [[Fault::None, Fault::Refused], [Fault::None, Fault::Unheard]] {
        let (folder, ledger) = (TempDir::new().unwrap(), Ledger::default());
        let clock = Clock::standing(Timestamp::from_millis(0));
        ledger.plan(&[], Fault::Refused);
        let recorder = start_with(folder.path(), &ledger, clock, LIMIT);
        (0..links).for_each(|link| recorder.record(Visited::of(link)));
        until_written(&recorder, links.unsigned_abs());
        ledger.plan(&faults, Fault::Refused);
        recorder.close().await;
        drop(recorder);
        assert!((1..links.unsigned_abs()).contains(&ledger.sum()), "{faults:?}: some are counted, and not all");
        ledger.plan(&[], Fault::None);
        count_the_rest(folder.path(), &ledger).await;
        assert_eq!(ledger.counts(), one_click_each(0..links), "{faults:?}");
        let most = FEWEST + MOST_BYTES / LENGTH;
        assert!(ledger.asked().iter().all(|&clicks| clicks <= most));
    }
}

#[tokio::test]
async fn a_torn_end_is_cut_off() {
    for torn in [1, LENGTH, LENGTH + 1, HEAD + LENGTH - 1] {
        let ledger = Ledger::default();
        let folder = left_behind(&ledger, 3).await;
        let path = segments(folder.path()).remove(0);
        let length = 3 * (HEAD + LENGTH) - torn;
        File::options().write(true).open(&path).unwrap().set_len(length as u64).unwrap();
        let counts = count_the_rest(folder.path(), &ledger).await;
        assert_eq!((ledger.counts(), counts.damaged), (one_click_each(0..2), 0), "{torn}");
    }
}

#[tokio::test]
async fn a_damaged_block_is_passed_over_and_counted() {
    let block = HEAD + LENGTH;
    for byte in [block, block + 5, block + HEAD, 2 * block - 1] {
        let ledger = Ledger::default();
        let folder = left_behind(&ledger, 4).await;
        let file = File::options().read(true).write(true).open(segments(folder.path()).remove(0)).unwrap();
        let mut damaged = [0];
        file.read_exact_at(&mut damaged, byte as u64).unwrap();
        file.write_all_at(&[!damaged[0]], byte as u64).unwrap();
        let counts = count_the_rest(folder.path(), &ledger).await;
        assert_eq!((ledger.counts(), counts.damaged), (one_click_each([0, 2, 3].into_iter()), 1), "{byte}");
    }
}

#[tokio::test]
async fn a_spool_of_nothing_but_noise_stops_nobody() {
    let ledger = Ledger::default();
    let folder = left_behind(&ledger, 1).await;
    fs::write(segments(folder.path()).remove(0), vec![7; 100_000]).unwrap();
    count_the_rest(folder.path(), &ledger).await;
    assert_eq!(ledger.sum(), 0);
}

#[tokio::test]
async fn processes_share_a_folder_and_not_a_spool() {
    let (folder, ledger, one) = alone();
    let other = start(folder.path(), &ledger);
    assert_eq!(entries(folder.path()), 2);
    for _ in 0..100 {
        one.record(Visited::of(1));
        other.record(Visited::of(2));
    }
    one.close().await;
    assert_eq!(entries(folder.path()), 1, "the spool of the other is left alone");
    other.close().await;
    assert_eq!(ledger.counts(), BTreeMap::from([(1, 100), (2, 100)]));
}

#[tokio::test]
async fn a_process_that_goes_on_counts_what_another_has_left_behind() {
    let (folder, ledger) = (TempDir::new().unwrap(), Ledger::default());
    let clock = Clock::standing(Timestamp::from_millis(0));
    let lasting = start_with(folder.path(), &ledger, clock.clone(), LIMIT);
    ledger.plan(&[], Fault::Refused);
    let ended = start(folder.path(), &ledger);
    (0..10).for_each(|_| ended.record(Visited::of(1)));
    ended.close().await;
    drop(ended);
    ledger.plan(&[], Fault::None);
    until(&lasting, || {
        clock.advance(Duration::from_secs(20));
        lasting.record(Visited::of(2));
        ledger.counts().get(&1) == Some(&10)
    });
    lasting.close().await;
    assert_eq!((entries(folder.path()), ledger.spools()), (0, 0));
    assert_eq!(ledger.counts().get(&2), Some(&lasting.counts().recorded));
}

/// So many clicks that the least spool would have to be thrice as large.
const TOO_MANY: u64 = 3 * LEAST_LIMIT / LENGTH as u64;

#[tokio::test]
async fn beyond_its_limit_a_spool_gives_up_the_oldest_and_counts_what_is_lost() {
    let (folder, ledger) = (TempDir::new().unwrap(), Ledger::default());
    ledger.plan(&[], Fault::Refused);
    let recorder = start_with(folder.path(), &ledger, Clock::system(), LEAST_LIMIT);
    for number in 1..=TOO_MANY {
        recorder.record(Visited::of(number.cast_signed()));
        if number.is_multiple_of(CAPACITY as u64 / 4) || number == TOO_MANY {
            until_written(&recorder, number);
            let taken: u64 = segments(folder.path()).iter().filter_map(|path| Some(path.metadata().ok()?.len())).sum();
            assert!(taken <= LEAST_LIMIT, "{taken}");
        }
    }
    let counts = recorder.counts();
    assert_eq!((counts.lost.buffer_full, counts.lost.disk_down), (0, 0));
    assert!(counts.lost.spool_full > TOO_MANY / 2 && counts.pending > TOO_MANY / 6, "{counts:?}");
    assert_eq!(counts.lost.spool_full + counts.pending, TOO_MANY);
    ledger.plan(&[], Fault::None);
    recorder.close().await;
    assert_eq!((recorder.counts().pending, ledger.sum()), (0, TOO_MANY - recorder.counts().lost.all()));
    assert_eq!(ledger.counts().keys().last(), Some(&TOO_MANY.cast_signed()), "the newest are kept");
}

#[tokio::test]
async fn a_disk_that_takes_nothing_for_a_while_loses_nothing() {
    let (folder, ledger, recorder) = alone();
    // No segment is there yet, and none can be made.
    let spool = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let aside = folder.path().join("aside");
    fs::rename(&spool, &aside).unwrap();
    (0..1000).for_each(|link| recorder.record(Visited::of(link)));
    until(&recorder, || recorder.counts().recorded == 1000);
    let counts = recorder.counts();
    assert_eq!((counts.pending, counts.lost.all(), ledger.sum()), (1000, 0, 0));
    fs::rename(&aside, &spool).unwrap();
    until(&recorder, || ledger.sum() == 1000);
    recorder.close().await;
    assert_eq!(ledger.counts(), one_click_each(0..1000));
}

#[tokio::test]
async fn what_the_disk_does_not_take_at_the_end_is_lost_and_counted() {
    let (folder, ledger, recorder) = alone();
    let spool = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    fs::remove_dir_all(&spool).unwrap();
    (0..10).for_each(|link| recorder.record(Visited::of(link)));
    recorder.close().await;
    let counts = recorder.counts();
    assert_eq!((counts.recorded, counts.lost.disk_down, counts.pending, ledger.sum()), (10, 10, 0, 0));
}

/// `anonymiser/tests.rs` shows that of each record; this, that nothing else is written.
#[tokio::test]
async fn nothing_but_records_is_in_the_spool() {
    let ledger = Ledger::default();
    let folder = left_behind(&ledger, 2).await;
    let bytes = fs::read(segments(folder.path()).remove(0)).unwrap();
    assert_eq!(bytes.len(), 2 * (HEAD + LENGTH));
    assert!(!bytes.windows(4).any(|window| window == [203, 0, 113, 5] || window == [5, 113, 0, 203]));
}

/// Visits say when they were by the clock, and everything else goes by what never goes back.
#[tokio::test]
async fn a_clock_that_is_put_by_an_hour_loses_and_doubles_nothing() {
    const HOUR: i64 = 3_600_000;
    const START: i64 = 1_900_000_000_000;
    let (folder, ledger) = (TempDir::new().unwrap(), Ledger::default());
    let clock = Clock::standing(Timestamp::from_millis(START));
    let recorder = start_with(folder.path(), &ledger, clock.clone(), LIMIT);
    let mut all = 0;
    for step in [0, -HOUR, 0, HOUR, 0] {
        clock.set(Timestamp::from_millis(START + step));
        for _ in 0..100 {
            recorder.record(Visited::of(1));
            all += 1;
        }
        until_written(&recorder, all);
        assert!(recorder.counts().oldest <= Duration::from_hours(2), "{:?}", recorder.counts());
    }
    recorder.close().await;
    assert_eq!((ledger.sum(), recorder.counts()), (all, Counts { recorded: all, ..Counts::default() }));
    assert_eq!(entries(folder.path()), 0);
}

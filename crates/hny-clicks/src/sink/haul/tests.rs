use std::collections::HashSet;
use std::fs;

use hny_domain::Timestamp;
use tempfile::TempDir;

use super::*;
use crate::spool::record::Record;
use crate::spool::segment::Segment;
use crate::visitor::anonymiser::Kept;

const SPOOL: SpoolId = SpoolId(77);

/// A segment at position 1,000 of blocks of three clicks each, on these links, whose records have an agent string of this length.
fn segment(folder: &TempDir, links: impl IntoIterator<Item = i64>, agent: usize) -> Segment {
    let (mut segment, mut bytes) = (Segment::new(1_000), Vec::new());
    let agent = vec![b'x'; agent];
    for link in links {
        let (mut block, clicks) = block::of([Record { agent: &agent, ..Record::of(link) }; 3].into_iter());
        block::seal(&mut block, Timestamp::from_millis(0), segment.end());
        segment.grow(block.len(), clicks, Timestamp::from_millis(0));
        bytes.extend(block);
    }
    fs::write(segment.path(folder.path()), bytes).unwrap();
    segment
}

fn extent(folder: &TempDir, segment: &Segment, from: u64) -> Extent {
    segment.extent(folder.path(), from).unwrap()
}

fn read(extent: &Extent) -> Haul {
    read_some(extent, FEWEST)
}

fn read_some(extent: &Extent, enough: usize) -> Haul {
    Haul::read(SPOOL, extent.from, extent, enough, &mut Enricher::new(Kept::NOTHING)).unwrap()
}

fn links(haul: &Haul) -> Vec<i64> {
    haul.clicks.iter().map(|click| click.link.0).collect()
}

#[test]
fn the_more_wait_the_more_are_taken_at_once() {
    for (waiting, expected) in
        [(0, FEWEST), (4 * FEWEST as u64, FEWEST), (40_000, 10_000), (4 * MOST as u64, MOST), (u64::MAX, MOST)]
    {
        assert_eq!(enough(waiting), expected, "{waiting}");
    }
}

#[test]
fn all_is_read_if_it_is_not_too_much() {
    let folder = TempDir::new().unwrap();
    let segment = segment(&folder, [5, 4], 0);
    let haul = read(&extent(&folder, &segment, 0));
    assert_eq!(links(&haul), [5, 5, 5, 4, 4, 4]);
    assert_eq!((haul.from, haul.until, haul.segment, haul.damaged), (1_000, segment.end(), 1_000, 0));
    assert_eq!(read(&extent(&folder, &segment, 0)), haul, "read again it is the same");
}

#[test]
fn one_after_the_other_all_are_read_and_each_has_an_id_of_its_own() {
    for (agent, enough) in [(0, FEWEST), (1_000, FEWEST), (0, MOST), (1_000, 3 * FEWEST)] {
        let folder = TempDir::new().unwrap();
        let segment = segment(&folder, 0..2_000, agent);
        let (mut position, mut found, mut ids) = (0, Vec::new(), HashSet::new());
        while position < segment.end() {
            let haul = read_some(&extent(&folder, &segment, position), enough);
            assert!(haul.clicks.len() < enough + 3 && haul.damaged == 0);
            found.extend(links(&haul));
            ids.extend(haul.clicks.iter().map(|click| click.id));
            position = haul.until;
        }
        assert_eq!(found, (0..2_000).flat_map(|link| [link; 3]).collect::<Vec<_>>(), "{agent}");
        assert_eq!(ids.len(), found.len());
    }
}

#[test]
fn a_damaged_block_and_a_missing_file_are_passed_over_and_counted() {
    let folder = TempDir::new().unwrap();
    let segment = segment(&folder, [5, 4, 3], 0);
    let path = segment.path(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    bytes[block::HEAD + 1] ^= 1;
    fs::write(&path, bytes).unwrap();
    let all = extent(&folder, &segment, 0);
    let haul = read(&all);
    assert_eq!((links(&haul), haul.until, haul.damaged), (vec![4, 4, 4, 3, 3, 3], segment.end(), 1));
    fs::remove_file(path).unwrap();
    let haul = read(&all);
    assert_eq!((links(&haul), haul.until, haul.damaged), (vec![], segment.end(), 1));
}

#[test]
fn much_noise_is_passed_over_piece_by_piece() {
    let folder = TempDir::new().unwrap();
    let segment = segment(&folder, 0..2_000, 1_000);
    let path = segment.path(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    let noise = 3 * FEWEST * usize::try_from(BYTES_A_CLICK).unwrap();
    bytes[..noise].fill(7);
    fs::write(&path, bytes).unwrap();
    let (mut position, mut found) = (0, 0);
    while position < segment.end() {
        let haul = read(&extent(&folder, &segment, position));
        assert!(haul.until > position);
        (position, found) = (haul.until, found + haul.clicks.len());
    }
    // Where it stops, at most the one block that is there is lost with it.
    let block = usize::try_from(segment.len).unwrap() / 2_000;
    assert!(found + 9 >= 6_000 - 3 * noise / block, "{found}");
}

use std::sync::Arc;
use std::thread;

use super::*;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn clicks(links: std::ops::Range<i64>) -> Vec<Seen> {
    links.map(Seen::of).collect()
}

/// Room for so many clicks like these.
fn room(clicks: usize) -> Waiting {
    Waiting::new(clicks * Seen::of(1).weight())
}

fn several(clicks: usize) -> Vec<Seen> {
    vec![Seen::of(7); clicks]
}

fn batch(millis: i64, links: std::ops::Range<i64>) -> Batch {
    Batch { at: at(millis), clicks: clicks(links) }
}

fn take(waiting: &Waiting) -> Taken {
    waiting.take(Duration::ZERO)
}

#[test]
fn clicks_come_out_in_order_and_those_of_a_second_together() {
    let waiting = room(100);
    for (millis, links) in [(5, 0..2), (900, 2..3), (1_005, 3..4), (2_004, 4..6)] {
        assert_eq!(waiting.push(at(millis), clicks(links)), 0);
    }
    assert_eq!(waiting.pending(), (6, Some(at(5))));
    assert_eq!(take(&waiting), Taken::Clicks(vec![batch(5, 0..3), batch(1_005, 3..6)]));
    assert_eq!(take(&waiting), Taken::Nothing);
    assert_eq!(waiting.pending(), (6, Some(at(5))), "until they are written");
    waiting.written(&clicks(0..6));
    assert_eq!(waiting.pending(), (0, None));
}

#[test]
fn what_has_no_room_is_forgotten_from_the_oldest_on() {
    let waiting = room(4);
    assert_eq!(waiting.push(at(0), clicks(0..3)), 0);
    assert_eq!(waiting.push(at(5_000), clicks(3..6)), 2);
    assert_eq!(take(&waiting), Taken::Clicks(vec![batch(0, 2..3), batch(5_000, 3..6)]));
    assert_eq!(waiting.push(at(9_000), clicks(6..9)), 3, "what is in hand takes room too");
    assert_eq!(waiting.pending(), (4, Some(at(0))));
    waiting.written(&clicks(2..6));
    assert_eq!(take(&waiting), Taken::Nothing);
}

#[test]
fn what_was_not_written_is_the_oldest_again() {
    let waiting = room(100);
    waiting.push(at(0), clicks(0..3));
    let Taken::Clicks(taken) = take(&waiting) else { panic!("there are clicks") };
    waiting.push(at(7_000), clicks(3..4));
    waiting.written(&clicks(0..1));
    waiting.give_back(vec![Batch { at: taken[0].at, clicks: taken[0].clicks[1..].to_vec() }]);
    assert_eq!(waiting.pending(), (3, Some(at(0))));
    assert_eq!(take(&waiting), Taken::Clicks(vec![batch(0, 1..3), batch(7_000, 3..4)]));
}

#[test]
fn not_everything_is_taken_at_once() {
    let (waiting, many) = (Waiting::new(usize::MAX), 3 * MOST_AT_ONCE / 4);
    for second in 0..3 {
        waiting.push(at(second * 1_000), several(many));
    }
    for second in 0..3 {
        assert_eq!(take(&waiting), Taken::Clicks(vec![Batch { at: at(second * 1_000), clicks: several(many) }]));
    }
    waiting.push(at(0), several(1 + MOST_AT_ONCE));
    assert!(matches!(take(&waiting), Taken::Clicks(_)), "more than that of one moment are taken, too");
}

#[test]
fn the_end_comes_when_all_is_taken_and_wakes_who_waits() {
    let waiting = Arc::new(room(100));
    let taker = thread::spawn({
        let waiting = Arc::clone(&waiting);
        move || [waiting.take(Duration::MAX), waiting.take(Duration::MAX)]
    });
    waiting.push(at(0), clicks(0..1));
    waiting.close();
    assert_eq!(taker.join().unwrap(), [Taken::Clicks(vec![batch(0, 0..1)]), Taken::End]);
    waiting.pause(Duration::MAX);
}

#[test]
fn all_that_is_forgotten_is_told() {
    let waiting = room(9);
    waiting.push(at(0), clicks(0..3));
    assert_eq!((waiting.forget_all(), waiting.forget_all(), waiting.pending()), (3, 0, (0, None)));
}

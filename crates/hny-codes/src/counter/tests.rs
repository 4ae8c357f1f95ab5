use proptest::prelude::*;

use super::*;

#[test]
fn codes_are_padded_base62() {
    let codes = CounterCodes::new(6).unwrap();
    assert_eq!(
        [1, 62, 3844, 1_000_000].map(|number| codes.code(number).unwrap()),
        ["000001", "000010", "000100", "004c92"]
    );
    assert_eq!(codes.code(62u64.pow(6) - 1).unwrap(), "ZZZZZZ");
}

#[test]
fn a_number_that_needs_more_characters_is_refused() {
    let number = 62u64.pow(6);
    let error = CounterCodes::new(6).unwrap().code(number).unwrap_err();
    assert_eq!(error, NumberTooLarge { number, length: 6 });
    assert_eq!(
        error.to_string(),
        "number 56800235584 does not fit in codes of 6 characters; use a greater code length"
    );
    assert_eq!(CounterCodes::new(32).unwrap().code(u64::MAX).unwrap().len(), 32);
}

#[test]
fn the_next_range_is_wanted_early_and_once() {
    let mut numbers = LeasedNumbers::new(2);
    assert!(numbers.wants_range());
    assert_eq!(numbers.take(), None);
    numbers.add(10..15).unwrap();
    let taken: Vec<_> = (0..3).map(|_| (numbers.take(), numbers.wants_range())).collect();
    assert_eq!(taken, [(Some(10), false), (Some(11), false), (Some(12), true)]);
    // Another node leased 15..20 meanwhile.
    numbers.add(20..22).unwrap();
    assert!(!numbers.wants_range());
    assert_eq!(numbers.left(), 4);
    let rest: Vec<_> = std::iter::from_fn(|| numbers.take()).collect();
    assert_eq!(rest, [13, 14, 20, 21]);
    assert!(numbers.wants_range());
}

#[test]
fn a_range_that_could_repeat_numbers_is_refused() {
    let mut numbers = LeasedNumbers::new(0);
    #[expect(clippy::reversed_empty_ranges, reason = "the reversed range is what is refused")]
    let reversed = 5..4;
    assert_eq!(numbers.add(reversed.clone()), Err(RangeError::Empty(reversed)));
    numbers.add(100..110).unwrap();
    assert_eq!(numbers.take(), Some(100));
    assert_eq!(numbers.add(100..110), Err(RangeError::Repeated { start: 100, expected: 110 }));
    numbers.add(110..111).unwrap();
    assert_eq!(numbers.add(111..112), Err(RangeError::NotNeeded));
    while numbers.take().is_some() {}
    // Also when nothing is left.
    assert_eq!(numbers.add(110..120), Err(RangeError::Repeated { start: 110, expected: 111 }));
}

#[derive(Debug, Clone)]
enum Step {
    Take,
    Add(Range<u64>),
}

fn step() -> impl Strategy<Value = Step> {
    let range = (0u64..200, 0u64..20).prop_map(|(start, length)| Step::Add(start..start + length));
    prop_oneof![3 => Just(Step::Take), 1 => range]
}

proptest! {
    /// Whatever ranges are offered in whatever order, each number handed out is greater than all before and was leased.
    #[test]
    fn no_number_comes_twice(steps in prop::collection::vec(step(), 1..200), early in 0u64..10) {
        let mut numbers = LeasedNumbers::new(early);
        let mut leased: Vec<Range<u64>> = Vec::new();
        let mut last = None;
        for step in steps {
            match step {
                Step::Add(range) => {
                    if numbers.add(range.clone()).is_ok() {
                        leased.push(range);
                    }
                }
                Step::Take => {
                    let left = numbers.left();
                    let number = numbers.take();
                    prop_assert_eq!(number.is_some(), left > 0);
                    if let Some(number) = number {
                        prop_assert!(last.is_none_or(|last| last < number));
                        prop_assert!(leased.iter().any(|range| range.contains(&number)));
                        prop_assert_eq!(numbers.left(), left - 1);
                        last = Some(number);
                    }
                }
            }
        }
    }
}

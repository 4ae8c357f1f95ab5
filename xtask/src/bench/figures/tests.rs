use super::{Other, Sample, Series, document, median, per_mille, table};
use std::time::Duration;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// One second of work for each of these counts.
fn series(name: &str, counts: &[usize]) -> Series {
    let sample = |count: &usize| Sample { latencies: vec![ms(2); *count], elapsed: ms(1000) };
    Series { samples: counts.iter().map(sample).collect(), ..Series::new(name) }
}

#[test]
fn ratios_are_taken_round_by_round() {
    // The second round was slow for all: the ratio does not see it.
    let (one, append, many) = (series("1", &[10, 1, 10]), series("append", &[20, 2, 20]), series("64", &[50, 5, 60]));
    let row = many.row(&[&one, &append]);
    assert!((row.per_second - 50.0).abs() < 1e-9, "{row:?}");
    assert!((row.ratios[0] - 5.0).abs() < 1e-9 && (row.ratios[1] - 2.5).abs() < 1e-9, "{row:?}");
}

#[test]
fn percentiles_are_values_that_occurred() {
    let sorted: Vec<_> = (1..=100).map(ms).collect();
    assert_eq!((per_mille(&sorted, 500), per_mille(&sorted, 990)), (ms(50), ms(99)));
    assert_eq!((per_mille(&sorted[..1], 990), per_mille(&[], 990)), (ms(1), ms(0)));
    assert!((median([3.0, 1.0, 2.0].into_iter()) - 2.0).abs() < 1e-9);
}

#[test]
fn people_and_machines_see_the_same_figures() {
    let (one, append) = (series("create at 1", &[10]), series("append", &[20]));
    let others = [Other { word: "one", field: "ratioToOne" }, Other { word: "append", field: "ratioToAppend" }];
    let rows = [append.row(&[&one, &append]), one.row(&[&one, &append])];
    let table = table(&rows, &others);
    assert!(
        table
            .ends_with("create at 1                10         10         10      2.000      2.000      1.00      0.50"),
        "{table}"
    );
    let row = &document(&rows, &others)["rows"][1];
    assert_eq!((row["perSecond"].as_f64(), row["ratioToAppend"].as_f64()), (Some(10.0), Some(0.5)));
}

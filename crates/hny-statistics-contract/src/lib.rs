//! What whoever counts clicks must answer: the same from every kind of database, test by test.
//!
//! A [`Counter`] is what is tested; a case is a function of it. [`for_each_case`] hands the names of all cases to a macro that makes
//! tests of them, so that none is run against one database and forgotten for another.

mod cases;
mod counter;
pub mod model;
pub mod random;

pub use cases::{
    a_day_begins_at_midnight_utc, a_deleted_link_is_not_shown, a_domain_has_the_clicks_of_its_links,
    a_span_may_begin_at_any_quarter, a_visitor_counts_once_over_all_links,
    an_earlier_click_that_comes_late_is_the_first, clicks_come_in_pages_as_they_were_kept, kinds_are_counted_apart,
    many_clicks_are_answered_as_the_model_does, nothing_is_answered_of_nothing,
    random_clicks_are_answered_as_the_model_does, some_links,
};
pub use counter::Counter;

/// Calls the macro `$tests` with the names of all cases, separated by commas.
#[macro_export]
macro_rules! for_each_case {
    ($tests:ident) => {
        $tests![
            nothing_is_answered_of_nothing,
            a_day_begins_at_midnight_utc,
            an_earlier_click_that_comes_late_is_the_first,
            a_visitor_counts_once_over_all_links,
            kinds_are_counted_apart,
            a_span_may_begin_at_any_quarter,
            a_deleted_link_is_not_shown,
            a_domain_has_the_clicks_of_its_links,
            clicks_come_in_pages_as_they_were_kept,
            random_clicks_are_answered_as_the_model_does,
            many_clicks_are_answered_as_the_model_does,
        ];
    };
}

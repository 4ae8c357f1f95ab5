use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::*;
use crate::{Alphabet, RandomCodes};

#[test]
fn finds_words_anywhere_in_any_case_and_in_digits() {
    let unlucky = Unlucky::default();
    for code in ["shit", "aShItb7", "xxSh1t0", "5H17abc", "b17ch", "B1TCHes", "a55Q2wE", "k1ll3r"] {
        assert!(unlucky.contains_unlucky(code), "{code}");
    }
    for code in ["", "a", "aB3x9zQ", "h-ello", "promo24", "4c92", "shi", "éèê"] {
        assert!(!unlucky.contains_unlucky(code), "{code}");
    }
    let long = format!("{}shit", "q".repeat(100));
    assert!(unlucky.contains_unlucky(&long));
}

#[test]
fn the_list_obeys_its_own_rules() {
    let mut count = 0;
    for word in list(WORDS) {
        assert!(word.bytes().all(|byte| byte.is_ascii_lowercase()), "{word}");
        assert!(checked(word).is_ok(), "{word}");
        assert!(Unlucky::default().contains_unlucky(&word.to_uppercase()), "{word}");
        count += 1;
    }
    assert!(count > 150, "{count} words");
    let three = list(WORDS).filter(|word| word.len() == 3).count();
    assert!((1..=20).contains(&three), "{three} words of three letters");
}

#[test]
fn an_operator_can_extend_or_empty_it() {
    let mut unlucky = Unlucky::empty();
    assert!(!unlucky.contains_unlucky("shit"));
    unlucky.extend(["Acme", "rival5"]).unwrap();
    assert!(unlucky.contains_unlucky("xACM3x"));
    assert!(unlucky.contains_unlucky("r1valS"));
    unlucky.extend(["more"]).unwrap();
    assert!(unlucky.contains_unlucky("acme") && unlucky.contains_unlucky("m0re"));
}

#[test]
fn a_word_that_cannot_serve_is_named_and_nothing_is_added() {
    let mut unlucky = Unlucky::empty();
    let short = unlucky.extend(["good", "ab"]).unwrap_err();
    assert_eq!(short, WordError::TooShort { word: "ab".to_owned() });
    let foreign = unlucky.extend(["good", "böse"]).unwrap_err();
    assert_eq!(foreign, WordError::Foreign { word: "böse".to_owned() });
    assert_eq!(unlucky.extend([""]), Err(WordError::TooShort { word: String::new() }));
    assert!(!unlucky.contains_unlucky("good"));
}

/// A redraw must stay the exception, also at other lengths.
#[test]
fn few_codes_are_unlucky() {
    let unlucky = Unlucky::default();
    let mut rng = StdRng::seed_from_u64(3);
    for (length, most) in [(7, 0.02), (22, 0.08)] {
        let codes = RandomCodes::new(Alphabet::Base62, length).unwrap();
        let shown = (0..100_000).filter(|_| unlucky.contains_unlucky(&codes.draw(&mut rng))).count();
        let share = f64::from(u32::try_from(shown).unwrap()) / 100_000.0;
        assert!(share > 0.001 && share < most, "{share} at length {length}");
    }
}

proptest! {
    /// The slow way: fold the text, look for each word.
    #[test]
    fn agrees_with_a_plain_search(code in "[a-tA-T0-9_-]{0,70}", words in prop::collection::vec("[a-d1-4]{3,4}", 0..5)) {
        let mut unlucky = Unlucky::empty();
        unlucky.extend(&words).unwrap();
        let expected = words.iter().any(|word| folded(&code).contains(&folded(word)));
        prop_assert_eq!(unlucky.contains_unlucky(&code), expected);
    }
}

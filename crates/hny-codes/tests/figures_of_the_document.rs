//! `docs/codes.md` says nothing but what is computed here: every figure must be in it as computed, and what is left of it, once
//! these are taken out, must hold no further figure.

#![expect(clippy::unwrap_used, reason = "a test whose set-up fails should end")]

use hny_codes::snowflake::EPOCH_MS;
use hny_codes::{Alphabet, Permutation, RandomCodes, Unlucky, base62};
use rand::SeedableRng;
use rand::rngs::StdRng;

/// What the document multiplies by, and adds.
const FACTOR: u64 = 2_654_435_761;
const SALT: u64 = 0x9E37_79B9_7F4A_7C15;

const LINKS: [(&str, u128); 5] = [
    ("10^6", 1_000_000),
    ("10^7", 10_000_000),
    ("10^8", 100_000_000),
    ("10^9", 1_000_000_000),
    ("1.8·10^9", 1_800_000_000),
];

/// The document on one line, so that its figures may be wrapped anywhere.
fn document() -> String {
    include_str!("../../../docs/codes.md").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn space(length: u32) -> u128 {
    62u128.pow(length)
}

/// `number` for arithmetic with fractions; fifteen digits are more than any figure shows.
fn float(number: u128) -> f64 {
    number.to_string().parse().unwrap()
}

/// 62 to a power above 128 bits too.
fn power(length: i32) -> f64 {
    62f64.powi(length)
}

/// With commas: `1,000`.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn rounded(number: f64) -> String {
    grouped(format!("{number:.0}").parse().unwrap())
}

/// `2.84·10^-5`, with so many decimals.
fn scientific(number: f64, decimals: usize) -> String {
    format!("{number:.decimals$e}").replace('e', "·10^")
}

/// How many uniform draws of `codes` give an even chance that two are equal.
fn birthday(codes: f64) -> f64 {
    (2.0 * codes * 2f64.ln()).sqrt()
}

fn table_of_spaces() -> Vec<String> {
    let row = |length: i32| {
        let codes = power(length);
        let (count, point) = match base62::space(usize::try_from(length).unwrap()) {
            Some(exact) => (grouped(exact), rounded(birthday(codes))),
            None => (scientific(codes, 2), scientific(birthday(codes), 2)),
        };
        format!("| {length} | {count} | {:.1} | {point} links |", codes.log2())
    };
    [6, 7, 8, 10, 22].map(row).to_vec()
}

fn table_of_redraws() -> Vec<String> {
    let cell = |links: u128, length: u32| {
        let chance = scientific(float(links) / float(space(length)), 2);
        format!(" {chance}, 1 in {} |", grouped(space(length).div_ceil(links)))
    };
    let row = |(name, links): (&str, u128)| {
        let cells: String = [6, 7, 8].map(|length| cell(links, length)).concat();
        format!("| {name} |{cells}")
    };
    LINKS.map(row).to_vec()
}

fn table_of_scrambled_numbers() -> Vec<String> {
    let permutation = Permutation::new("a key for tests, of 32 characters", 7).unwrap();
    let row = |number: u64| {
        let modulo_space = u128::from(number) * u128::from(FACTOR) % space(7);
        format!(
            "| {} | `{}` | `{}` | `{}` |",
            grouped(number.into()),
            base62::encode_u128_padded(modulo_space, 7),
            base62::encode_padded(number.wrapping_mul(FACTOR).wrapping_add(SALT), 11),
            permutation.permute(number).unwrap()
        )
    };
    let mut rows = vec![format!("× {} modulo 62^7 |", grouped(FACTOR.into()))];
    rows.extend((1000..1004).map(row));
    rows
}

fn sizes() -> Vec<String> {
    let unambiguous = u128::try_from(Alphabet::Unambiguous.symbols().len()).unwrap();
    assert!(space(10) < 1 << 64 && 1 << 64 < space(11));
    assert!(space(21) < u128::MAX && power(22) > 2f64.powi(128));
    vec![
        format!("2^64 = {},", grouped(1 << 64)),
        format!("62^21 = {}", scientific(power(21), 2)),
        format!("2^128 = {},", scientific(2f64.powi(128), 2)),
        "more than 128 bits".to_owned(),
        format!("32-bit number it is {}:", rounded(birthday(2f64.powi(32)))),
        format!("first number with 7 characters is {}.", grouped(space(6))),
        format!("62^4 = {}; 62^3 is only {}", grouped(space(4)), grouped(space(3))),
        format!("{unambiguous} symbols, {} codes of 7", grouped(unambiguous.pow(7))),
    ]
}

fn chances() -> Vec<String> {
    let (chance_8, chance_9) = (1e8 / power(7), 1.8e9 / power(7));
    let excess = f64::from(256 / 62 + 1) / f64::from(256 / 62) - 1.0;
    vec![
        format!("chance {},", scientific(chance_8, 2)),
        format!("with {}.", scientific(chance_8.powi(3), 1)),
        format!("chance {}:", scientific(chance_9.powi(5), 1)),
        format!("every {} tries", grouped(space(7).div_ceil(1_800_000_000))),
        format!("{} of the 62 symbols {:.0} %", 256 % 62, excess * 100.0),
        format!("that is {:.1} %", unlucky_share() * 100.0),
        format!("in {} % of numbers 62 apart", percent_with_the_last_character_of_62_before()),
        format!("would be {:.1} %", 100.0 / 62.0),
    ]
}

fn percent_with_the_last_character_of_62_before() -> u64 {
    let last = |number: u64| u128::from(number) * u128::from(FACTOR) % space(7) % 62;
    (0..1000).map(|number| u64::from(last(number) == last(number + 62))).sum::<u64>() / 10
}

fn unlucky_share() -> f64 {
    const CODES: u32 = 1_000_000;
    let (unlucky, mut rng) = (Unlucky::default(), StdRng::seed_from_u64(7));
    let codes = RandomCodes::new(Alphabet::Base62, 7).unwrap();
    let shown = (0..CODES).filter(|_| unlucky.contains_unlucky(&codes.draw(&mut rng))).count();
    f64::from(u32::try_from(shown).unwrap()) / f64::from(CODES)
}

fn snowflake() -> Vec<String> {
    const YEAR_MS: f64 = 365.2425 * 86_400_000.0;
    let seven_ms = space(7) >> 22;
    let last_year = 2020.0 + 2f64.powi(41) / YEAR_MS;
    // 50 years, 12 of them leap years, from 1970 to 2020.
    assert_eq!(EPOCH_MS, (50 * 365 + 12) * 86_400_000);
    vec![
        "since 2020-01-01T00:00:00Z".to_owned(),
        format!("{} ids a millisecond for each of {} nodes", grouped(1 << 12), grouped(1 << 10)),
        format!("until the year {:.0}", last_year.floor()),
        format!(
            "{} milliseconds after its epoch, which is {:.0} minutes",
            grouped(seven_ms),
            float(seven_ms) / 60_000.0
        ),
    ]
}

/// What stands for itself: names of standards, numbers of other parts of hny, and the number of links that the text assumes.
fn given() -> Vec<String> {
    let given = ["SP 800-38G", "AES-256", "SHA-256", "ranges of 1,000", "answer 503", "1.8·10^9"];
    given.map(str::to_owned).to_vec()
}

fn all() -> Vec<String> {
    let computed = [table_of_spaces(), table_of_redraws(), table_of_scrambled_numbers(), sizes(), chances()];
    [computed.concat(), snowflake(), given()].concat()
}

#[test]
fn every_figure_is_in_the_document_as_computed() {
    let document = document();
    let missing: Vec<_> = all().into_iter().filter(|figure| !document.contains(figure.as_str())).collect();
    assert!(missing.is_empty(), "computed, but not in docs/codes.md: {missing:#?}");
}

#[test]
fn the_document_has_no_other_figure() {
    let rest = all().into_iter().fold(document(), |rest, figure| rest.replace(&figure, ""));
    let part = |character: char| character.is_ascii_digit() || ",.·%".contains(character);
    let figures: Vec<_> = rest
        .split(|character: char| !part(character))
        .map(|run| run.trim_matches([',', '.', '·']))
        .filter(|run| run.chars().filter(char::is_ascii_digit).count() >= 3 || run.contains('.'))
        .collect();
    assert!(figures.is_empty(), "in docs/codes.md, but computed by no test: {figures:?}");
}

/// The birthday point is an approximation: the exact chance there is a half, to five decimals.
#[test]
fn the_birthday_points_are_even_chances() {
    for (codes, draws) in
        [(2f64.powi(32), 77_163u32), (power(6), 280_610), (power(7), 2_209_524), (power(8), 17_397_806)]
    {
        assert_eq!(rounded(birthday(codes)), grouped(draws.into()));
        let none_equal: f64 = (0..draws).map(|drawn| (-f64::from(drawn) / codes).ln_1p()).sum();
        let chance = 1.0 - none_equal.exp();
        assert!((chance - 0.5).abs() < 1e-5, "{chance} at {draws}");
    }
}

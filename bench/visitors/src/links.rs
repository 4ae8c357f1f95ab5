//! The links of the benches. What a number stands for follows from the number alone: so a file of millions can be made in one
//! process and every answer about it checked in another, without a list between them.

/// Where all links lead, but for the code at its end. With the code it is about as long as the URLs that people shorten.
pub const TARGET: &str = "https://www.example.com/articles/2026/11/keeping-bees-in-the-city?campaign=";

/// Where a server leads whose other header fields are longer than ours, so that its whole answer has as many bytes.
pub const SHORT_TARGET: &str = "https://www.example.com/";

/// How many characters a code has: those of a drawn one.
pub const CODE_LENGTH: usize = 7;

/// A code.
pub type Code = [u8; CODE_LENGTH];

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const CODES: u64 = 62_u64.pow(7);

/// From one code to the next: the golden section of all codes, so neighbours lie far apart, as drawn codes do, and odd and
/// no multiple of 31, so no two numbers get the same code.
const STRIDE: u64 = 2_176_433_019_881;
const _: () = assert!(!STRIDE.is_multiple_of(2) && !STRIDE.is_multiple_of(31), "62 is 2 times 31");

/// Numbers below this have links; those from here on have none.
const LINKS: u64 = 1 << 32;

/// The code of link `number`.
pub fn code(number: u64) -> Code {
    let product = u128::from(number) * u128::from(STRIDE) % u128::from(CODES);
    written(u64::try_from(product).unwrap_or_default(), 62)
}

/// The code of link `number` where one who can only count has to know it too: seven digits. There are nine million of them.
pub fn digits(number: u64) -> Code {
    written(1_000_000 + number % 9_000_000, 10)
}

fn written(number: u64, base: u64) -> Code {
    let mut rest = number;
    let mut code = [b'0'; CODE_LENGTH];
    for place in code.iter_mut().rev() {
        *place = usize::try_from(rest % base).ok().and_then(|digit| DIGITS.get(digit)).copied().unwrap_or(b'0');
        rest /= base;
    }
    code
}

/// A code that no link has.
pub fn unknown_code(number: u64) -> Code {
    code(LINKS + number)
}

/// The code as text.
pub fn text(code: Code) -> String {
    code.iter().copied().map(char::from).collect()
}

/// The target, behind [`SHORT_TARGET`], of the only link of such a server.
pub fn short_target() -> String {
    format!("{SHORT_TARGET}{}", text(code(0)))
}

/// The target of the link with this code.
pub fn target(code: Code) -> String {
    format!("{TARGET}{}", text(code))
}

#[test]
fn no_two_numbers_have_the_same_code() {
    let numbers = (0..100_000).map(code).chain((0..100_000).map(unknown_code));
    let codes: std::collections::HashSet<_> = numbers.collect();
    assert_eq!(codes.len(), 200_000);
    assert_eq!(text(code(0)), "0000000");
}

#[test]
fn who_can_count_knows_the_digits() {
    assert_eq!([0, 42, 8_999_999].map(|number| text(digits(number))), ["1000000", "1000042", "9999999"]);
}

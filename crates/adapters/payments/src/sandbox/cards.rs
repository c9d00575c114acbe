//! The sandbox's test cards: which ones pay, and how the others are refused.
//!
//! Numbers, outcomes and messages are those of Stripe's test mode (<https://docs.stripe.com/testing>,
//! <https://docs.stripe.com/error-codes>), so that anyone who tries the shop with them sees what Stripe would show.

use domain::Timestamp;
use jiff::tz::TimeZone;
use ports::Card;

const INCORRECT_NUMBER: &str = "Your card number is incorrect.";
const INVALID_MONTH: &str = "Your card's expiration month is invalid.";
const INVALID_YEAR: &str = "Your card's expiration year is invalid.";
const INVALID_CVC: &str = "Your card's security code is invalid.";
const DECLINED: &str = "Your card was declined.";
const INSUFFICIENT_FUNDS: &str = "Your card has insufficient funds.";
const EXPIRED: &str = "Your card has expired.";
const INCORRECT_CVC: &str = "Your card's security code is incorrect.";
const PROCESSING_ERROR: &str = "An error occurred while processing your card. Try again in a little bit.";
const TOO_OFTEN: &str =
    "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.";
const WANTS_AUTHENTICATION: &str = "Your card was declined. This transaction requires authentication.";
const NOT_A_TEST_CARD: &str = "Your card was declined. Your request was in test mode, but used a non test (live) card. \
     For a list of valid test cards, visit: https://stripe.com/docs/testing.";

/// How many years ahead a card may expire; Stripe, too, takes a later year for a typing error.
const YEARS_AHEAD: i64 = 50;

/// Test cards that pay.
const PAYING: [&str; 18] = [
    "4242424242424242",
    "4000056655665556",
    "5555555555554444",
    "2223003122003222",
    "5200828282828210",
    "5105105105105100",
    "378282246310005",
    "371449635398431",
    "6011111111111117",
    "6011000990139424",
    "6011981111111113",
    "3056930009020004",
    "36227206271667",
    "6555900000604105",
    "3566002020360505",
    "6200000000000005",
    "6200000000000047",
    "6205500000000000004",
];

/// What happens to the money of a test card that pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Course {
    /// It stays, or is refunded on request.
    #[default]
    Plain,
    /// A refund seems to succeed, and fails later.
    RefundFails,
    /// The cardholder disputes the payment.
    Disputed,
}

/// Test cards that pay and cause trouble later.
const TROUBLESOME: [(&str, Course); 2] =
    [("4000000000005126", Course::RefundFails), ("4000000000000259", Course::Disputed)];

/// Test cards that do not pay, and the reason.
const REFUSED: [(&str, &str); 12] = [
    ("4000000000000002", DECLINED),
    ("4000000000009995", INSUFFICIENT_FUNDS),
    ("4000000000009987", DECLINED),
    ("4000000000009979", DECLINED),
    ("4100000000000019", DECLINED),
    ("4000000000000069", EXPIRED),
    ("4000000000000127", INCORRECT_CVC),
    ("4000000000000119", PROCESSING_ERROR),
    ("4000000000006975", TOO_OFTEN),
    ("4000002500003155", WANTS_AUTHENTICATION),
    ("4000002760003184", WANTS_AUTHENTICATION),
    ("4000000000003220", WANTS_AUTHENTICATION),
];

/// The card network's decision: what happens to the money, or why the card does not pay.
///
/// As at Stripe, input errors are reported before the card's issuer is asked.
pub(super) fn judge(card: &Card, now: Timestamp) -> Result<Course, &'static str> {
    let number = digits(&card.number).ok_or(INCORRECT_NUMBER)?;
    if !(12..=19).contains(&number.len()) || !passes_luhn(&number) {
        return Err(INCORRECT_NUMBER);
    }
    judge_expiry(card.exp_month, card.exp_year, now)?;
    if !cvc_is_sound(&card.cvc, &number) {
        return Err(INVALID_CVC);
    }
    if let Some((_, sentence)) = REFUSED.iter().find(|(refused, _)| *refused == number) {
        return Err(sentence);
    }
    if let Some((_, course)) = TROUBLESOME.iter().find(|(known, _)| *known == number) {
        return Ok(*course);
    }
    if PAYING.contains(&number.as_str()) { Ok(Course::Plain) } else { Err(NOT_A_TEST_CARD) }
}

/// The digits of a number as customers type it; `None` if it contains anything but digits, spaces and dashes.
fn digits(typed: &str) -> Option<String> {
    typed.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.is_ascii_digit().then_some(c)).collect()
}

/// The check digit of ISO/IEC 7812-1, annex B.
fn passes_luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .zip(0_u32..)
        .map(|(digit, place)| {
            let value = u32::from(digit - b'0');
            match value * (1 + place % 2) {
                doubled @ 10.. => doubled - 9,
                single => single,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// A card is valid until the end of its month; the network's calendar is UTC.
fn judge_expiry(month: i64, typed_year: i64, now: Timestamp) -> Result<(), &'static str> {
    let today = now.to_zoned(TimeZone::UTC).date();
    let this_year = i64::from(today.year());
    let year = match typed_year {
        0..=99 => this_year - this_year % 100 + typed_year,
        year => year,
    };
    if !(1..=12).contains(&month) {
        Err(INVALID_MONTH)
    } else if !(this_year..=this_year + YEARS_AHEAD).contains(&year) {
        Err(INVALID_YEAR)
    } else if year == this_year && month < i64::from(today.month()) {
        Err(INVALID_MONTH)
    } else {
        Ok(())
    }
}

/// Three digits; American Express prints four, and Stripe accepts three for it too.
fn cvc_is_sound(typed: &str, number: &str) -> bool {
    let cvc = typed.trim();
    let four_allowed = number.starts_with("34") || number.starts_with("37");
    let length_is_right = cvc.len() == 3 || (cvc.len() == 4 && four_allowed);
    length_is_right && cvc.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(number: &str) -> Card {
        Card {
            number: number.to_owned(),
            exp_month: 12,
            exp_year: 2034,
            cvc: if number.starts_with("37") { "1234" } else { "123" }.to_owned(),
        }
    }

    fn today() -> Timestamp {
        "2026-06-15T12:00:00Z".parse().unwrap()
    }

    fn valid_until(month: i64, year: i64) -> Result<Course, &'static str> {
        let card = Card { exp_month: month, exp_year: year, ..card("4242424242424242") };
        judge(&card, today())
    }

    #[test]
    fn every_paying_test_card_pays() {
        for number in PAYING {
            assert_eq!(judge(&card(number), today()), Ok(Course::Plain), "{number}");
        }
    }

    #[test]
    fn the_refusing_test_cards_refuse_with_stripes_sentence() {
        for (number, sentence) in [
            ("4000000000000002", "Your card was declined."),
            ("4000000000009995", "Your card has insufficient funds."),
            ("4000000000000069", "Your card has expired."),
            ("4000000000000127", "Your card's security code is incorrect."),
            ("4000000000000119", "An error occurred while processing your card. Try again in a little bit."),
        ] {
            assert_eq!(judge(&card(number), today()), Err(sentence), "{number}");
        }
    }

    #[test]
    fn no_test_card_is_mistaken_for_a_typing_error() {
        for (number, sentence) in REFUSED {
            assert_eq!(judge(&card(number), today()), Err(sentence), "{number}");
        }
    }

    #[test]
    fn spaces_and_dashes_in_a_number_do_not_matter() {
        for number in ["4242 4242 4242 4242", "4242-4242-4242-4242", " 4242424242424242\t"] {
            assert_eq!(judge(&card(number), today()), Ok(Course::Plain), "{number:?}");
        }
    }

    #[test]
    fn a_number_with_a_wrong_check_digit_is_incorrect() {
        for number in [
            "4242424242424241",
            "",
            "0",
            "42",
            "4242x4242424242424242",
            "４２４２４２４２４２４２４２４２",
            "42424242424242424242424242424242",
        ] {
            assert_eq!(judge(&card(number), today()), Err("Your card number is incorrect."), "{number:?}");
        }
    }

    #[test]
    fn a_valid_number_that_is_not_a_test_cards_is_declined() {
        let sentence = judge(&card("4539578763621486"), today()).unwrap_err();
        assert!(sentence.starts_with("Your card was declined."), "{sentence}");
        assert!(sentence.contains("test mode"), "{sentence}");
    }

    #[test]
    fn a_card_is_valid_until_the_end_of_its_month() {
        assert_eq!(valid_until(6, 2026), Ok(Course::Plain));
        assert_eq!(valid_until(5, 2026), Err(INVALID_MONTH));
        assert_eq!(valid_until(12, 2025), Err(INVALID_YEAR));
        let last_second: Timestamp = "2026-06-30T23:59:59Z".parse().unwrap();
        assert_eq!(judge_expiry(6, 2026, last_second), Ok(()));
    }

    #[test]
    fn a_year_may_leave_out_its_century() {
        assert_eq!(valid_until(1, 34), Ok(Course::Plain));
        assert_eq!(valid_until(1, 25), Err(INVALID_YEAR));
    }

    #[test]
    fn impossible_months_and_years_are_refused() {
        for month in [0, 13, -1, i64::MAX, i64::MIN] {
            assert_eq!(valid_until(month, 2034), Err(INVALID_MONTH), "{month}");
        }
        for year in [100, -1, 2077, 20_340, i64::MAX, i64::MIN] {
            assert_eq!(valid_until(1, year), Err(INVALID_YEAR), "{year}");
        }
    }

    #[test]
    fn a_security_code_has_three_digits_or_four_on_american_express() {
        let with_cvc = |number: &str, cvc: &str| {
            let card = Card { cvc: cvc.to_owned(), ..card(number) };
            judge(&card, today())
        };
        assert_eq!(with_cvc("4242424242424242", " 123 "), Ok(Course::Plain));
        assert_eq!(with_cvc("378282246310005", "1234"), Ok(Course::Plain));
        for cvc in ["", "12", "1234", "12a", "１２３", "12345"] {
            assert_eq!(with_cvc("4242424242424242", cvc), Err("Your card's security code is invalid."), "{cvc:?}");
        }
    }
}

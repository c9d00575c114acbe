//! The cards of Stripe's test mode (<https://docs.stripe.com/testing>).

use super::refusal::Refusal;

/// Why a card's bank declines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decline {
    pub(super) code: &'static str,
    /// The value of `decline_code`.
    pub(super) reason: Option<&'static str>,
    pub(super) message: &'static str,
}

const GENERIC: Decline = declined("generic_decline", "Your card was declined.");
const INSUFFICIENT_FUNDS: Decline = declined("insufficient_funds", "Your card has insufficient funds.");
const EXPIRED: Decline = Decline { code: "expired_card", reason: None, message: "Your card has expired." };
const INCORRECT_CVC: Decline =
    Decline { code: "incorrect_cvc", reason: None, message: "Your card's security code is incorrect." };
const PROCESSING_ERROR: Decline = Decline {
    code: "processing_error",
    reason: None,
    message: "An error occurred while processing your card. Try again in a little bit.",
};
const LIVE_CARD: Decline = declined(
    "test_mode_live_card",
    "Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
);

const fn declined(reason: &'static str, message: &'static str) -> Decline {
    Decline { code: "card_declined", reason: Some(reason), message }
}

/// What happens to a refund to a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefundCourse {
    /// It succeeds immediately.
    AtOnce,
    /// It is pending first, and succeeds later.
    Later,
    /// It succeeds first, and fails later.
    ComesBack,
}

/// How a card behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Behaviour {
    /// Whether it requires authentication (3-D Secure).
    pub(super) asks: bool,
    pub(super) declines: Option<Decline>,
    pub(super) refund: RefundCourse,
    /// Whether its owner disputes the charge.
    pub(super) disputes: bool,
}

const PAYS: Behaviour = Behaviour { asks: false, declines: None, refund: RefundCourse::AtOnce, disputes: false };
const ASKS: Behaviour = Behaviour { asks: true, ..PAYS };

const fn declines(decline: Decline) -> Behaviour {
    Behaviour { declines: Some(decline), ..PAYS }
}

/// Number, predefined payment method, behaviour.
const CARDS: [(&str, &str, Behaviour); 13] = [
    ("4242424242424242", "pm_card_visa", PAYS),
    ("5555555555554444", "pm_card_mastercard", PAYS),
    ("4000000000000002", "pm_card_visa_chargeDeclined", declines(GENERIC)),
    ("4000000000009995", "pm_card_visa_chargeDeclinedInsufficientFunds", declines(INSUFFICIENT_FUNDS)),
    ("4000000000000069", "pm_card_chargeDeclinedExpiredCard", declines(EXPIRED)),
    ("4000000000000127", "pm_card_chargeDeclinedIncorrectCvc", declines(INCORRECT_CVC)),
    ("4000000000000119", "pm_card_chargeDeclinedProcessingError", declines(PROCESSING_ERROR)),
    ("4000002500003155", "pm_card_authenticationRequiredOnSetup", ASKS),
    ("4000002760003184", "pm_card_authenticationRequired", ASKS),
    ("4000008400001629", "pm_card_threeDSecureRequiredChargeDeclined", Behaviour { declines: Some(GENERIC), ..ASKS }),
    ("4000000000007726", "pm_card_pendingRefund", Behaviour { refund: RefundCourse::Later, ..PAYS }),
    ("4000000000005126", "pm_card_refundFail", Behaviour { refund: RefundCourse::ComesBack, ..PAYS }),
    ("4000000000000259", "pm_card_createDispute", Behaviour { disputes: true, ..PAYS }),
];

/// A card as a payment method stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Card {
    number: String,
    pub(super) exp_month: u32,
    pub(super) exp_year: u32,
}

impl Card {
    /// A card as typed, checked against the current `month` of `year`.
    pub(super) fn typed(
        number: &str,
        exp_month: &str,
        exp_year: &str,
        cvc: Option<&str>,
        (year, month): (u32, u32),
    ) -> Result<Self, Refusal> {
        let number: String = number.chars().filter(|sign| !matches!(sign, ' ' | '-')).collect();
        if !has_a_check_digit(&number) {
            return Err(Refusal::card("incorrect_number", "Your card number is incorrect.").about("number"));
        }
        let exp_month = exp_month.parse().ok().filter(|month| (1..=12).contains(month)).ok_or_else(|| {
            Refusal::card("invalid_expiry_month", "Your card's expiration month is invalid.").about("exp_month")
        })?;
        let bad_year =
            || Refusal::card("invalid_expiry_year", "Your card's expiration year is invalid.").about("exp_year");
        let exp_year: u32 = exp_year.parse().map_err(|_| bad_year())?;
        let exp_year = if exp_year < 100 { 2000 + exp_year } else { exp_year };
        if !(year..=year + 50).contains(&exp_year) || (exp_year == year && exp_month < month) {
            return Err(bad_year());
        }
        if cvc.is_some_and(|cvc| !(3..=4).contains(&cvc.len()) || !cvc.bytes().all(|sign| sign.is_ascii_digit())) {
            return Err(Refusal::card("invalid_cvc", "Your card's security code is invalid.").about("cvc"));
        }
        Ok(Self { number, exp_month, exp_year })
    }

    /// The card behind one of Stripe's predefined payment methods.
    pub(super) fn ready_made(method: &str, year: u32) -> Option<Self> {
        let (number, ..) = CARDS.iter().find(|(_, ready_made, _)| *ready_made == method)?;
        Some(Self { number: (*number).to_owned(), exp_month: 12, exp_year: year + 2 })
    }

    pub(super) fn behaviour(&self) -> Behaviour {
        let known = CARDS.iter().find(|(number, ..)| *number == self.number);
        known.map_or(declines(LIVE_CARD), |(_, _, behaviour)| *behaviour)
    }

    pub(super) fn brand(&self) -> &'static str {
        match self.number.as_bytes().first() {
            Some(b'4') => "visa",
            Some(b'5') => "mastercard",
            _ => "unknown",
        }
    }

    pub(super) fn last4(&self) -> &str {
        &self.number[self.number.len() - 4..]
    }
}

/// The check digit of ISO/IEC 7812: every second digit from the right doubled, and the sum of all digits a multiple of
/// ten.
fn has_a_check_digit(number: &str) -> bool {
    if !(12..=19).contains(&number.len()) || !number.bytes().all(|sign| sign.is_ascii_digit()) {
        return false;
    }
    let sum: u32 = number
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, sign)| {
            let digit = u32::from(sign - b'0') * if place % 2 == 0 { 1 } else { 2 };
            digit / 10 + digit % 10
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_of_the_table_has_a_valid_check_digit() {
        for (number, method, _) in CARDS {
            assert!(has_a_check_digit(number), "{number}");
            assert_eq!(Card::ready_made(method, 2026).unwrap().number, number);
        }
        assert!(!has_a_check_digit("4242424242424241"));
    }
}

//! Amounts of money in bodies.

use domain::Money;
use serde_json::{Value, json};

/// An amount in dollars; a whole one without decimals.
pub(crate) fn dollars(money: Money) -> Value {
    let cents = money.cents();
    if cents % 100 == 0 { json!(cents / 100) } else { json!(money.dollars()) }
}

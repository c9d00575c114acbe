//! Money on the wire: a JSON number of dollars with at most two decimals.

use domain::Money;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// An amount as a JSON number of dollars: `129` or `129.5`, never `129.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dollars(pub(crate) Money);

impl Dollars {
    pub(crate) fn to_json(self) -> Value {
        json!(self)
    }

    /// The amount for a CSV file, `129.50`: nothing in it can be read as part of another number.
    pub(crate) fn plain(self) -> String {
        let cents = self.0.cents();
        format!("{}.{:02}", cents / 100, cents % 100)
    }
}

impl Serialize for Dollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Balance(self.0.cents()).serialize(serializer)
    }
}

/// Cents of either sign as a JSON number of dollars: income minus refunds may be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Balance(pub(crate) i64);

impl Serialize for Balance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return serializer.serialize_i64(self.0 / 100);
        }
        #[expect(clippy::cast_precision_loss, reason = "sums of money stay far below 2^53")]
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_dollars_have_no_decimals_and_others_at_most_two() {
        for (cents, expected) in [(12_900, "129"), (12_950, "129.5"), (12_999, "129.99"), (1, "0.01"), (0, "0")] {
            let dollars = Dollars(Money::from_cents(cents).unwrap());
            assert_eq!(serde_json::to_string(&dollars).unwrap(), expected);
            assert_eq!(dollars.to_json().to_string(), expected);
        }
        assert_eq!(Dollars(Money::from_cents(129_905).unwrap()).plain(), "1299.05");
        for (cents, expected) in [(-12_900, "-129"), (-1, "-0.01"), (12_950, "129.5"), (0, "0")] {
            assert_eq!(serde_json::to_string(&Balance(cents)).unwrap(), expected);
        }
    }
}

//! What cells of a feed mean.

use std::fmt::Display;

use crate::platform::cells::dollars;
use crate::{Tier, UnitPrice};

/// Whether a row removes: `A` adds, `D` removes.
pub(super) fn removes(cell: &str) -> Result<bool, &'static str> {
    match cell {
        "A" | "a" => Ok(false),
        "D" | "d" => Ok(true),
        _ => Err("must be A (add) or D (delete)"),
    }
}

pub(super) fn unit_price(cell: &str, decimal_comma: bool) -> Result<UnitPrice, String> {
    let dollars = dollars(cell, decimal_comma).map_err(ToOwned::to_owned)?;
    UnitPrice::from_dollars(dollars).map_err(|why| why.to_string())
}

pub(super) fn least_quantity(units: i64) -> Result<u32, &'static str> {
    let units = u32::try_from(units).ok().filter(|units| (1..=Tier::FROM_MAX).contains(units));
    units.ok_or("must be between 1 and 1,000,000,000")
}

pub(super) fn whole<T, E: Display>(cell: &str, parse: impl FnOnce(i64) -> Result<T, E>) -> Result<T, String> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err("must be a whole number".to_owned());
    }
    // Beyond 64 bits it is too large, whatever it is.
    let number = cell.parse().unwrap_or(if digits.len() == cell.len() { i64::MAX } else { i64::MIN });
    parse(number).map_err(|why| why.to_string())
}

pub(super) fn flag(cell: &str) -> Result<bool, &'static str> {
    match cell.to_lowercase().as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err("must be yes or no"),
    }
}

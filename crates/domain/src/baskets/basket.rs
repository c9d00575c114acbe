//! The lines of a cart or of a saved list.

use std::collections::HashMap;

use thiserror::Error;

use super::units::{Units, UnitsFault};
use crate::{Money, ProductId};

/// How many lines a cart or a list has.
pub const BASKET_MAX: usize = 1_000;
/// How many lists an account keeps.
pub const LISTS_MAX: usize = 200;

/// A line of a cart or of a list. The product need not be for sale any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BasketLine {
    /// The product.
    pub product: ProductId,
    /// How many units of it.
    pub units: Units,
    /// What the buyer was shown for all of them, when they were added.
    pub shown: Option<Money>,
}

/// Why lines are no basket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BasketRefused {
    /// More than [`BASKET_MAX`] of them.
    #[error("must be at most 1,000")]
    TooMany,
    /// The lines of one product are too many units together; the last of them is at this place, from 0.
    #[error("the quantities of this product together {fault}")]
    Together {
        /// The line's place.
        line: usize,
        /// What is wrong with the sum.
        fault: UnitsFault,
    },
}

/// The lines with each product once, where it came first: quantities and prices are summed. A sum of prices of which one is not
/// known is not known.
///
/// # Errors
/// [`BasketRefused`].
pub fn summed(lines: &[BasketLine]) -> Result<Vec<BasketLine>, BasketRefused> {
    if lines.len() > BASKET_MAX {
        return Err(BasketRefused::TooMany);
    }
    let mut places: HashMap<ProductId, usize> = HashMap::new();
    let mut summed: Vec<BasketLine> = Vec::new();
    for (line, one) in lines.iter().enumerate() {
        let Some(first) = places.get(&one.product).and_then(|place| summed.get_mut(*place)) else {
            places.insert(one.product, summed.len());
            summed.push(*one);
            continue;
        };
        first.units = first.units.plus(one.units).map_err(|fault| BasketRefused::Together { line, fault })?;
        first.shown = first.shown.zip(one.shown).and_then(|(first, one)| first.plus(one).ok());
    }
    Ok(summed)
}

/// A cart together with lines from elsewhere, such as another browser: of each product the larger quantity, with its price, so that
/// merging the same lines again changes nothing.
///
/// # Errors
/// [`BasketRefused`].
pub fn merged(kept: &[BasketLine], more: &[BasketLine]) -> Result<Vec<BasketLine>, BasketRefused> {
    let more = summed(more)?;
    let mut merged = kept.to_vec();
    let mut places: HashMap<ProductId, usize> =
        merged.iter().enumerate().map(|(place, line)| (line.product, place)).collect();
    for line in more {
        match places.get(&line.product).and_then(|place| merged.get_mut(*place)) {
            Some(kept) if line.units > kept.units => *kept = line,
            Some(_) => {}
            None => {
                places.insert(line.product, merged.len());
                merged.push(line);
            }
        }
    }
    if merged.len() > BASKET_MAX { Err(BasketRefused::TooMany) } else { Ok(merged) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn line(product: u128, units: i64, shown: Option<i64>) -> BasketLine {
        BasketLine {
            product: ProductId::new(Uuid::from_u128(product)),
            units: Units::new(units).unwrap(),
            shown: shown.map(|cents| Money::from_cents(cents).unwrap()),
        }
    }

    #[test]
    fn lines_of_one_product_are_one_line() {
        let lines = [line(1, 60, Some(600)), line(2, 50, None), line(1, 40, Some(400)), line(2, 1, Some(1))];
        assert_eq!(summed(&lines), Ok(vec![line(1, 100, Some(1_000)), line(2, 51, None)]));
        let most = [line(1, 1_000_000_000, None), line(1, 1, None)];
        assert_eq!(summed(&most), Err(BasketRefused::Together { line: 1, fault: UnitsFault::TooLarge }));
    }

    #[test]
    fn a_basket_has_at_most_a_thousand_lines() {
        let lines = |from: u128, count: u128| (from..from + count).map(|nth| line(nth, 50, None)).collect::<Vec<_>>();
        assert_eq!(summed(&lines(1, 1_000)).map(|lines| lines.len()), Ok(1_000));
        assert_eq!(summed(&lines(1, 1_001)), Err(BasketRefused::TooMany));
        assert_eq!(merged(&lines(1, 1_000), &lines(1_001, 1)), Err(BasketRefused::TooMany));
        assert_eq!(merged(&lines(1, 1_000), &lines(1, 1_000)).map(|lines| lines.len()), Ok(1_000));
    }

    #[test]
    fn merging_keeps_the_larger_quantity_with_its_price() {
        let kept = [line(1, 60, Some(600)), line(2, 50, Some(500))];
        let more = [line(2, 70, Some(690)), line(1, 50, Some(1)), line(3, 50, None)];
        let expected = vec![line(1, 60, Some(600)), line(2, 70, Some(690)), line(3, 50, None)];
        assert_eq!(merged(&kept, &more), Ok(expected));
        assert_eq!(merged(&kept, &[line(2, 50, Some(480))]), Ok(kept.to_vec()), "as many: the price in the cart stays");
    }

    proptest! {
        #[test]
        fn merging_again_changes_nothing(
            kept in prop::collection::vec((0_u128..8, 1_i64..100), 0..8),
            more in prop::collection::vec((0_u128..8, 1_i64..100), 0..8),
        ) {
            let of = |lines: Vec<(u128, i64)>| -> Vec<_> {
                lines.into_iter().map(|(product, units)| line(product, units, None)).collect()
            };
            let (kept, more) = (summed(&of(kept)).unwrap(), of(more));
            let once = merged(&kept, &more).unwrap();
            prop_assert_eq!(merged(&once, &more).unwrap(), once.clone());
            prop_assert_eq!(summed(&once).unwrap(), once);
        }
    }
}

//! The lines of a checkout as they are sent: one order for each product, whatever lines it was on.

use crate::{Money, ProductId, UnitPrice};

/// The largest number of lines.
pub const LINES_MAX: usize = 1_000;

/// A line as it was sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SentLine {
    /// Its place among all lines, from 1.
    pub line: u16,
    /// How many units: any whole number.
    pub quantity: i64,
    /// What the customer was shown for its goods, in dollars.
    pub shown: Option<f64>,
}

/// All lines of one product.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductLines {
    /// The product.
    pub product: ProductId,
    /// The lines, at least one, in the order in which they were sent.
    pub lines: Vec<SentLine>,
}

impl ProductLines {
    /// Puts the lines of each product together, in the order of their first lines.
    #[must_use]
    pub fn of(lines: impl IntoIterator<Item = (ProductId, SentLine)>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for (product, line) in lines {
            let place = *places.entry(product).or_insert(all.len());
            match all.get_mut(place) {
                Some(of) => of.lines.push(line),
                None => all.push(Self { product, lines: vec![line] }),
            }
        }
        all
    }

    /// The place of the first line: the order's own.
    #[must_use]
    pub fn line(&self) -> u16 {
        self.lines.first().map_or(0, |line| line.line)
    }

    /// The units of all lines: what stock, minimum and tier are judged by.
    #[must_use]
    pub fn quantity(&self) -> i64 {
        self.lines.iter().fold(0, |sum, line| sum.saturating_add(line.quantity))
    }

    /// The first line whose goods were shown at another price than this unit price makes, and what they cost.
    #[must_use]
    pub fn shown_otherwise(&self, unit: UnitPrice) -> Option<(u16, Money)> {
        self.lines.iter().find_map(|line| {
            let units = u32::try_from(line.quantity).ok()?;
            let goods = unit.money().times(units).ok()?;
            goods.differs_from(line.shown).then_some((line.line, goods))
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn line(line: u16, quantity: i64, shown: Option<f64>) -> SentLine {
        SentLine { line, quantity, shown }
    }

    #[test]
    fn the_lines_of_one_product_are_one_order_at_the_first_ones_place() {
        let [one, other] = [1, 2].map(|id| ProductId::new(Uuid::from_u128(id)));
        let lines = [(other, line(1, 50, None)), (one, line(2, 30, None)), (other, line(3, i64::MAX, None))];
        let all = ProductLines::of(lines);
        assert_eq!(all.iter().map(ProductLines::line).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(all.iter().map(ProductLines::quantity).collect::<Vec<_>>(), [i64::MAX, 30]);
    }

    #[test]
    fn every_line_is_compared_with_what_was_shown_for_it() {
        let product = ProductId::new(Uuid::from_u128(1));
        let unit = UnitPrice::from_cents(250).unwrap();
        let sound = ProductLines { product, lines: vec![line(1, 50, Some(125.0)), line(2, 10, None)] };
        assert_eq!(sound.shown_otherwise(unit), None);
        let stale = ProductLines { product, lines: vec![line(1, 50, Some(125.0)), line(2, 10, Some(26.0))] };
        assert_eq!(stale.shown_otherwise(unit), Some((2, Money::from_cents(2_500).unwrap())));
    }
}

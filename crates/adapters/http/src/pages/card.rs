//! A part in a list of a page.

use std::collections::HashMap;

use domain::{Product, ProductId, Text};

use super::{address, picture};

/// How much of it there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StockLevel {
    In,
    /// Enough for one minimum order and not for two.
    Low,
    Short,
    SoldOut,
}

impl StockLevel {
    pub(crate) fn of(product: &Product) -> Self {
        let (available, minimum) = (product.details.available.get(), product.details.min_order.get());
        match available {
            0 => Self::SoldOut,
            _ if available < minimum => Self::Short,
            _ if available / 2 < minimum => Self::Low,
            _ => Self::In,
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::In => "In stock",
            Self::Low => "Low stock",
            Self::Short => "Not enough stock to order",
            Self::SoldOut => "Sold out",
        }
    }

    /// Whether a minimum order can be placed.
    pub(crate) const fn can_be_ordered(self) -> bool {
        matches!(self, Self::In | Self::Low)
    }

    /// The class names of its badge.
    pub(crate) const fn tone(self) -> &'static str {
        match self {
            Self::In => "border-success text-success",
            Self::Low => "border-warning text-warning",
            Self::Short | Self::SoldOut => "border-error text-error",
        }
    }
}

/// A number with separators: `4,200`.
pub(crate) fn count(number: u32) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A part in a list.
pub(crate) struct Card {
    pub(crate) name: String,
    pub(crate) part_number: Option<String>,
    pub(crate) path: String,
    pub(crate) img: String,
    pub(crate) srcset: Option<String>,
    pub(crate) price: String,
    pub(crate) minimum: String,
    pub(crate) available: String,
    pub(crate) level: StockLevel,
}

impl Card {
    fn new(product: &Product, slug: &str) -> Self {
        let details = &product.details;
        Self {
            name: details.name.to_string(),
            part_number: details.part_number.as_ref().map(Text::to_string),
            path: address::part(slug),
            img: details.img.to_string(),
            srcset: picture::srcset(&details.img),
            price: details.price.money().to_string(),
            minimum: count(details.min_order.get()),
            available: count(details.available.get()),
            level: StockLevel::of(product),
        }
    }

    /// Cards of parts in their order, without those whose address is not known because they have gone meanwhile.
    pub(crate) fn all(products: &[Product], slugs: &HashMap<ProductId, String>) -> Vec<Self> {
        products.iter().filter_map(|product| Some(Self::new(product, slugs.get(&product.id)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        for (number, expected) in [(0, "0"), (50, "50"), (999, "999"), (4_200, "4,200"), (1_000_000, "1,000,000")] {
            assert_eq!(count(number), expected);
        }
    }
}

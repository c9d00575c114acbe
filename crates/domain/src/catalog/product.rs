//! Products and their categories.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Ladder, MinOrder, PartFacts, PictureUrl, ProductId, Stock, Text, Timestamp, UnitPrice};

/// The shop's categories: the five on the Add Product screen, and the three that the tiles on Home link to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// BRAKES
    Brakes,
    /// REPLACEMENT PARTS
    ReplacementParts,
    /// SAFETY ACCESSORIES
    SafetyAccessories,
    /// TIRES
    Tires,
    /// STEERING WHEEL
    SteeringWheel,
    /// SERVICE KITS
    ServiceKits,
    /// BATTERIES
    Batteries,
    /// OILS AND FLUIDS
    OilsAndFluids,
}

impl Category {
    /// Every category, in the order of the screens.
    pub const ALL: [Self; 8] = [
        Self::Brakes,
        Self::ReplacementParts,
        Self::SafetyAccessories,
        Self::Tires,
        Self::SteeringWheel,
        Self::ServiceKits,
        Self::Batteries,
        Self::OilsAndFluids,
    ];

    /// The name, as sent over the wire and shown on screens.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brakes => "BRAKES",
            Self::ReplacementParts => "REPLACEMENT PARTS",
            Self::SafetyAccessories => "SAFETY ACCESSORIES",
            Self::Tires => "TIRES",
            Self::SteeringWheel => "STEERING WHEEL",
            Self::ServiceKits => "SERVICE KITS",
            Self::Batteries => "BATTERIES",
            Self::OilsAndFluids => "OILS AND FLUIDS",
        }
    }
}

/// Not the name of a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be one of the categories")]
pub struct UnknownCategory;

impl FromStr for Category {
    type Err = UnknownCategory;

    fn from_str(name: &str) -> Result<Self, UnknownCategory> {
        Self::ALL.into_iter().find(|category| category.as_str() == name).ok_or(UnknownCategory)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A product, as customers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// The product's id.
    pub id: ProductId,
    /// Its attributes.
    pub details: ProductDetails,
    /// When the product was added.
    pub created_at: Timestamp,
}

/// The attributes of a product, as an admin enters them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductDetails {
    /// The product's name.
    pub name: Text<200>,
    /// The product's description.
    pub description: Text<5000>,
    /// The manufacturer's part number, if it has one.
    pub part_number: Option<Text<60>>,
    /// The category that it is listed in.
    pub category: Category,
    /// The product's picture.
    pub img: PictureUrl,
    /// Its further pictures, in their order; see [`crate::Pictures`].
    pub further_pictures: Vec<PictureUrl>,
    /// The list price of one unit; at least one cent.
    pub price: UnitPrice,
    /// What a unit costs everybody from some quantities on.
    pub ladder: Ladder,
    /// The minimum quantity of one order.
    pub min_order: MinOrder,
    /// Units in stock.
    pub available: Stock,
    /// What else is known of it.
    pub facts: PartFacts,
}

impl ProductDetails {
    /// The attributes that every product has, without any of the optional ones.
    #[must_use]
    pub const fn new(
        name: Text<200>,
        description: Text<5000>,
        category: Category,
        img: PictureUrl,
        price: UnitPrice,
        min_order: MinOrder,
        available: Stock,
    ) -> Self {
        Self {
            name,
            description,
            part_number: None,
            category,
            img,
            further_pictures: Vec::new(),
            price,
            ladder: Ladder::NONE,
            min_order,
            available,
            facts: PartFacts::NONE,
        }
    }

    /// All its pictures.
    pub fn pictures(&self) -> impl Iterator<Item = &PictureUrl> + Clone {
        std::iter::once(&self.img).chain(&self.further_pictures)
    }

    /// The texts in which a search for a product looks.
    #[must_use]
    pub fn search_texts(&self) -> [&str; 3] {
        [self.name.as_str(), self.category.as_str(), self.part_number.as_ref().map_or("", Text::as_str)]
    }

    /// What selects a product when the customer sends no id. Two products may share them.
    #[must_use]
    pub fn selector(&self) -> (&str, Category, &str) {
        (self.name.as_str(), self.category, self.img.as_str())
    }
}

/// Why a product was not restocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RestockRefused {
    /// The product does not exist or is archived.
    #[error("no such product")]
    Unknown,
    /// The stock would exceed its maximum.
    #[error("more than can be in stock")]
    TooMuch,
    /// The price changed since the admin saw it.
    #[error("the price has changed")]
    PriceChanged {
        /// The current unit price.
        now: UnitPrice,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_round_trips_through_its_name() {
        for category in Category::ALL {
            assert_eq!(category.to_string().parse(), Ok(category));
        }
        assert_eq!("brakes".parse::<Category>(), Err(UnknownCategory));
    }

    #[test]
    fn a_product_is_shown_by_all_its_pictures_and_searched_by_name_category_and_part_number() {
        let mut disc = ProductDetails::new(
            Text::known_good("Ventilated brake disc"),
            Text::known_good("A pair, drilled and vented."),
            Category::Brakes,
            "/images/disc.webp".parse().unwrap(),
            UnitPrice::from_dollars(129.0).unwrap(),
            MinOrder::effective(50).unwrap(),
            Stock::new(700).unwrap(),
        );
        assert_eq!(disc.search_texts(), ["Ventilated brake disc", "BRAKES", ""]);
        disc.part_number = Some(Text::known_good("BD-129"));
        disc.further_pictures = vec!["/images/edge.webp".parse().unwrap(), "/images/box.webp".parse().unwrap()];
        assert_eq!(disc.search_texts(), ["Ventilated brake disc", "BRAKES", "BD-129"]);
        let pictures: Vec<&str> = disc.pictures().map(PictureUrl::as_str).collect();
        assert_eq!(pictures, ["/images/disc.webp", "/images/edge.webp", "/images/box.webp"]);
    }
}

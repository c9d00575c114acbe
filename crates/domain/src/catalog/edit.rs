//! Editing a product.

use thiserror::Error;

use crate::{
    Attribute, Category, Edit, MinOrder, PackSize, PartFacts, PartRefused, PictureUrl, Product, ProductDetails, Size,
    TaxClass, Text, UnitPrice,
};

/// Some attributes of a product: new values for them, or the values that somebody saw. `None` is an attribute that is
/// not meant. Units in stock are not among them: they only come and go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductEdit {
    /// The product's name.
    pub name: Option<Text<200>>,
    /// The product's description.
    pub description: Option<Text<5000>>,
    /// The manufacturer's part number.
    pub part_number: Edit<Text<60>>,
    /// The category that it is listed in.
    pub category: Option<Category>,
    /// The product's picture.
    pub img: Option<PictureUrl>,
    /// The price of one unit.
    pub price: Option<UnitPrice>,
    /// The minimum quantity of one order.
    pub min_order: Option<MinOrder>,
    /// What else is known of it.
    pub facts: FactsEdit,
}

/// Some of a part's facts, as in [`ProductEdit`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactsEdit {
    /// Whose part it is.
    pub brand: Edit<Text<60>>,
    /// What it is.
    pub part_type: Edit<Text<80>>,
    /// Whether it fits every vehicle.
    pub universal: Option<bool>,
    /// In multiples of how many units it is sold.
    pub pack_size: Option<PackSize>,
    /// What a pack weighs, in grams.
    pub weight: Edit<Size>,
    /// How long a pack is, in millimeters.
    pub length: Edit<Size>,
    /// How wide a pack is, in millimeters.
    pub width: Edit<Size>,
    /// How high a pack is, in millimeters.
    pub height: Edit<Size>,
    /// How it is taxed.
    pub tax_class: Option<TaxClass>,
    /// All its attributes.
    pub attributes: Option<Vec<Attribute>>,
}

/// One of the edited attributes is no longer what the admin saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the product has changed")]
pub struct ChangedMeanwhile;

/// Why a product was not edited.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditRefused {
    /// The product does not exist or is archived.
    #[error("no such product")]
    Unknown,
    /// Somebody else changed an attribute that is to be edited since the admin saw it.
    #[error("the product has changed")]
    Changed {
        /// The product as it is.
        now: Box<Product>,
    },
    /// A fact does not fit what the shop knows.
    #[error(transparent)]
    Part(#[from] PartRefused),
}

impl ProductDetails {
    /// The details with an edit applied. What is not edited may have changed since `seen`, and an attribute that
    /// already is as wanted is no conflict, so that an edit can be repeated.
    ///
    /// # Errors
    /// [`ChangedMeanwhile`] if an edited attribute is neither as wanted nor as seen.
    pub fn edited(&self, wanted: &ProductEdit, seen: &ProductEdit) -> Result<Self, ChangedMeanwhile> {
        Ok(Self {
            name: one(&self.name, wanted.name.as_ref(), seen.name.as_ref())?,
            description: one(&self.description, wanted.description.as_ref(), seen.description.as_ref())?,
            part_number: one(&self.part_number, set(&wanted.part_number), set(&seen.part_number))?,
            category: one(&self.category, wanted.category.as_ref(), seen.category.as_ref())?,
            img: one(&self.img, wanted.img.as_ref(), seen.img.as_ref())?,
            further_pictures: self.further_pictures.clone(),
            price: one(&self.price, wanted.price.as_ref(), seen.price.as_ref())?,
            ladder: self.ladder.clone(),
            min_order: one(&self.min_order, wanted.min_order.as_ref(), seen.min_order.as_ref())?,
            available: self.available,
            facts: self.facts.edited(&wanted.facts, &seen.facts)?,
        })
    }
}

impl PartFacts {
    fn edited(&self, wanted: &FactsEdit, seen: &FactsEdit) -> Result<Self, ChangedMeanwhile> {
        Ok(Self {
            brand: one(&self.brand, set(&wanted.brand), set(&seen.brand))?,
            part_type: one(&self.part_type, set(&wanted.part_type), set(&seen.part_type))?,
            universal: one(&self.universal, wanted.universal.as_ref(), seen.universal.as_ref())?,
            pack_size: one(&self.pack_size, wanted.pack_size.as_ref(), seen.pack_size.as_ref())?,
            weight: one(&self.weight, set(&wanted.weight), set(&seen.weight))?,
            length: one(&self.length, set(&wanted.length), set(&seen.length))?,
            width: one(&self.width, set(&wanted.width), set(&seen.width))?,
            height: one(&self.height, set(&wanted.height), set(&seen.height))?,
            tax_class: one(&self.tax_class, wanted.tax_class.as_ref(), seen.tax_class.as_ref())?,
            attributes: one(&self.attributes, wanted.attributes.as_ref(), seen.attributes.as_ref())?,
        })
    }
}

fn one<T: Clone + PartialEq>(now: &T, wanted: Option<&T>, seen: Option<&T>) -> Result<T, ChangedMeanwhile> {
    match (wanted, seen) {
        (None, _) => Ok(now.clone()),
        (Some(wanted), Some(seen)) if seen != now && wanted != now => Err(ChangedMeanwhile),
        (Some(wanted), _) => Ok(wanted.clone()),
    }
}

const fn set<T>(edit: &Edit<T>) -> Option<&Option<T>> {
    match edit {
        Edit::Keep => None,
        Edit::Set(value) => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stock;

    fn details() -> ProductDetails {
        ProductDetails::new(
            Text::new("Ventilated brake disc").unwrap(),
            Text::new("A pair, drilled and vented.").unwrap(),
            Category::Brakes,
            "/pictures/brake-disc-640.webp".parse().unwrap(),
            UnitPrice::from_dollars(129.0).unwrap(),
            MinOrder::effective(50).unwrap(),
            Stock::new(700).unwrap(),
        )
    }

    fn named(name: &str) -> ProductEdit {
        ProductEdit { name: Some(Text::new(name).unwrap()), ..ProductEdit::default() }
    }

    #[test]
    fn an_edit_changes_what_it_names_and_nothing_else() {
        let nothing = ProductEdit::default();
        assert_eq!(details().edited(&nothing, &nothing), Ok(details()));
        let number = Text::new("BD-129").unwrap();
        let wanted = ProductEdit { part_number: Edit::Set(Some(number.clone())), ..ProductEdit::default() };
        let with_number = details().edited(&wanted, &nothing).unwrap();
        assert_eq!(with_number, ProductDetails { part_number: Some(number), ..details() });
        let without = ProductEdit { part_number: Edit::Set(None), ..ProductEdit::default() };
        assert_eq!(with_number.edited(&without, &nothing), Ok(details()));
    }

    #[test]
    fn an_edit_of_some_facts_keeps_the_others() {
        let (brand, weight) = (Text::new("Bosch").ok(), Size::new(8_400).ok());
        let known = PartFacts { brand: brand.clone(), universal: true, ..PartFacts::NONE };
        let wanted = FactsEdit { universal: Some(false), weight: Edit::Set(weight), ..FactsEdit::default() };
        let wanted = ProductEdit { facts: wanted, ..ProductEdit::default() };
        let edited = ProductDetails { facts: known, ..details() }.edited(&wanted, &ProductEdit::default()).unwrap();
        assert_eq!(edited.facts, PartFacts { brand, weight, ..PartFacts::NONE });
    }

    #[test]
    fn only_an_edited_attribute_can_conflict() {
        let mut now = details();
        now.name = Text::new("Renamed by somebody else").unwrap();
        assert_eq!(now.edited(&named("Mine"), &named("Ventilated brake disc")), Err(ChangedMeanwhile));
        assert_eq!(now.edited(&named("Mine"), &named("Renamed by somebody else")).unwrap().name.as_str(), "Mine");
        // Another attribute than the one that is edited.
        let cheaper = ProductEdit { price: UnitPrice::from_dollars(1.0).ok(), ..ProductEdit::default() };
        assert!(now.edited(&cheaper, &named("Ventilated brake disc")).is_ok());
    }

    #[test]
    fn a_repeated_edit_is_no_conflict() {
        let (wanted, seen) = (named("Mine"), named("Ventilated brake disc"));
        let once = details().edited(&wanted, &seen).unwrap();
        assert_eq!(once.edited(&wanted, &seen), Ok(once.clone()));
    }
}

//! What was ordered, at which price.

use crate::orders::purchase::{Charges, CheckoutLine};
use crate::orders::refusals::PlaceRefused;
use crate::pricing::unit_price::UnitPrice;
use crate::{Category, Money, OrderedVehicle, PictureUrl, ProductId, Purchase, Quantity, Text};

/// What was ordered: a snapshot of the product and its price at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The product's id.
    pub product: ProductId,
    /// The product's name at that moment.
    pub name: Text<200>,
    /// The product's category at that moment.
    pub category: Category,
    /// The product's description at that moment.
    pub details: Text<5000>,
    /// The product's picture at that moment.
    pub img: PictureUrl,
    /// The manufacturer's part number, if it had one.
    pub part_number: Option<Text<60>>,
    /// The price of one unit at that moment.
    pub unit_price: UnitPrice,
    /// The number of units.
    pub quantity: Quantity,
    /// Unit price times quantity.
    pub total: Money,
    /// The vehicle that it is for, if the customer named one.
    pub vehicle: Option<Box<OrderedVehicle>>,
    /// How it was bought, if not just by itself.
    pub purchase: Option<Box<Purchase>>,
}

impl Item {
    /// The line of a checkout that it is.
    #[must_use]
    pub fn line(&self) -> Option<CheckoutLine> {
        self.purchase.as_ref().and_then(|purchase| purchase.line)
    }

    /// What it owes besides its goods; `None` while the freight waits for an admin's figure.
    #[must_use]
    pub fn charges(&self) -> Option<Charges> {
        self.line().map_or(Some(Charges::NONE), |line| line.charges)
    }

    /// The refusal of an order for this item when its product has another price by now.
    #[must_use]
    pub fn price_changed(&self, unit: UnitPrice) -> PlaceRefused {
        match unit.money().times(self.quantity.get()) {
            Ok(total) => PlaceRefused::PriceChanged { unit, total },
            Err(error) => PlaceRefused::Total(error),
        }
    }
}

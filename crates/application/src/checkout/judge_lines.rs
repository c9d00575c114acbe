//! Judging the lines of a checkout: which products they are, in which quantity, and at which price.

use std::collections::HashMap;

use domain::catalog::quantity::QuantityError;
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{
    AccountId, Fit, Money, OrderedVehicle, Product, ProductId, ProductLines, Quantity, SentLine, Text, UnitPrice,
    VehicleChoice,
};
use ports::{PriceBasis, StoreError};

use crate::{Checkouts, PricesOf};

/// How a line names its product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineProduct {
    ById(ProductId),
    /// By a number of any kind, and perhaps the brand whose part it is.
    ByNumber {
        number: Text<60>,
        brand: Option<Text<60>>,
    },
}

/// A line as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckoutLineCommand {
    /// Its place among all lines, from 1.
    pub line: u16,
    pub product: LineProduct,
    /// How many units: any whole number.
    pub quantity: i64,
    /// What the customer was shown for its goods, in dollars.
    pub shown: Option<f64>,
    pub vehicle: Option<VehicleChoice>,
}

/// Why a line is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineRefused {
    /// No product has this number.
    UnknownNumber,
    /// Several products have this number: the brand has to be named.
    SeveralProducts,
    /// The product is gone, or was replaced by this one.
    Gone { replaced_by: Option<ProductId> },
    /// As a single order would be.
    Order(PlaceRefused),
}

/// A line that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedLine {
    pub line: u16,
    pub why: LineRefused,
}

/// All lines of one product, judged.
#[derive(Debug, Clone)]
pub struct JudgedLine {
    /// The place of the first line.
    pub line: u16,
    pub product: Product,
    pub quantity: Quantity,
    pub unit: UnitPrice,
    /// What its goods cost.
    pub goods: Money,
    pub(crate) basis: PriceBasis,
    pub(crate) vehicle: Option<OrderedVehicle>,
}

/// What became of all lines.
pub(crate) struct Judged {
    pub(crate) lines: Vec<JudgedLine>,
    pub(crate) refused: Vec<RefusedLine>,
    /// By which the prices were computed.
    pub(crate) prices: PricesOf,
}

impl Checkouts {
    /// Judges all lines by what the products are now.
    pub(crate) async fn judge_lines(
        &self,
        account: AccountId,
        lines: &[CheckoutLineCommand],
        fresh: bool,
    ) -> Result<Judged, StoreError> {
        let (named, mut refused) = self.named(lines).await?;
        let vehicles: HashMap<u16, &VehicleChoice> =
            lines.iter().filter_map(|line| Some((line.line, line.vehicle.as_ref()?))).collect();
        let groups = ProductLines::of(named);
        let ids: Vec<ProductId> = groups.iter().map(|group| group.product).collect();
        // Before the products: tiers that are replaced in between belong to a later epoch.
        let prices = if fresh {
            self.pricing.prices_now(account, &ids).await?
        } else {
            self.pricing.prices_as_known(account, &ids).await?
        };
        let products = self.products.find_all(&ids, false).await?;
        let products: HashMap<ProductId, Product> = products.into_iter().map(|one| (one.id, one)).collect();
        let mut judged = Vec::with_capacity(groups.len());
        for group in &groups {
            let Some(product) = products.get(&group.product) else {
                let replaced_by = self.catalog.successor(group.product).await?;
                refused.extend(of_group(group, || LineRefused::Gone { replaced_by }));
                continue;
            };
            match judge(group, product, &prices) {
                Ok(line) => {
                    let choice = group.lines.iter().find_map(|line| vehicles.get(&line.line));
                    match self.vehicle_of(product.id, choice.copied()).await? {
                        Ok(vehicle) => judged.push(JudgedLine { vehicle, ..line }),
                        Err(why) => refused.push(RefusedLine { line: group.line(), why: LineRefused::Order(why) }),
                    }
                }
                Err((line, why)) => refused.push(RefusedLine { line, why: LineRefused::Order(why) }),
            }
        }
        refused.sort_by_key(|refused| refused.line);
        Ok(Judged { lines: judged, refused, prices })
    }

    /// The products of all lines, and the lines that name none.
    async fn named(
        &self,
        lines: &[CheckoutLineCommand],
    ) -> Result<(Vec<(ProductId, SentLine)>, Vec<RefusedLine>), StoreError> {
        let (mut named, mut refused) = (Vec::with_capacity(lines.len()), Vec::new());
        for line in lines {
            let sent = SentLine { line: line.line, quantity: line.quantity, shown: line.shown };
            let product = match &line.product {
                LineProduct::ById(id) => Ok(*id),
                LineProduct::ByNumber { number, brand } => self.by_number(number, brand.as_ref()).await?,
            };
            match product {
                Ok(product) => named.push((product, sent)),
                Err(why) => refused.push(RefusedLine { line: line.line, why }),
            }
        }
        Ok((named, refused))
    }

    /// The one product that a number means exactly.
    async fn by_number(
        &self,
        number: &Text<60>,
        brand: Option<&Text<60>>,
    ) -> Result<Result<ProductId, LineRefused>, StoreError> {
        // What only resembles a number, from the fifth tier on, is not bought by it.
        const EXACT: u8 = 4;
        let found = self.catalog.products_by_number(number.as_str()).await?;
        let Some(found) = found.filter(|found| found.tier <= EXACT) else {
            return Ok(Err(LineRefused::UnknownNumber));
        };
        let is_of = |product: &Product| {
            let own = product.details.facts.brand.as_ref().map(|brand| domain::fold(brand.as_str()));
            brand.is_none_or(|brand| own.as_deref() == Some(&domain::fold(brand.as_str())))
        };
        let mut matching = found.products.into_iter().map(|found| found.product).filter(is_of);
        Ok(match (matching.next(), matching.next()) {
            (Some(product), None) => Ok(product.id),
            (None, _) => Err(LineRefused::UnknownNumber),
            (Some(_), Some(_)) => Err(LineRefused::SeveralProducts),
        })
    }

    async fn vehicle_of(
        &self,
        product: ProductId,
        choice: Option<&VehicleChoice>,
    ) -> Result<Result<Option<OrderedVehicle>, PlaceRefused>, StoreError> {
        let Some(choice) = choice else { return Ok(Ok(None)) };
        let known = self.fitments.of_vehicle(&[product], choice.wanted.vehicle()).await?.remove(&product);
        let Some(known) = known else { return Ok(Err(PlaceRefused::Gone)) };
        Ok(OrderedVehicle::of(choice, Fit::of(known, &choice.wanted)).map(Some))
    }
}

fn of_group(group: &ProductLines, why: impl Fn() -> LineRefused) -> Vec<RefusedLine> {
    group.lines.iter().map(|line| RefusedLine { line: line.line, why: why() }).collect()
}

/// Judges the lines of one product together; a refusal names the line that it is about.
fn judge(group: &ProductLines, product: &Product, prices: &PricesOf) -> Result<JudgedLine, (u16, PlaceRefused)> {
    let at = |why: PlaceRefused| (group.line(), why);
    let details = &product.details;
    // A line below one unit cannot be made good by another one.
    let minimum = details.min_order.get();
    if let Some(line) = group.lines.iter().find(|line| line.quantity < 1) {
        return Err((line.line, TakeRefused::BelowMinimum { minimum }.into()));
    }
    let quantity = Quantity::new(group.quantity()).map_err(|error| {
        at(match error {
            QuantityError::BelowFloor if details.available.can_fill(details.min_order) => {
                TakeRefused::BelowMinimum { minimum }.into()
            }
            QuantityError::BelowFloor | QuantityError::TooLarge => {
                TakeRefused::NotEnough { left: details.available }.into()
            }
        })
    })?;
    details.available.take(quantity, details.min_order).map_err(|why| at(why.into()))?;
    let unit = prices.rules(product).unit(quantity.get());
    let goods = unit.money().times(quantity.get()).map_err(|why| at(why.into()))?;
    if let Some((line, total)) = group.shown_otherwise(unit) {
        return Err((line, PlaceRefused::PriceChanged { unit, total }));
    }
    let basis = PriceBasis { list: details.price, epoch: prices.epoch };
    Ok(JudgedLine { line: group.line(), product: product.clone(), quantity, unit, goods, basis, vehicle: None })
}

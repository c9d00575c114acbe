//! Judging the lines of a checkout: which products they are, in which quantity, and at which price.

#[cfg(test)]
pub(super) mod tests;

use std::collections::HashMap;

use domain::catalog::quantity::QuantityError;
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{
    AccountId, AskedNumber, Fit, Money, OrderedVehicle, Product, ProductId, ProductLines, Quantity, SentLine, Text,
    UnitPrice, VehicleChoice, VehicleNo,
};
use ports::{NumberMatch, PriceBasis, StoreError};

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
    /// Judges all lines by what the products are now. The number of statements does not depend on the number of lines, only on
    /// that of the vehicles that they name.
    pub(crate) async fn judge_lines(
        &self,
        account: AccountId,
        lines: &[CheckoutLineCommand],
        fresh: bool,
    ) -> Result<Judged, StoreError> {
        let (named, mut refused) = self.named(lines).await?;
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
        let mut gone = Vec::new();
        for group in &groups {
            let Some(product) = products.get(&group.product) else {
                gone.push(group);
                continue;
            };
            match judge(group, product, &prices) {
                Ok(line) => judged.push(line),
                Err((line, why)) => refused.push(RefusedLine { line, why: LineRefused::Order(why) }),
            }
        }
        refused.extend(self.gone(&gone).await?);
        let judged = self.with_vehicles(judged, &groups, lines, &mut refused).await?;
        refused.sort_by_key(|refused| refused.line);
        Ok(Judged { lines: judged, refused, prices })
    }

    /// The lines of products that are not for sale, with what replaced them.
    async fn gone(&self, groups: &[&ProductLines]) -> Result<Vec<RefusedLine>, StoreError> {
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<ProductId> = groups.iter().map(|group| group.product).collect();
        let successors = self.parts.successors(&ids).await?;
        let mut refused = Vec::new();
        for group in groups {
            let why = LineRefused::Gone { replaced_by: successors.get(&group.product).copied() };
            refused.extend(group.lines.iter().map(|line| RefusedLine { line: line.line, why: why.clone() }));
        }
        Ok(refused)
    }

    /// The products of all lines, and the lines that name none.
    async fn named(
        &self,
        lines: &[CheckoutLineCommand],
    ) -> Result<(Vec<(ProductId, SentLine)>, Vec<RefusedLine>), StoreError> {
        let by_number = self.by_numbers(lines).await?;
        let (mut named, mut refused) = (Vec::with_capacity(lines.len()), Vec::new());
        for line in lines {
            let sent = SentLine { line: line.line, quantity: line.quantity, shown: line.shown };
            let product = match &line.product {
                LineProduct::ById(id) => Ok(*id),
                LineProduct::ByNumber { number, brand } => by_number.one(number, brand.as_ref()),
            };
            match product {
                Ok(product) => named.push((product, sent)),
                Err(why) => refused.push(RefusedLine { line: line.line, why }),
            }
        }
        Ok((named, refused))
    }

    async fn by_numbers(&self, lines: &[CheckoutLineCommand]) -> Result<ByNumber, StoreError> {
        let (mut places, mut asked) = (HashMap::new(), Vec::new());
        let mut with_brand = false;
        for line in lines {
            let LineProduct::ByNumber { number, brand } = &line.product else { continue };
            with_brand |= brand.is_some();
            if let Some(read) = AskedNumber::new(number.as_str()).filter(|_| !places.contains_key(number)) {
                places.insert(number.clone(), asked.len());
                asked.push(read);
            }
        }
        let found = if asked.is_empty() { Vec::new() } else { self.parts.by_numbers(&asked).await? };
        let products: HashMap<Text<60>, Vec<ProductId>> = places
            .into_iter()
            .map(|(number, place)| {
                let matches = found.get(place).map_or(&[][..], Vec::as_slice);
                (number, NumberMatch::best(matches).map(|found| found.product).collect())
            })
            .collect();
        let mut brands = HashMap::new();
        if with_brand {
            let ids: Vec<ProductId> = products.values().flatten().copied().collect();
            let brand_of = |of: Product| Some((of.id, domain::fold(of.details.facts.brand?.as_str())));
            brands = self.products.find_all(&ids, false).await?.into_iter().filter_map(brand_of).collect();
        }
        Ok(ByNumber { products, brands })
    }

    /// The lines with the vehicles that they are for, asked once for each vehicle.
    async fn with_vehicles(
        &self,
        judged: Vec<JudgedLine>,
        groups: &[ProductLines],
        lines: &[CheckoutLineCommand],
        refused: &mut Vec<RefusedLine>,
    ) -> Result<Vec<JudgedLine>, StoreError> {
        let sent: HashMap<u16, &VehicleChoice> =
            lines.iter().filter_map(|line| Some((line.line, line.vehicle.as_ref()?))).collect();
        if sent.is_empty() {
            return Ok(judged);
        }
        let choice_of = |group: &ProductLines| group.lines.iter().find_map(|line| sent.get(&line.line).copied());
        let choices: HashMap<ProductId, &VehicleChoice> =
            groups.iter().filter_map(|group| Some((group.product, choice_of(group)?))).collect();
        let mut of_vehicle: HashMap<VehicleNo, Vec<ProductId>> = HashMap::new();
        for line in &judged {
            if let Some(choice) = choices.get(&line.product.id) {
                of_vehicle.entry(choice.wanted.vehicle()).or_default().push(line.product.id);
            }
        }
        let mut known = HashMap::new();
        for (vehicle, products) in of_vehicle {
            known.extend(self.fitments.of_vehicle(&products, vehicle).await?);
        }
        let mut with_vehicles = Vec::with_capacity(judged.len());
        for line in judged {
            let Some(choice) = choices.get(&line.product.id) else {
                with_vehicles.push(line);
                continue;
            };
            let fits = known.remove(&line.product.id).ok_or(PlaceRefused::Gone);
            match fits.and_then(|fits| OrderedVehicle::of(choice, Fit::of(fits, &choice.wanted))) {
                Ok(vehicle) => with_vehicles.push(JudgedLine { vehicle: Some(vehicle), ..line }),
                Err(why) => refused.push(RefusedLine { line: line.line, why: LineRefused::Order(why) }),
            }
        }
        Ok(with_vehicles)
    }
}

/// What numbers lead to.
struct ByNumber {
    /// The products for sale that match a number best.
    products: HashMap<Text<60>, Vec<ProductId>>,
    /// The folded names of their brands, if a line names one.
    brands: HashMap<ProductId, String>,
}

impl ByNumber {
    /// The one product that a number means.
    fn one(&self, number: &Text<60>, brand: Option<&Text<60>>) -> Result<ProductId, LineRefused> {
        let brand = brand.map(|brand| domain::fold(brand.as_str()));
        let is_of = |product: &&ProductId| brand.is_none() || self.brands.get(product) == brand.as_ref();
        let mut matching = self.products.get(number).into_iter().flatten().filter(is_of);
        match (matching.next(), matching.next()) {
            (Some(product), None) => Ok(*product),
            (None, _) => Err(LineRefused::UnknownNumber),
            (Some(_), Some(_)) => Err(LineRefused::SeveralProducts),
        }
    }
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

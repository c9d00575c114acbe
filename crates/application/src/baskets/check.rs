//! Checking what somebody wants to order, line by line.

use std::collections::HashMap;
use std::sync::Arc;

use domain::baskets::quick_order;
use domain::{
    AskedLine, AskedUnits, BasketLine, Caller, Judged, Limits, Permission, Product, ProductId, RowNote, RowStatus,
    TooManyLines, UnitPrice, judge,
};
use ports::StoreError;

use crate::baskets::row::{CheckedRow, Choice, Line, Meaning, RowPrice};
use crate::pricing::quote_prices::PricesOf;
use crate::{Baskets, Failure};

/// Which quantity of a line decides, with those of the other lines of its product, what a unit costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PricedBy {
    /// What can be ordered of it.
    Orderable,
    /// What is asked for, which is what a cart keeps and orders.
    Asked,
}

impl PricedBy {
    fn units(self, asked: AskedUnits, judged: &Judged) -> u32 {
        match (self, asked) {
            _ if !is_orderable(judged.status) => 0,
            (Self::Asked, AskedUnits::Units(units)) => units.get(),
            _ => judged.quantity,
        }
    }
}

impl Baskets {
    /// Checks a text of part numbers and quantities: one row per line that is not blank, in their order.
    ///
    /// # Errors
    /// [`TooManyLines`].
    pub async fn check_text(&self, caller: &Caller, text: &str) -> Result<Vec<CheckedRow>, Failure<TooManyLines>> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        let lines = quick_order::read(text).map_err(Failure::Refused)?;
        let lines = self.found(lines).await?;
        Ok(self.judged(caller, lines, PricedBy::Orderable).await?)
    }

    /// Checks stored lines in the same way.
    pub(super) async fn check_lines(
        &self,
        caller: &Caller,
        lines: &[BasketLine],
        by: PricedBy,
    ) -> Result<Vec<CheckedRow>, StoreError> {
        let lines = self.resolved(lines).await?;
        self.judged(caller, lines, by).await
    }

    async fn judged(&self, caller: &Caller, lines: Vec<Line>, by: PricedBy) -> Result<Vec<CheckedRow>, StoreError> {
        let judged = judge_all(&lines);
        let mut wanted: HashMap<ProductId, u32> = HashMap::new();
        for (line, one) in lines.iter().zip(&judged) {
            for product in line.meaning.products() {
                let units = one.as_ref().map_or(0, |one| by.units(line.asked, one));
                let sum = wanted.entry(product.id).or_default();
                *sum = sum.saturating_add(units);
            }
        }
        let ids: Vec<ProductId> = wanted.keys().copied().collect();
        let prices = if ids.is_empty() { None } else { Some(self.pricing.prices_now(caller.account, &ids).await?) };
        let pricing = Pricing { prices, wanted };
        Ok(lines.into_iter().zip(judged).map(|(line, judged)| pricing.row(line, judged)).collect())
    }
}

impl Meaning {
    /// The products for sale that it names.
    fn products(&self) -> &[Arc<Product>] {
        match self {
            Self::Part { product, .. } => std::slice::from_ref(product),
            Self::Several(choices) => choices,
            Self::Nothing { close, .. } => close,
        }
    }
}

const fn is_orderable(status: RowStatus) -> bool {
    matches!(status, RowStatus::Ok | RowStatus::Adjusted)
}

/// Judges the lines of each product together; `None` for a line that means no product.
fn judge_all(lines: &[Line]) -> Vec<Option<Judged>> {
    let mut of_product: HashMap<ProductId, (Limits, Vec<usize>)> = HashMap::new();
    for (place, line) in lines.iter().enumerate() {
        if let Meaning::Part { product, .. } = &line.meaning {
            let limits = Limits::of(&product.details);
            of_product.entry(product.id).or_insert_with(|| (limits, Vec::new())).1.push(place);
        }
    }
    let mut all: Vec<Option<Judged>> = lines.iter().map(|_| None).collect();
    for (limits, places) in of_product.into_values() {
        let asked = |place: &usize| lines.get(*place).map(|line| AskedLine { line: line.no, asked: line.asked });
        let asked: Vec<AskedLine> = places.iter().filter_map(asked).collect();
        for (place, judged) in places.into_iter().zip(judge(limits, &asked)) {
            if let Some(slot) = all.get_mut(place) {
                *slot = Some(judged);
            }
        }
    }
    all
}

/// Prices, and how many units of each product they are for, of all lines.
struct Pricing {
    /// `None` if there is no product.
    prices: Option<PricesOf>,
    wanted: HashMap<ProductId, u32>,
}

impl Pricing {
    fn row(&self, line: Line, judged: Option<Judged>) -> CheckedRow {
        let Line { no: line, text, asked, meaning } = line;
        let quantity = if let AskedUnits::Units(units) = asked { units.get() } else { 0 };
        let open = |status, note, product: Option<Arc<Product>>, choices: Vec<Arc<Product>>| CheckedRow {
            line,
            text: text.clone(),
            status,
            notes: vec![note],
            quantity,
            product,
            is_successor: false,
            price: None,
            choices: choices.into_iter().map(|product| self.choice(product)).collect(),
        };
        match (meaning, judged) {
            (Meaning::Part { product, is_successor, note }, Some(judged)) => {
                let row = self.part(product, is_successor, note, judged);
                CheckedRow { line, text, ..row }
            }
            (Meaning::Several(choices), _) => open(RowStatus::Choose, RowNote::Several(choices.len()), None, choices),
            (Meaning::Nothing { why, close, former }, _) => open(RowStatus::Unknown, why, former, close),
            (Meaning::Part { product, .. }, None) => open(RowStatus::Unknown, RowNote::NoProduct, None, vec![product]),
        }
    }

    fn part(&self, product: Arc<Product>, is_successor: bool, note: Option<RowNote>, judged: Judged) -> CheckedRow {
        let Judged { mut status, quantity, notes } = judged;
        let unit = self.unit(&product);
        let mut notes: Vec<RowNote> = note.into_iter().chain(notes).collect();
        let total = is_orderable(status).then(|| unit.money().times(quantity));
        if matches!(total, Some(Err(_))) {
            status = RowStatus::Unknown;
            notes.push(RowNote::TooDear);
        } else if is_successor && is_orderable(status) {
            status = RowStatus::Replaced;
        }
        let price = Some(RowPrice { unit, total: total.and_then(Result::ok) });
        CheckedRow {
            line: 0,
            text: String::new(),
            status,
            notes,
            quantity,
            product: Some(product),
            is_successor,
            price,
            choices: Vec::new(),
        }
    }

    fn choice(&self, product: Arc<Product>) -> Choice {
        let unit = self.unit(&product);
        Choice { product, unit }
    }

    /// The price of one unit, by the quantity of all lines of the product.
    fn unit(&self, product: &Product) -> UnitPrice {
        let rules = self.prices.as_ref().map(|prices| prices.rules(product));
        rules.map_or(product.details.price, |rules| rules.unit(self.units_of(product)))
    }

    /// The units of a product that its price is for, at least its minimum order.
    fn units_of(&self, product: &Product) -> u32 {
        self.wanted.get(&product.id).copied().unwrap_or_default().max(product.details.min_order.get())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use domain::accounts::access::Denied;
    use domain::{Ladder, Money, OrderId, Role, Stock, Text, Tier, Units, message};
    use ports::{
        MockOrderRepository, MockOrderedParts, MockPriceRepository, MockProductRepository, NumberMatch, PriceBook,
        PriceEpoch,
    };
    use uuid::Uuid;

    use super::*;
    use crate::testing::{caller, customers_order, ports, product};
    use crate::{Ports, Pricing};

    /// Prices for everybody, which are read once.
    fn prices() -> MockPriceRepository {
        let mut prices = MockPriceRepository::new();
        prices.expect_epoch().times(1).returning(|| Ok(PriceEpoch(1)));
        prices
            .expect_book()
            .times(1)
            .returning(|| Ok(PriceBook { epoch: PriceEpoch(1), lists: HashMap::new(), accounts: HashMap::new() }));
        prices
    }

    pub(in crate::baskets) fn baskets(ports: &Ports) -> Baskets {
        let pricing = Arc::new(Pricing::new(ports));
        Baskets::new(ports, pricing)
    }

    pub(in crate::baskets) fn id(n: u128) -> ProductId {
        ProductId::new(Uuid::from_u128(n))
    }

    /// A part of 129.99 with a number of its own, of which there are 500 units.
    pub(in crate::baskets) fn part(n: u128) -> Product {
        let mut part = Product { id: id(n), ..product() };
        part.details.part_number = Some(Text::new(&format!("DL-{n}")).unwrap());
        part
    }

    /// The same part, of which there are so many units.
    pub(in crate::baskets) fn stocked(units: i64, mut part: Product) -> Product {
        part.details.available = Stock::new(units).unwrap();
        part
    }

    /// The same part, a unit of which costs 100.00 from so many units on.
    pub(in crate::baskets) fn cheaper_from(from: u32, mut part: Product) -> Product {
        let unit = UnitPrice::from_cents(10_000).unwrap();
        part.details.ladder = Ladder::new(vec![Tier { from, unit }]).unwrap();
        part
    }

    /// A repository in which some products are for sale and some are archived.
    pub(in crate::baskets) fn selling(sold: Vec<Product>, archived: Vec<Product>) -> MockProductRepository {
        let mut products = MockProductRepository::new();
        products.expect_find_all().returning(move |ids, is_archived| {
            let among = if is_archived { &archived } else { &sold };
            Ok(among.iter().filter(|product| ids.contains(&product.id)).cloned().collect())
        });
        products
    }

    pub(in crate::baskets) fn line(n: u128, units: i64) -> BasketLine {
        BasketLine { product: id(n), units: Units::new(units).unwrap(), shown: None }
    }

    /// What lines of part 4 come to: their status and quantity, and the cents of one unit and of all.
    async fn priced(part: Product, quantities: &[i64]) -> Vec<(RowStatus, u32, i64, Option<i64>)> {
        let lines: Vec<BasketLine> = quantities.iter().map(|units| line(4, *units)).collect();
        let baskets = baskets(&Ports { products: Arc::new(selling(vec![part], Vec::new())), ..ports() });
        let rows = baskets.check_lines(&caller(Role::Customer), &lines, PricedBy::Orderable).await.unwrap();
        let priced = |row: &CheckedRow| {
            let RowPrice { unit, total } = row.price.unwrap();
            (row.status, row.quantity, unit.money().cents(), total.map(Money::cents))
        };
        rows.iter().map(priced).collect()
    }

    fn own() -> NumberMatch {
        NumberMatch { product: product().id, tier: 1, via: None, is_archived: false }
    }

    #[tokio::test]
    async fn a_thousand_lines_are_as_many_statements_as_one() {
        for count in [1, 1_000] {
            let (mut parts, mut products) = (MockOrderedParts::new(), MockProductRepository::new());
            parts.expect_by_numbers().times(1).returning(|asked| Ok(asked.iter().map(|_| vec![own()]).collect()));
            products.expect_find_all().times(1).returning(|_, _| Ok(vec![product()]));
            let baskets = baskets(&Ports {
                ordered_parts: Arc::new(parts),
                products: Arc::new(products),
                prices: Arc::new(prices()),
                ..ports()
            });
            let text: Vec<String> = (0..count).map(|nth| format!("DL-{nth} 1")).collect();
            let rows = baskets.check_text(&caller(Role::Customer), &text.join("\n")).await.unwrap();
            assert_eq!(rows.len(), count);
        }
    }

    #[tokio::test]
    async fn only_some_numbers_that_are_not_found_are_looked_for_again() {
        let mut parts = MockOrderedParts::new();
        parts.expect_by_numbers().returning(|asked| Ok(asked.iter().map(|_| Vec::new()).collect()));
        parts
            .expect_close_to()
            .times(1)
            .withf(|keys| keys.len() == 50)
            .returning(|keys| Ok(keys.iter().map(|_| vec![product().id]).collect()));
        let mut products = MockProductRepository::new();
        products.expect_find_all().times(1).returning(|_, _| Ok(vec![product()]));
        let baskets = baskets(&Ports {
            ordered_parts: Arc::new(parts),
            products: Arc::new(products),
            prices: Arc::new(prices()),
            ..ports()
        });
        let text: Vec<String> = (0..200).map(|nth| format!("DL-{nth} 60")).collect();
        let rows = baskets.check_text(&caller(Role::Customer), &text.join("\n")).await.unwrap();
        assert!(rows.iter().all(|row| row.status == RowStatus::Unknown && row.quantity == 60));
        assert_eq!(rows.iter().filter(|row| !row.choices.is_empty()).count(), 50);
        assert_eq!(message(&rows[0].notes), "We couldn't find DL-0. Did you mean Ventilated brake disc?");
    }

    #[tokio::test]
    async fn each_line_of_a_part_costs_what_all_of_its_lines_earn() {
        let expected = (RowStatus::Ok, 60, 10_000, Some(600_000));
        assert_eq!(priced(cheaper_from(100, part(4)), &[60, 60]).await, [expected, expected]);
        let alone = (RowStatus::Ok, 60, 12_999, Some(779_940));
        assert_eq!(priced(cheaper_from(100, part(4)), &[60]).await, [alone]);
    }

    #[tokio::test]
    async fn units_that_are_out_of_stock_cost_nothing_and_earn_no_tier() {
        assert_eq!(
            priced(cheaper_from(101, stocked(100, part(4))), &[60, 60, 60]).await,
            [
                (RowStatus::Ok, 60, 12_999, Some(779_940)),
                (RowStatus::Adjusted, 40, 12_999, Some(519_960)),
                (RowStatus::Short, 60, 12_999, None)
            ]
        );
    }

    #[tokio::test]
    async fn anothers_order_is_not_ordered_again_not_even_by_an_admin() {
        let order = customers_order();
        let other = Caller { account: domain::AccountId::new(Uuid::from_u128(77)), ..caller(Role::Admin) };
        let mut orders = MockOrderRepository::new();
        orders.expect_find().returning(move |_| Ok(Some(order.clone())));
        let baskets = baskets(&Ports { orders: Arc::new(orders), ..ports() });
        let refused = baskets.reorder(&other, OrderId::new(Uuid::from_u128(5))).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
    }
}

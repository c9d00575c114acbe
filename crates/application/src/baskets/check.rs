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

impl Baskets {
    /// Checks a text of part numbers and quantities: one row per line that is not blank, in their order.
    ///
    /// # Errors
    /// [`TooManyLines`].
    pub async fn check_text(&self, caller: &Caller, text: &str) -> Result<Vec<CheckedRow>, Failure<TooManyLines>> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        let lines = quick_order::read(text).map_err(Failure::Refused)?;
        let lines = self.found(lines).await?;
        Ok(self.judged(caller, lines).await?)
    }

    /// Checks stored lines in the same way.
    pub(super) async fn check_lines(
        &self,
        caller: &Caller,
        lines: &[BasketLine],
    ) -> Result<Vec<CheckedRow>, StoreError> {
        let lines = self.resolved(lines).await?;
        self.judged(caller, lines).await
    }

    async fn judged(&self, caller: &Caller, lines: Vec<Line>) -> Result<Vec<CheckedRow>, StoreError> {
        let judged = judge_all(&lines);
        let mut wanted: HashMap<ProductId, u32> = HashMap::new();
        for (line, one) in lines.iter().zip(&judged) {
            for product in line.meaning.products() {
                let units = one.as_ref().filter(|one| is_orderable(one.status)).map_or(0, |one| one.quantity);
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

/// Prices, and how many units of each product can be ordered by all lines.
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

    /// The units of a product that can be ordered, at least its minimum order.
    fn units_of(&self, product: &Product) -> u32 {
        self.wanted.get(&product.id).copied().unwrap_or_default().max(product.details.min_order.get())
    }
}

#[cfg(test)]
mod tests {
    use domain::accounts::access::Denied;
    use domain::{OrderId, Role, Units, message};
    use ports::{
        Cart, MockCartRepository, MockOrderRepository, MockOrderedParts, MockPriceRepository, MockProductRepository,
        NumberMatch, PriceBook, PriceEpoch,
    };
    use uuid::Uuid;

    use super::*;
    use crate::testing::{caller, customers_order, ports, product};
    use crate::{Ports, Pricing, SaveCartRefused, SeenVersions};

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

    fn baskets(ports: &Ports) -> Baskets {
        let pricing = Arc::new(Pricing::new(ports));
        Baskets::new(ports, pricing)
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
    async fn anothers_order_is_not_ordered_again_not_even_by_an_admin() {
        let order = customers_order();
        let other = Caller { account: domain::AccountId::new(Uuid::from_u128(77)), ..caller(Role::Admin) };
        let mut orders = MockOrderRepository::new();
        orders.expect_find().returning(move |_| Ok(Some(order.clone())));
        let baskets = baskets(&Ports { orders: Arc::new(orders), ..ports() });
        let refused = baskets.reorder(&other, OrderId::new(Uuid::from_u128(5))).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
    }

    #[tokio::test]
    async fn a_cart_that_was_changed_in_between_is_shown_as_it_is() {
        let line = BasketLine { product: product().id, units: Units::new(60).unwrap(), shown: None };
        let mut carts = MockCartRepository::new();
        let mut version = 0;
        carts.expect_cart().times(2).returning(move |_| {
            version += 1;
            Ok(Cart { version, lines: vec![line] })
        });
        carts.expect_save().times(1).withf(|_, seen, _, _| *seen == 1).returning(|_, _, _, _| Ok(None));
        let mut products = MockProductRepository::new();
        products.expect_find_all().returning(|_, _| Ok(vec![product()]));
        let baskets = baskets(&Ports {
            carts: Arc::new(carts),
            products: Arc::new(products),
            prices: Arc::new(prices()),
            ..ports()
        });
        let seen = SeenVersions::These(vec![1]);
        let refused = baskets.save_cart(&caller(Role::Customer), &seen, &[]).await;
        let Err(Failure::Refused(SaveCartRefused::Stale(current))) = refused else { panic!("{refused:?}") };
        assert_eq!((current.version, current.lines.len()), (2, 1));
    }
}

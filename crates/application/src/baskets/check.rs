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

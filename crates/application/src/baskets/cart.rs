//! The cart of the caller.

use domain::{BasketLine, BasketRefused, Caller, Money, Permission, RowNote, RowStatus, merged, summed};
use ports::Cart;
use thiserror::Error;

use crate::baskets::check::PricedBy;
use crate::baskets::row::{CheckedRow, RowPrice};
use crate::failure::Unavailable;
use crate::{Baskets, Failure};

/// How often a merge is tried while others change the cart.
const MAX_RETRIES: usize = 8;

/// A cart as its owner sees it.
#[derive(Debug, Clone)]
pub struct CartView {
    /// Counts its changes; 0 of one that was never saved.
    pub version: i64,
    pub lines: Vec<CartLine>,
}

/// A line of a cart as it stands now.
#[derive(Debug, Clone)]
pub struct CartLine {
    /// What is kept.
    pub kept: BasketLine,
    /// How it stands. Its quantity and its price are those of what is kept.
    pub row: CheckedRow,
}

/// Why a cart was not saved.
#[derive(Debug, Error)]
pub enum SaveCartRefused {
    /// It is another version than the one that was seen: this one.
    #[error("the cart was changed by somebody else")]
    Stale(CartView),
    #[error(transparent)]
    Lines(#[from] BasketRefused),
}

/// Which versions of a cart may be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeenVersions {
    /// Whichever there is.
    Any,
    /// One of these.
    These(Vec<i64>),
}

impl Baskets {
    /// The caller's cart.
    ///
    /// # Errors
    /// [`Failure::Unavailable`].
    pub async fn cart(&self, caller: &Caller) -> Result<CartView, Failure> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        let cart = self.carts.cart(caller.account).await?;
        self.viewed(caller, cart).await
    }

    /// Replaces the lines of a cart that is still as it was seen; lines of one product become one.
    ///
    /// # Errors
    /// [`SaveCartRefused`].
    pub async fn save_cart(
        &self,
        caller: &Caller,
        seen: &SeenVersions,
        lines: &[BasketLine],
    ) -> Result<CartView, Failure<SaveCartRefused>> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        let lines = summed(lines).map_err(refused)?;
        for _ in 0..MAX_RETRIES {
            let current = self.carts.cart(caller.account).await?;
            let is_seen = match seen {
                SeenVersions::Any => true,
                SeenVersions::These(versions) => versions.contains(&current.version),
            };
            if !is_seen {
                let current = self.viewed(caller, current).await.map_err(widened)?;
                return Err(Failure::Refused(SaveCartRefused::Stale(current)));
            }
            let saved = self.carts.save(caller.account, current.version, &lines, self.clock.now()).await?;
            if let Some(version) = saved {
                return self.viewed(caller, Cart { version, lines }).await.map_err(widened);
            }
        }
        Err(Unavailable::Contended.into())
    }

    /// Adds lines to the caller's cart: of each product the larger quantity stays, so that adding them again changes nothing.
    ///
    /// # Errors
    /// [`BasketRefused`], and nothing is changed.
    pub async fn merge_cart(&self, caller: &Caller, more: &[BasketLine]) -> Result<CartView, Failure<BasketRefused>> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        for _ in 0..MAX_RETRIES {
            let current = self.carts.cart(caller.account).await?;
            let lines = merged(&current.lines, more).map_err(Failure::Refused)?;
            if lines == current.lines {
                return self.viewed(caller, current).await.map_err(widened);
            }
            let saved = self.carts.save(caller.account, current.version, &lines, self.clock.now()).await?;
            if let Some(version) = saved {
                return self.viewed(caller, Cart { version, lines }).await.map_err(widened);
            }
        }
        Err(Unavailable::Contended.into())
    }

    async fn viewed(&self, caller: &Caller, cart: Cart) -> Result<CartView, Failure> {
        let rows = self.check_lines(caller, &cart.lines, PricedBy::Asked).await?;
        let lines = cart.lines.into_iter().zip(rows).map(|(kept, row)| as_kept(kept, row)).collect();
        Ok(CartView { version: cart.version, lines })
    }
}

/// A line of a cart keeps the quantity that its owner gave it: what could be ordered of it is only said.
fn as_kept(kept: BasketLine, mut row: CheckedRow) -> CartLine {
    row.notes.retain(|note| !matches!(note, RowNote::Changed { .. }));
    // Orders need not be of full packs: that is only said.
    let needs_another = |note: &RowNote| matches!(note, RowNote::Minimum(_) | RowNote::Stock { .. });
    if row.status == RowStatus::Adjusted && !row.notes.iter().any(needs_another) {
        row.status = RowStatus::Ok;
    }
    row.quantity = kept.units.get();
    row.price = row.price.map(|price| RowPrice { total: price.unit.money().times(row.quantity).ok(), ..price });
    if let Some((was, now)) = moved(&kept, &row).filter(|_| row.status == RowStatus::Ok) {
        row.status = RowStatus::Moved;
        row.notes.push(RowNote::Moved { was, now });
    }
    CartLine { kept, row }
}

/// What was shown and what it costs now, if that is another price.
fn moved(kept: &BasketLine, row: &CheckedRow) -> Option<(Money, Money)> {
    let (was, now) = (kept.shown?, row.price?.total?);
    (was != now).then_some((was, now))
}

const fn refused(error: BasketRefused) -> Failure<SaveCartRefused> {
    Failure::Refused(SaveCartRefused::Lines(error))
}

/// A failure without refusals as one of a use case that has some.
fn widened<R>(failure: Failure) -> Failure<R> {
    failure.map(|never| match never {})
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{PackSize, ProductId, Role, UnitPrice, Units, message};
    use ports::MockCartRepository;

    use super::*;
    use crate::Ports;
    use crate::baskets::check::tests::{baskets, cheaper_from, id, line, part, selling};
    use crate::testing::{caller, now, ports, product};

    fn kept(units: i64, cents: Option<i64>) -> BasketLine {
        let shown = cents.map(|cents| Money::from_cents(cents).unwrap());
        BasketLine { product: product().id, units: Units::new(units).unwrap(), shown }
    }

    fn shown(kept: BasketLine, status: RowStatus, notes: Vec<RowNote>) -> (RowStatus, u32, String, Option<i64>) {
        let unit = UnitPrice::from_dollars(2.0).unwrap();
        let row = CheckedRow {
            line: 1,
            text: String::new(),
            status,
            notes,
            quantity: 72,
            product: Some(Arc::new(product())),
            is_successor: false,
            price: Some(RowPrice { unit, total: None }),
            choices: Vec::new(),
        };
        let CartLine { row, .. } = as_kept(kept, row);
        let total = row.price.and_then(|price| price.total).map(Money::cents);
        (row.status, row.quantity, message(&row.notes), total)
    }

    #[test]
    fn a_line_keeps_its_quantity_and_full_packs_are_only_advised() {
        let size = PackSize::new(12).unwrap().get();
        let packs = RowNote::Packs { size, to: 72 };
        let changed = RowNote::Changed { from: 61, to: 72 };
        let advice = "Sold in packs of 12: 72 are full packs.";
        assert_eq!(
            shown(kept(61, None), RowStatus::Adjusted, vec![changed.clone(), packs.clone()]),
            (RowStatus::Ok, 61, advice.to_owned(), Some(12_200))
        );
        let too_few = vec![changed, RowNote::Minimum(70), packs];
        assert_eq!(
            shown(kept(61, None), RowStatus::Adjusted, too_few),
            (RowStatus::Adjusted, 61, format!("The minimum order is 70. {advice}"), Some(12_200))
        );
    }

    #[test]
    fn a_line_at_another_price_than_was_shown_is_moved_unless_something_else_is_the_matter() {
        let moved = "The price was $1.00 and is now $122.00.".to_owned();
        assert_eq!(shown(kept(61, Some(100)), RowStatus::Ok, Vec::new()), (RowStatus::Moved, 61, moved, Some(12_200)));
        assert_eq!(shown(kept(61, Some(12_200)), RowStatus::Ok, Vec::new()).0, RowStatus::Ok);
        let short = vec![RowNote::Short { left: 0, minimum: 50 }];
        assert_eq!(shown(kept(61, Some(100)), RowStatus::Short, short).0, RowStatus::Short);
    }

    /// The version and the units of a cart after lines are merged into it. It was version 3, with 60 units of part 4.
    async fn with_more(mut carts: MockCartRepository, more: &[BasketLine]) -> (i64, Vec<(ProductId, u32)>) {
        carts
            .expect_cart()
            .withf(|account| *account == caller(Role::Customer).account)
            .returning(|_| Ok(Cart { version: 3, lines: vec![line(4, 60)] }));
        let products = selling(vec![part(4), part(5)], Vec::new());
        let baskets = baskets(&Ports { carts: Arc::new(carts), products: Arc::new(products), ..ports() });
        let view = baskets.merge_cart(&caller(Role::Customer), more).await.unwrap();
        (view.version, view.lines.iter().map(|line| (line.kept.product, line.row.quantity)).collect())
    }

    #[tokio::test]
    async fn lines_from_elsewhere_are_saved_unless_the_cart_has_as_much_already() {
        let unchanged = with_more(MockCartRepository::new(), &[line(4, 50)]).await;
        assert_eq!(unchanged, (3, vec![(id(4), 60)]));
        let mut carts = MockCartRepository::new();
        carts
            .expect_save()
            .times(1)
            .withf(|_, seen, lines, at| (*seen, *at) == (3, now()) && lines == [line(4, 70), line(5, 80)])
            .returning(|_, _, _, _| Ok(Some(4)));
        let changed = with_more(carts, &[line(4, 70), line(5, 80)]).await;
        assert_eq!(changed, (4, vec![(id(4), 70), (id(5), 80)]));
    }

    #[tokio::test]
    async fn a_line_that_is_not_of_full_packs_costs_what_its_order_will() {
        let shows = async |units: i64, shown: Option<i64>| {
            let shown = shown.map(|cents| Money::from_cents(cents).unwrap());
            let mut carts = MockCartRepository::new();
            carts
                .expect_cart()
                .returning(move |_| Ok(Cart { version: 1, lines: vec![BasketLine { shown, ..line(4, units) }] }));
            // In packs of 12: 61 are 72 in full packs, and 70 cost less by the unit.
            let mut part = cheaper_from(70, part(4));
            part.details.facts.pack_size = PackSize::new(12).unwrap();
            let products = selling(vec![part], Vec::new());
            let baskets = baskets(&Ports { carts: Arc::new(carts), products: Arc::new(products), ..ports() });
            let view = baskets.cart(&caller(Role::Customer)).await.unwrap();
            let row = &view.lines[0].row;
            (row.status, row.quantity, row.price.and_then(|price| price.total).map(Money::cents))
        };
        assert_eq!(shows(61, None).await, (RowStatus::Ok, 61, Some(61 * 12_999)));
        assert_eq!(shows(61, Some(61 * 12_999)).await.0, RowStatus::Ok);
        assert_eq!(shows(61, Some(61 * 10_000)).await.0, RowStatus::Moved);
        assert_eq!(shows(70, None).await, (RowStatus::Ok, 70, Some(70 * 10_000)));
    }

    #[tokio::test]
    async fn a_cart_that_was_changed_in_between_is_shown_as_it_is() {
        let mut carts = MockCartRepository::new();
        let mut version = 0;
        carts.expect_cart().times(2).returning(move |_| {
            version += 1;
            Ok(Cart { version, lines: vec![line(4, 60)] })
        });
        carts.expect_save().times(1).withf(|_, seen, _, _| *seen == 1).returning(|_, _, _, _| Ok(None));
        let products = selling(vec![part(4)], Vec::new());
        let baskets = baskets(&Ports { carts: Arc::new(carts), products: Arc::new(products), ..ports() });
        let seen = SeenVersions::These(vec![1]);
        let refused = baskets.save_cart(&caller(Role::Customer), &seen, &[]).await;
        let Err(Failure::Refused(SaveCartRefused::Stale(current))) = refused else { panic!("{refused:?}") };
        assert_eq!((current.version, current.lines.len()), (2, 1));
    }
}

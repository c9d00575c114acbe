//! Changing an order: find it, decide on it, write the decision; and all of that again if somebody else changed the
//! order in the meantime.

use domain::{Denied, Order, OrderId};
use ports::{Applied, OrderRepository};

use crate::{Failure, Unavailable};

/// How often something is decided on before it counts as too busy. Each conflict means that another change of the same
/// order was written in between, and an order has only a handful of changes in its life.
const MAX_ATTEMPTS: usize = 8;

/// What came of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt<T> {
    /// The decision is written, or there was nothing to write.
    Done(T),
    /// What it was decided on has changed in the meantime. Nothing was written.
    Conflict,
}

impl<T> Attempt<T> {
    /// The same outcome, its result turned into another.
    pub(crate) fn map<U>(self, result: impl FnOnce(T) -> U) -> Attempt<U> {
        match self {
            Self::Done(done) => Attempt::Done(result(done)),
            Self::Conflict => Attempt::Conflict,
        }
    }

    /// This result, if the compare-and-set was written.
    pub(crate) fn of(applied: Applied, result: T) -> Self {
        match applied {
            Applied::Written => Self::Done(result),
            Applied::Conflict => Self::Conflict,
        }
    }
}

/// Runs an attempt until there is no conflict. Each attempt reads again what it decides on.
///
/// # Errors
/// Those of the attempt; [`Unavailable::Contended`] after too many conflicts.
pub(crate) async fn until_written<T, E, Attempted>(mut attempt: impl FnMut() -> Attempted) -> Result<T, E>
where
    E: From<Unavailable>,
    Attempted: Future<Output = Result<Attempt<T>, E>>,
{
    for _ in 0..MAX_ATTEMPTS {
        if let Attempt::Done(result) = attempt().await? {
            return Ok(result);
        }
    }
    Err(Unavailable::Contended.into())
}

/// Finds an order, and lets the attempt decide on it and write its decision, until there is no conflict.
///
/// # Errors
/// Those of the attempt; [`Denied::NotFound`] if there is no such order; [`Unavailable`] if the store failed or there
/// were too many conflicts.
pub(crate) async fn change_order<T, R, Attempted>(
    orders: &dyn OrderRepository,
    id: OrderId,
    attempt: impl FnMut(Order) -> Attempted,
) -> Result<T, Failure<R>>
where
    Attempted: Future<Output = Result<Attempt<T>, Failure<R>>>,
{
    change_if_found(orders, id, attempt).await?.ok_or(Failure::Denied(Denied::NotFound))
}

/// The same for the shop's own work, which no caller asked for: `None` if there is no such order.
///
/// # Errors
/// Those of the attempt; [`Unavailable`] if the store failed or there were too many conflicts.
pub(crate) async fn change_if_found<T, E, Attempted>(
    orders: &dyn OrderRepository,
    id: OrderId,
    mut attempt: impl FnMut(Order) -> Attempted,
) -> Result<Option<T>, E>
where
    E: From<Unavailable>,
    Attempted: Future<Output = Result<Attempt<T>, E>>,
{
    for _ in 0..MAX_ATTEMPTS {
        let Some(order) = orders.find(id).await.map_err(Unavailable::from)? else { return Ok(None) };
        if let Attempt::Done(result) = attempt(order).await? {
            return Ok(Some(result));
        }
    }
    Err(Unavailable::Contended.into())
}

#[cfg(test)]
mod tests {
    use ports::MockOrderRepository;

    use super::*;
    use crate::testing::{customers_order, holding};

    #[tokio::test]
    async fn an_order_is_found_and_decided_on_again_after_every_conflict() {
        let order = customers_order();
        let mut left = 3;
        let orders = holding(&order);
        let changed = change_if_found(&orders, order.id, |found| {
            assert_eq!(found, customers_order());
            left -= 1;
            let applied = if left == 0 { Applied::Written } else { Applied::Conflict };
            async move { Ok::<_, Unavailable>(Attempt::of(applied, "written")) }
        });
        assert_eq!(changed.await.unwrap(), Some("written"));
        assert_eq!(left, 0);
    }

    #[tokio::test]
    async fn an_order_that_others_keep_changing_is_given_up() {
        let order = customers_order();
        let mut attempts = 0;
        let orders = holding(&order);
        let changed = change_if_found(&orders, order.id, |_| {
            attempts += 1;
            async { Ok::<_, Unavailable>(Attempt::<()>::Conflict) }
        });
        assert!(matches!(changed.await, Err(Unavailable::Contended)));
        assert_eq!(attempts, MAX_ATTEMPTS);
    }

    #[tokio::test]
    async fn an_order_that_does_not_exist_is_not_decided_on() {
        let mut orders = MockOrderRepository::new();
        orders.expect_find().times(1).returning(|_| Ok(None));
        let mut attempts = 0;
        let changed = change_order(&orders, customers_order().id, |_| {
            attempts += 1;
            async { Ok::<_, Failure>(Attempt::Done(())) }
        });
        assert!(matches!(changed.await, Err(Failure::Denied(Denied::NotFound))));
        assert_eq!(attempts, 0);
    }
}

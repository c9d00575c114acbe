//! Saying what the freight of a checkout costs that waits for it.

use domain::accounts::access::Denied;
use domain::orders::order::Change;
use domain::orders::refusals::FreightRefused;
use domain::{Caller, CheckoutId, LineTax, Money, Order, Permission, charge};
use ports::StoredCheckout;

use crate::change_order::{Attempt, until_written};
use crate::{Checkouts, Failure};

impl Checkouts {
    /// Sets the freight of a checkout that waits for it: each standing order gets its part of it, and its tax. From then on
    /// it can be paid.
    ///
    /// # Errors
    /// [`FreightRefused`]; [`Denied`] to anyone but an admin.
    pub async fn set_freight(
        &self,
        caller: &Caller,
        id: CheckoutId,
        shipping: Money,
    ) -> Result<(), Failure<FreightRefused>> {
        caller.require(Permission::ShipOrder)?;
        until_written(|| async {
            let StoredCheckout { checkout, orders } = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
            let standing: Vec<Order> = orders.into_iter().filter(|order| !order.is_cancelled()).collect();
            // Without an order that stands, nobody would owe the freight.
            if checkout.shipping.is_some() || standing.is_empty() {
                return Err(Failure::Refused(FreightRefused::NotWaiting));
            }
            let goods: Vec<Money> = standing.iter().map(|order| order.item.total).collect();
            let tax_of = |order: &Order| -> Option<LineTax> {
                let line = order.item.line()?.line;
                checkout.taxes.iter().find(|(of, _)| *of == line).map(|(_, tax)| tax.clone())
            };
            let taxes: Vec<Option<LineTax>> = standing.iter().map(tax_of).collect();
            let charged = charge(&goods, &taxes, shipping).map_err(|why| Failure::Refused(why.into()))?;
            let changes: Result<Vec<Change>, FreightRefused> = standing
                .into_iter()
                .zip(&charged.lines)
                .map(|(order, charges)| order.set_freight(*charges, self.events.meta(caller.actor())))
                .collect();
            let changes = changes.map_err(Failure::Refused)?;
            let applied = self.checkouts.set_freight(id, charged.shipping, charged.tax, &changes).await?;
            Ok(Attempt::of(applied, ()))
        })
        .await
    }
}

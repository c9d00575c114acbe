//! Placing a checkout, and checking what it would be.

#[cfg(test)]
mod tests;

use domain::accounts::access::Denied;
use domain::orders::refusals::PlaceRefused;
use domain::{
    Address, Caller, Charges, Checkout, CheckoutContact, CheckoutId, CheckoutLine, ChosenMethod, Contact, EventId,
    Order, OrderId, Permission, Purchase, ShippingMethodId, Terms, Text,
};
use ports::{CheckoutPlaced, IdempotencyKey, NewCheckout, NewOrder, PlaceCheckoutError, PlaceError, StoredCheckout};
use thiserror::Error;

use crate::change_order::{Attempt, until_written};
use crate::checkout::assess::{AssessRefused, Assessed};
use crate::checkout::judge_lines::{CheckoutLineCommand, JudgedLine, LineRefused, RefusedLine};
use crate::{Checkouts, Failure, Unavailable};

/// The command to place a checkout.
#[derive(Debug, Clone)]
pub struct PlaceCheckout {
    pub lines: Vec<CheckoutLineCommand>,
    pub name: Text<120>,
    /// The customer's e-mail address, if sent: it must be the caller's own.
    pub email: Option<String>,
    pub phone: Text<40>,
    pub address: Address,
    pub po_number: Option<Text<60>>,
    pub note: Option<Text<1000>>,
    pub terms: Terms,
    pub method: Option<ShippingMethodId>,
    /// Whether the lines that can be placed are, although others cannot.
    pub partial: bool,
    pub idempotency_key: Option<IdempotencyKey>,
    /// Whether the request holds the claim on its key, see [`NewOrder::holds_claim`].
    pub holds_claim: bool,
}

/// Why nothing is placed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlaceCheckoutRefused {
    /// These lines are refused.
    #[error("lines are refused")]
    Lines(Vec<RefusedLine>),
    /// What it costs cannot be said.
    #[error(transparent)]
    Assess(#[from] AssessRefused),
    /// The account has never paid, and has an unpaid checkout already.
    #[error("there is an unpaid checkout already")]
    OneUnpaid,
}

/// What was placed.
#[derive(Debug, Clone)]
pub struct PlacedCheckout {
    pub placed: PlacedAs,
    /// Lines that were left out.
    pub refused: Vec<RefusedLine>,
    /// Whether an earlier request placed it, under the same idempotency key.
    pub is_repeat: bool,
}

/// As what it was placed.
#[derive(Debug, Clone)]
pub enum PlacedAs {
    Checkout(Box<StoredCheckout>),
    /// One line alone is a plain order.
    Order(Box<Order>),
}

/// What a checkout would be if it were placed now.
#[derive(Debug, Clone)]
pub struct CheckedCheckout {
    pub lines: Vec<JudgedLine>,
    pub refused: Vec<RefusedLine>,
    /// `None` if no line is left.
    pub assessed: Option<Assessed>,
}

impl Checkouts {
    /// What a checkout would be; places nothing.
    ///
    /// # Errors
    /// [`AssessRefused`]; [`Failure::Denied`] to a visitor.
    pub async fn check_checkout(
        &self,
        caller: &Caller,
        lines: &[CheckoutLineCommand],
        address: Option<&Address>,
        method: Option<ShippingMethodId>,
    ) -> Result<CheckedCheckout, Failure<AssessRefused>> {
        caller.require_owner(Permission::PlaceOrder, caller.account)?;
        let judged = self.judge_lines(caller.account, lines, true).await?;
        let assessed = match address {
            // One line alone is a plain order, without freight and tax.
            Some(address) if judged.lines.len() > 1 => {
                Some(self.assess(caller.account, address, method, &judged.lines).await?)
            }
            _ => None,
        };
        Ok(CheckedCheckout { lines: judged.lines, refused: judged.refused, assessed })
    }

    /// Places the orders of a checkout, all of them or none; with `partial`, those that can be placed. Repeating the call
    /// with the same idempotency key of the same caller places nothing and returns the first checkout.
    ///
    /// # Errors
    /// [`PlaceCheckoutRefused`]; then the stock is unchanged.
    pub async fn place_checkout(
        &self,
        caller: &Caller,
        command: PlaceCheckout,
    ) -> Result<PlacedCheckout, Failure<PlaceCheckoutRefused>> {
        caller.require_self(Permission::PlaceOrder, command.email.as_deref().unwrap_or(caller.email.as_str()))?;
        // Looked for first: by what is left since, the same lines may be refused, or become an order alone where they were a
        // checkout, and the other way round.
        if let Some(key) = command.idempotency_key
            && let Some(first) = self.placed_before(caller, key).await?
        {
            return Ok(first);
        }
        let placed = until_written(|| self.try_to_place(caller, &command)).await;
        match (placed, command.idempotency_key) {
            (Err(Failure::Unavailable(Unavailable::Store(error))), _) => Err(error.into()),
            // The refusal may be an effect of the first request itself: it took the units that are missing now.
            (Err(refused), Some(key)) => self.placed_before(caller, key).await?.ok_or(refused),
            (placed, _) => placed,
        }
    }

    async fn placed_before(
        &self,
        caller: &Caller,
        key: IdempotencyKey,
    ) -> Result<Option<PlacedCheckout>, Failure<PlaceCheckoutRefused>> {
        let repeat = |placed| PlacedCheckout { placed, refused: Vec::new(), is_repeat: true };
        if let Some(first) = self.checkouts.placed_under(caller.account, key).await? {
            let stored = self.checkouts.find(first).await?.ok_or(Denied::NotFound)?;
            return Ok(Some(repeat(PlacedAs::Checkout(Box::new(stored)))));
        }
        let Some(first) = self.order_repository.placed_under(caller.account, key).await? else { return Ok(None) };
        let order = self.order_repository.find(first).await?.ok_or(Denied::NotFound)?;
        Ok(Some(repeat(PlacedAs::Order(Box::new(order)))))
    }

    async fn try_to_place(
        &self,
        caller: &Caller,
        command: &PlaceCheckout,
    ) -> Result<Attempt<PlacedCheckout>, Failure<PlaceCheckoutRefused>> {
        let judged = self.judge_lines(caller.account, &command.lines, false).await?;
        let price_changed =
            |refused: &RefusedLine| matches!(refused.why, LineRefused::Order(PlaceRefused::PriceChanged { .. }));
        // The customer may have seen prices that this instance has not read yet.
        if judged.refused.iter().any(price_changed) && self.pricing.has_changed_since(judged.prices.epoch).await? {
            return Ok(Attempt::Conflict);
        }
        if judged.lines.is_empty() || (!judged.refused.is_empty() && !command.partial) {
            return Err(Failure::Refused(PlaceCheckoutRefused::Lines(judged.refused)));
        }
        let refused = judged.refused;
        let placed = match <[JudgedLine; 1]>::try_from(judged.lines) {
            Ok([alone]) => self.place_alone(caller, command, alone).await?,
            Err(lines) => self.place_together(caller, command, lines).await?,
        };
        Ok(placed.map(|(placed, is_repeat)| PlacedCheckout { placed, refused, is_repeat }))
    }

    async fn place_alone(
        &self,
        caller: &Caller,
        command: &PlaceCheckout,
        line: JudgedLine,
    ) -> Result<Attempt<(PlacedAs, bool)>, Failure<PlaceCheckoutRefused>> {
        let purchase = Purchase { line: None, po_number: command.po_number.clone() };
        let new = NewOrder {
            idempotency_key: command.idempotency_key,
            holds_claim: command.holds_claim,
            ..self.new_order(caller, command, &line, purchase)?
        };
        match self.order_repository.place(&new).await {
            Ok(id) => {
                let order = self.order_repository.find(id).await?.ok_or(Denied::NotFound)?;
                Ok(Attempt::Done((PlacedAs::Order(Box::new(order)), id != new.order.id)))
            }
            Err(PlaceError::Refused(PlaceRefused::PriceChanged { .. })) => {
                self.pricing.has_changed_since(line.basis.epoch).await?;
                Ok(Attempt::Conflict)
            }
            Err(PlaceError::Refused(why)) => Err(refused_line(line.line, why)),
            Err(PlaceError::Store(error)) => Err(error.into()),
        }
    }

    async fn place_together(
        &self,
        caller: &Caller,
        command: &PlaceCheckout,
        lines: Vec<JudgedLine>,
    ) -> Result<Attempt<(PlacedAs, bool)>, Failure<PlaceCheckoutRefused>> {
        let assessed = self.assess(caller.account, &command.address, command.method, &lines).await;
        let assessed = assessed.map_err(|failure| failure.map(PlaceCheckoutRefused::Assess))?;
        let new = self.new_checkout(caller, command, &lines, &assessed)?;
        match self.checkouts.place(&new).await {
            Ok(CheckoutPlaced::Now { id, .. } | CheckoutPlaced::Before(id)) => {
                let stored = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
                Ok(Attempt::Done((PlacedAs::Checkout(Box::new(stored)), id != new.checkout.id)))
            }
            // Something changed between reading and writing: read it again, and say what is refused then.
            Err(PlaceCheckoutError::Lines(_)) => {
                if let Some(line) = lines.first() {
                    self.pricing.has_changed_since(line.basis.epoch).await?;
                }
                Ok(Attempt::Conflict)
            }
            Err(PlaceCheckoutError::OneUnpaid) => Err(Failure::Refused(PlaceCheckoutRefused::OneUnpaid)),
            Err(PlaceCheckoutError::Store(error)) => Err(error.into()),
        }
    }

    fn new_checkout(
        &self,
        caller: &Caller,
        command: &PlaceCheckout,
        lines: &[JudgedLine],
        assessed: &Assessed,
    ) -> Result<NewCheckout, Failure<PlaceCheckoutRefused>> {
        let id = CheckoutId::new(self.ids.fresh());
        let mut orders = Vec::with_capacity(lines.len());
        // Numbered as they were sent: what is refused of a partial checkout has the same numbers.
        for (index, line) in lines.iter().enumerate() {
            let charges: Option<Charges> =
                assessed.charged.as_ref().and_then(|charged| charged.lines.get(index).copied());
            let purchase = Purchase {
                line: Some(CheckoutLine { checkout: id, line: line.line, charges }),
                po_number: command.po_number.clone(),
            };
            orders.push(self.new_order(caller, command, line, purchase)?);
        }
        let taxes = lines.iter().zip(&assessed.taxes).filter_map(|(line, tax)| Some((line.line, tax.clone()?)));
        let method = assessed.method.as_ref();
        let checkout = Checkout {
            id,
            number: None,
            customer: caller.account,
            contact: CheckoutContact {
                name: command.name.clone(),
                email: caller.email.clone(),
                phone: command.phone.clone(),
            },
            address: command.address.clone(),
            po_number: command.po_number.clone(),
            note: command.note.clone(),
            terms: command.terms,
            method: method.map(|method| ChosenMethod { id: method.id, name: method.terms.name.clone() }),
            goods: assessed.goods,
            shipping: assessed.charged.as_ref().map(|charged| charged.shipping),
            tax: assessed.charged.as_ref().map(|charged| charged.tax),
            taxes: taxes.collect(),
            placed_at: self.clock.now(),
        };
        let PlaceCheckout { idempotency_key, holds_claim, .. } = *command;
        Ok(NewCheckout { checkout, orders, idempotency_key, holds_claim, reservations: self.reservations })
    }

    fn new_order(
        &self,
        caller: &Caller,
        command: &PlaceCheckout,
        line: &JudgedLine,
        purchase: Purchase,
    ) -> Result<NewOrder, Failure<PlaceCheckoutRefused>> {
        let contact = Contact {
            name: command.name.clone(),
            email: caller.email.clone(),
            phone: command.phone.clone(),
            address: command.address.one_line(),
        };
        let (id, now) = (OrderId::new(self.ids.fresh()), self.clock.now());
        let order = Order::place(id, caller.account, contact, &line.product, line.quantity, line.unit, now);
        let mut order = order.map_err(|why| refused_line(line.line, why))?;
        if let Some(vehicle) = &line.vehicle {
            order = order.for_vehicle(vehicle.clone());
        }
        if purchase != Purchase::default() {
            order = order.bought(purchase);
        }
        let event = order.placed(EventId::new(self.ids.fresh()), caller.actor());
        let basis = line.basis;
        Ok(NewOrder { order, event, basis, idempotency_key: None, holds_claim: true, reservations: self.reservations })
    }
}

fn refused_line(line: u16, why: PlaceRefused) -> Failure<PlaceCheckoutRefused> {
    Failure::Refused(PlaceCheckoutRefused::Lines(vec![RefusedLine { line, why: LineRefused::Order(why) }]))
}

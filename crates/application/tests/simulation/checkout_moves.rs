//! What customers and admins do with checkouts.

use std::collections::BTreeMap;
use std::sync::Arc;

use application::{
    CheckoutLineCommand, Failure, LineProduct, OpenPayment, PlaceCheckout, PlacedAs, PlacedCheckout, Unavailable,
};
use domain::{Caller, CheckoutId, Order, OrderState, Payable, Product, ProductId, SentLine, Terms, Text};
use ports::{Fingerprint, IdempotencyKey, KeyDigest, StoreError};

use crate::books::KeyReused;
use crate::checkouts::{CheckoutRow, address, line_of};
use crate::history::{History, Step};
use crate::invariants::REPEATS_REPLAY;
use crate::shares::{ANOTHER_BODY_IS_REFUSED, PLACED_WHOLE, SHOWN_IS_CHARGED};
use crate::shop::{CUSTOMERS, admin, customer, owner};
use crate::terms::cents;
use crate::world::{State, World};

impl History {
    pub(crate) fn next_move_of_checkouts(&mut self) -> Step {
        match self.rng.below(100) {
            0..35 => self.place_checkout(),
            35..55 => self.open_payment_of_checkout(),
            55..72 => self.pay_checkout(),
            72..85 => self.pay_while_cancelling(),
            85..91 => self.cancel_checkout(),
            _ => self.set_freight(),
        }
    }

    fn place_checkout(&mut self) -> Step {
        let commands = self.world.with(|state| state.notes.checkouts.clone());
        if !commands.is_empty() && self.chance(25) {
            let (caller, mut command) = commands[self.index_below(commands.len())].clone();
            if let Some(key) = command.idempotency_key.as_mut().filter(|_| self.rng.below(6) == 0) {
                // Another body under the same key.
                key.fingerprint = Fingerprint([0; 32]);
                command.lines.truncate(1);
            }
            return self.send_checkout(caller, command);
        }
        let products: Vec<Product> = self.world.with(|state| state.books.for_sale().collect());
        if products.is_empty() {
            return Ok(());
        }
        let caller = customer(self.rng.below(CUSTOMERS));
        let lines = self.lines(&caller, &products);
        let number = u8::try_from(self.rng.below(200)).unwrap();
        let idempotency_key = self.chance(60).then(|| key_of_checkout(number));
        let used =
            |(other, command): &(Caller, PlaceCheckout)| *other == caller && command.idempotency_key == idempotency_key;
        let command = PlaceCheckout {
            lines,
            name: Text::new("Nia").unwrap(),
            email: None,
            phone: Text::new("555 0100").unwrap(),
            address: address(),
            po_number: self.chance(50).then(|| Text::new("PO-4711").unwrap()),
            note: None,
            terms: Terms::Card,
            method: None,
            partial: self.chance(30),
            idempotency_key: idempotency_key.filter(|_| !commands.iter().any(used)),
            holds_claim: true,
        };
        if command.idempotency_key.is_some() {
            self.world.with(|state| state.notes.checkouts.push((caller.clone(), command.clone())));
        }
        self.send_checkout(caller, command)
    }

    /// Up to six lines over the few products that there are, so that some name the same one.
    fn lines(&mut self, caller: &Caller, products: &[Product]) -> Vec<CheckoutLineCommand> {
        let mut wanted: Vec<(Product, i64)> = Vec::new();
        let many = if self.chance(10) { 1 } else { 2 + self.rng.below(5) };
        for _ in 0..many {
            let product = products[self.index_below(products.len())].clone();
            let quantity = match self.rng.below(60) {
                0 => 0,
                1 => -5,
                2 => i64::MAX,
                _ => i64::try_from(25 + self.rng.below(55)).unwrap(),
            };
            wanted.push((product, quantity));
        }
        let mut sums: BTreeMap<ProductId, i64> = BTreeMap::new();
        for (product, quantity) in &wanted {
            let sum = sums.entry(product.id).or_default();
            *sum = sum.saturating_add(*quantity);
        }
        let is_stale = self.chance(4);
        let mut lines = Vec::new();
        for (place, (product, quantity)) in wanted.into_iter().enumerate() {
            // What the screen shows: the price at the quantity of all lines of the product.
            let sum = u32::try_from(sums[&product.id].clamp(0, 1_000_000)).unwrap();
            let unit = self.world.with(|state| state.books.rules_for(caller.account, &product).unit(sum));
            let units = u32::try_from(quantity).unwrap_or(0);
            let shown = unit.money().times(units).ok().filter(|_| self.chance(70)).map(domain::Money::dollars);
            let shown = if is_stale { shown.map(|shown| shown + 0.01) } else { shown };
            let line = u16::try_from(place + 1).unwrap();
            lines.push(CheckoutLineCommand {
                line,
                product: LineProduct::ById(product.id),
                quantity,
                shown,
                vehicle: None,
            });
        }
        lines
    }

    fn send_checkout(&mut self, caller: Caller, command: PlaceCheckout) -> Step {
        let key = command.idempotency_key;
        // The claim keeps out a second request while the first is being processed.
        if key.is_some_and(|key| self.world.with(|state| state.notes.claimed.contains(&key.key.0))) {
            return Ok(());
        }
        let claim = key.map(|key| Claim::take(&self.world, key.key.0));
        let (shop, world, received) = (self.shop.clone(), Arc::clone(&self.world), !self.chance(10));
        let name = format!("place a checkout of {} lines for {}, {key:?}", command.lines.len(), caller.email);
        self.begin(&name, async move {
            let _claim = claim;
            let first = world.with(|state| key.map(|key| placed_under(state, &caller, key)));
            let answer = shop.checkouts.place_checkout(&caller, command.clone()).await;
            world.with(|state| {
                state.version += 1;
                state.log(|| format!("  {answer:?}"));
                state.notes.count(what_became(&answer, matches!(first, Some(Ok(Some(_))))));
                if let Some(first) = first {
                    state.notes.broken.extend(differs_from_first(&first, &answer));
                }
                if let Ok(PlacedCheckout { placed, refused, is_repeat: false }) = &answer {
                    let orders: &[Order] = match placed {
                        PlacedAs::Checkout(stored) => &stored.orders,
                        PlacedAs::Order(order) => std::slice::from_ref(order),
                    };
                    let left_out: Vec<u16> = refused.iter().map(|refused| refused.line).collect();
                    state.notes.broken.extend(differs_from_sent(&command, orders, &left_out));
                    if received {
                        state.notes.acknowledged.extend(orders.iter().map(|order| order.id));
                    }
                }
            });
        })
    }

    fn some_checkout(&mut self, fits: impl Fn(&CheckoutRow) -> bool) -> Option<(CheckoutId, Caller)> {
        let found: Vec<(CheckoutId, domain::AccountId)> = self.world.with(|state| {
            let fitting = state.books.checkouts.iter().filter(|(_, row)| fits(row));
            fitting.map(|(id, row)| (*id, row.checkout.customer)).collect()
        });
        let reach = if self.chance(75) { found.len().min(2) } else { found.len() };
        let (id, account) = *(reach > 0).then(|| &found[found.len() - 1 - self.index_below(reach)])?;
        let owner = (0..CUSTOMERS).map(customer).find(|customer| customer.account == account)?;
        Some((id, if self.chance(95) { owner } else { customer(self.rng.below(CUSTOMERS)) }))
    }

    fn open_payment_of_checkout(&mut self) -> Step {
        let Some((id, caller)) = self.some_checkout(|_| true) else { return Ok(()) };
        let due = self.world.with(|state| {
            let unpaid = |order: &&&Order| !order.is_cancelled() && order.state.transaction().is_none();
            let lines = state.books.lines_of(id);
            lines.iter().filter(unpaid).map(|order| order.due().cents()).sum::<i64>()
        });
        let shown = due + i64::from(self.chance(10));
        let shown_total = self.chance(30).then(|| domain::Money::from_cents(shown).unwrap().dollars());
        let command = OpenPayment { payable: Some(Payable::Checkout(id)), shown_total };
        for _ in 0..if self.chance(20) { 2 } else { 1 } {
            self.send_opening(caller.clone(), command.clone())?;
        }
        if self.chance(20) {
            // Another window pays for one of the lines.
            let lines: Vec<_> =
                self.world.with(|state| state.books.lines_of(id).iter().map(|order| order.id).collect());
            let line = lines[self.index_below(lines.len())];
            let command = OpenPayment { payable: Some(Payable::Order(line)), shown_total: None };
            self.send_opening(caller, command)?;
        }
        Ok(())
    }

    /// A customer pays at once with the last secret of a checkout, or reports it again.
    fn pay_checkout(&mut self) -> Step {
        let secrets = self.world.with(|state| state.notes.secrets.clone());
        let of_checkouts: Vec<_> = secrets.into_iter().filter(|(payable, _)| payable.order().is_none()).collect();
        let Some((payable, secret)) = of_checkouts.last().cloned() else { return Ok(()) };
        let payment = secret.split("_secret_").next().unwrap().to_owned();
        if self.chance(75) {
            self.pay_with_visa(payable, &secret);
        }
        if self.chance(60) { self.report(payable, payment) } else { Ok(()) }
    }

    /// A browser reports what it paid: for a checkout as a whole, or for one of its lines.
    pub(crate) fn report(&mut self, payable: Payable, payment: String) -> Step {
        let id = match payable {
            Payable::Order(order) => return self.report_paid(order, payment),
            Payable::Checkout(id) => id,
        };
        let lines: Vec<_> = self.world.with(|state| state.books.lines_of(id).into_iter().cloned().collect());
        if lines.is_empty() {
            return Ok(());
        }
        if self.chance(30) {
            let line: &Order = &lines[self.index_below(lines.len())];
            return self.report_paid(line.id, payment);
        }
        let caller = self.caller_for(&lines[0]);
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin(&format!("settle {payable} by {payment}"), async move {
            let answer = shop.checkouts.settle_checkout(&caller, id, payment).await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                state.notes.count(match answer {
                    Ok(()) => "a reported payment of a checkout was confirmed",
                    Err(_) => "a reported payment of a checkout was not confirmed",
                });
            });
        })
    }

    /// In one window a customer opens a payment and pays at once, in another one cancels what it is for.
    fn pay_while_cancelling(&mut self) -> Step {
        let unpaid = |order: &Order| order.state == OrderState::Placed && order.item.charges().is_some();
        let together = self.chance(80);
        let fits = |order: &Order| unpaid(order) && (order.checkout().is_some() || !together);
        let Some(order) = self.some_order_that(fits) else { return Ok(()) };
        let payable = order.checkout().map_or(Payable::Order(order.id), Payable::Checkout);
        let known = self.world.with(|state| state.notes.secrets.len());
        self.send_opening(owner(&order), OpenPayment { payable: Some(payable), shown_total: None })?;
        for _ in 0..self.rng.below(14) {
            self.poll_one()?;
        }
        self.cancel_order(owner(&order), &order)?;
        for _ in 0..60 {
            self.poll_one()?;
            let secret = self.world.with(|state| state.notes.secrets.get(known).cloned());
            if let Some((payable, secret)) = secret {
                self.pay_with_visa(payable, &secret);
                if self.chance(50) {
                    self.cancel_last();
                }
                break;
            }
        }
        Ok(())
    }

    fn pay_with_visa(&mut self, payable: Payable, secret: &str) {
        let payment = secret.split("_secret_").next().unwrap();
        self.world.with(|state| {
            state.log(|| format!("pay {payment} of {payable}"));
            let body = format!("client_secret={secret}&payment_method=pm_card_visa&use_stripe_sdk=true");
            state.call_stripe("pk_test_browser", &format!("/v1/payment_intents/{payment}/confirm"), &body);
        });
    }

    fn cancel_checkout(&mut self) -> Step {
        let Some((id, owner)) = self.some_checkout(|_| true) else { return Ok(()) };
        let caller = if self.chance(25) { admin() } else { owner };
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin(&format!("cancel checkout {id}"), async move {
            let answer = shop.checkouts.cancel_checkout(&caller, id).await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                state.notes.count(match answer {
                    Ok(0) => "a checkout was cancelled before",
                    Ok(_) => "the lines of a checkout were cancelled",
                    Err(_) => "a checkout was not cancelled",
                });
            });
        })
    }

    /// An admin says what the freight costs, mostly of a checkout that waits for it.
    fn set_freight(&mut self) -> Step {
        let any = self.chance(10);
        let waits = |row: &CheckoutRow| any || row.checkout.shipping.is_none();
        let Some((id, _)) = self.some_checkout(waits) else { return Ok(()) };
        let (shop, world, shipping) = (self.shop.clone(), Arc::clone(&self.world), cents(self.rng.below(50_000)));
        self.begin(&format!("set the freight of {id} to {shipping}"), async move {
            let answer = shop.checkouts.set_freight(&admin(), id, shipping).await;
            world.with(|state| {
                state.version += 1;
                state.log(|| format!("  {answer:?}"));
                state.notes.count(if answer.is_ok() { "an admin set the freight" } else { "the freight was not set" });
            });
        })
    }
}

/// The claim on an idempotency key, until the request ends or is dropped.
struct Claim {
    world: Arc<World>,
    key: [u8; 32],
}

impl Claim {
    fn take(world: &Arc<World>, key: [u8; 32]) -> Self {
        world.with(|state| state.notes.claimed.insert(key));
        Self { world: Arc::clone(world), key }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.world.with(|state| state.notes.claimed.remove(&self.key));
    }
}

/// A key of its own kind, with the fingerprint of the one request that is sent under it.
fn key_of_checkout(number: u8) -> IdempotencyKey {
    let mut key = [number; 32];
    key[31] = 255;
    IdempotencyKey { key: KeyDigest(key), fingerprint: Fingerprint([number.max(1); 32]) }
}

type Answer = Result<PlacedCheckout, Failure<application::PlaceCheckoutRefused>>;
type Broken = (&'static str, String);

/// What a customer placed under a key: a checkout, or an order alone.
fn placed_under(state: &State, caller: &Caller, key: IdempotencyKey) -> Result<Option<String>, KeyReused> {
    let checkout = state.books.checkout_under(caller.account, key)?.map(|id| id.to_string());
    let order = state.books.placed_under(caller.account, key)?.map(|id| id.to_string());
    Ok(checkout.or(order))
}

fn id_of(placed: &PlacedAs) -> String {
    match placed {
        PlacedAs::Checkout(stored) => stored.checkout.id.to_string(),
        PlacedAs::Order(order) => order.id.to_string(),
    }
}

fn what_became(answer: &Answer, was_placed: bool) -> &'static str {
    match answer {
        Ok(_) if was_placed => "a checkout was placed again",
        Ok(PlacedCheckout { placed: PlacedAs::Order(_), .. }) => "a checkout of one line became an order",
        Ok(PlacedCheckout { refused, .. }) if !refused.is_empty() => "a checkout was placed in part",
        Ok(PlacedCheckout { placed: PlacedAs::Checkout(stored), .. }) if stored.checkout.shipping.is_none() => {
            "a checkout waited for its freight"
        }
        Ok(_) => "a checkout was placed",
        Err(Failure::Unavailable(Unavailable::Store(StoreError::KeyReused))) => "a key was used for another checkout",
        Err(_) => "a checkout was refused",
    }
}

/// How the answer to a repeated request differs from the first one's, if it does.
fn differs_from_first(first: &Result<Option<String>, KeyReused>, answer: &Answer) -> Option<Broken> {
    let is_down = matches!(answer, Err(Failure::Unavailable(_)));
    match (first, answer) {
        (Err(KeyReused), Ok(placed)) => Some((ANOTHER_BODY_IS_REFUSED, id_of(&placed.placed))),
        (Ok(Some(first)), Ok(placed)) if id_of(&placed.placed) == *first => None,
        (Ok(Some(first)), answer) if !is_down => Some((REPEATS_REPLAY, format!("{first} was, now {answer:?}"))),
        _ => None,
    }
}

/// How what was placed differs from what was sent, if it does: one order for each product, of the units of all its lines
/// and at the price that was shown for them; unless it was sent as partial, of all products.
fn differs_from_sent(command: &PlaceCheckout, orders: &[Order], left_out: &[u16]) -> Option<Broken> {
    if !left_out.is_empty() && !command.partial {
        return Some((PLACED_WHOLE, format!("without {left_out:?}")));
    }
    let sent = command.lines.iter().filter_map(|line| {
        let LineProduct::ById(product) = line.product else { return None };
        Some((product, SentLine { line: line.line, quantity: line.quantity, shown: line.shown }))
    });
    let groups = domain::ProductLines::of(sent);
    let is_left_out = |group: &domain::ProductLines| group.lines.iter().any(|line| left_out.contains(&line.line));
    let wanted: Vec<_> = groups.iter().filter(|group| !is_left_out(group)).collect();
    let placed: Vec<(ProductId, i64)> =
        orders.iter().map(|order| (order.item.product, i64::from(order.item.quantity.get()))).collect();
    if wanted.iter().map(|group| (group.product, group.quantity())).ne(placed.iter().copied()) {
        return Some((PLACED_WHOLE, format!("{:?} became {placed:?}", command.lines)));
    }
    if orders.len() > 1 && wanted.iter().map(|group| group.line()).ne(orders.iter().map(line_of)) {
        return Some((PLACED_WHOLE, format!("{:?} has other numbers: {orders:?}", command.lines)));
    }
    let mut priced = wanted.iter().zip(orders);
    let odd = priced.find_map(|(group, order)| group.shown_otherwise(order.item.unit_price));
    odd.map(|(line, goods)| (SHOWN_IS_CHARGED, format!("line {line} costs {goods}")))
}

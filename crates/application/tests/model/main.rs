//! The machine of orders, payments and stock, explored exhaustively within bounds.
//!
//! The simulation beside it runs the real use cases through random histories. This model has less (a lot of a product, an
//! order or two, two payment attempts each) and leaves nothing to chance: every order in which up to three use cases may
//! take turns at their calls, every one of them cut off at any call, every webhook doubled or lost. What the rules of
//! [`domain`] decide is decided by them; the calls of a use case are its steps here, in the order of its file in
//! `application`.
//!
//! Each flaw of [`flaw::Flaw`] is what somebody in a hurry would write instead. The checker has to find a history in which
//! it breaks a promise: a model that cannot fail proves nothing.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod flaw;
mod promises;
mod run;
mod shop;
mod world;

use std::num::NonZero;
use std::thread;

use flaw::Flaw;
use shop::Shop;
use stateright::{Checker, HasDiscoveries, Model};

/// One order and its payments: three use cases at a time.
const PAYING: Shop = Shop { customers: 1, lots: 1, attempts: 2, at_once: 3, flaw: None };
/// Two customers and one lot: who gets it, and what becomes of it when the other cancels.
const COMPETING: Shop = Shop { customers: 2, lots: 1, attempts: 1, at_once: 2, flaw: None };

fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Explores all states, and panics unless every promise holds and everything worth reaching was reached.
fn holds(shop: Shop) {
    let checker = shop.checker().threads(threads()).spawn_bfs().join();
    println!("{shop:?}: {} states, {} of them different", checker.state_count(), checker.unique_state_count());
    assert!(checker.is_done());
    checker.assert_properties();
}

#[test]
fn paying_cancelling_shipping_and_refunding_one_order_keep_every_promise() {
    holds(PAYING);
}

#[test]
fn two_customers_after_the_last_lot_keep_every_promise() {
    holds(COMPETING);
}

#[test]
fn every_flaw_breaks_the_promise_that_it_is_about() {
    for flaw in Flaw::ALL {
        let shop = Shop { flaw: Some(flaw), ..if flaw == Flaw::StockReadBefore { COMPETING } else { PAYING } };
        let broken = flaw.breaks();
        let checker =
            shop.checker().threads(threads()).finish_when(HasDiscoveries::AnyOf([broken].into())).spawn_bfs().join();
        let path = checker.discovery(broken);
        assert!(path.is_some(), "{flaw:?} does not break {broken:?}");
        println!("{flaw:?} breaks {broken:?} after {} steps", path.unwrap().into_actions().len());
    }
}

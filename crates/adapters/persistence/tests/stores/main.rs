//! The stores, tested against a real Postgres, each test on a database of its own.
//!
//! They need a server: `make test-store` starts one and names it in `TEST_DATABASE_URL`.
//!
//! # How to test a store
//!
//! Ask [`world::World`] for a database, people and products; speak to the store through its port, as the rest of the shop
//! does; end with [`world::World::assert_sound`], which recomputes every invariant of the shop in plain SQL:
//!
//! ```ignore
//! #[tokio::test(flavor = "multi_thread")]
//! async fn an_order_takes_its_units_off_the_shelf() {
//!     let world = World::fresh().await;
//!     let buyer = world.person("buyer@example.com").await;
//!     let product = world.product(500).await;
//!
//!     let order = world.place(&buyer, &product, 60).await.unwrap();
//!
//!     assert_eq!(world.shelf(product.id).await, 440);
//!     assert_eq!(world.orders().find(order).await.unwrap().map(|order| order.item.quantity.get()), Some(60));
//!     world.assert_sound();
//! }
//! ```
//!
//! A promise about two calls at the same moment is tested with [`world::at_once`], which runs many of a kind, and the test
//! is worth something only if the careless way of doing the same fails it. `races` shows how: the same rush of buyers runs
//! against the store and against read-then-write, and the latter has to oversell.
//!
//! A promise that the database itself makes is tested in raw SQL, past our own code, and by the name of the constraint:
//!
//! ```ignore
//! let world = World::fresh().await;
//! world.refuses("UPDATE products SET available = -1", "products_available_check");
//! ```
//!
//! Moments are [`world::at`], ids are [`world::id`]: nothing in here reads a clock or a random number, so that a failure
//! happens again. What does depend on timing is asserted over many rounds.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod account_tokens;
mod accounts;
mod connections;
mod constraints;
mod endpoints;
mod idempotency;
mod imports;
mod lists;
mod login_attempts;
mod migrations;
mod money_back;
mod orders;
mod outbox;
mod ownership;
mod payment_attempts;
mod people;
mod plans;
mod products;
mod races;
mod refunds;
mod replay;
mod reservations;
mod sessions;
mod soundness;
mod world;

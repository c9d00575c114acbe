//! The repositories, tested against a real Postgres, each test with its own database.
//!
//! They need a server: `make test-store` starts one and passes it in `TEST_DATABASE_URL`.
//!
//! # How to test a store
//!
//! Create a [`world::World`] for a database, accounts and products. Call the repository through its port, as the
//! application does. End with [`world::World::assert_sound`], which recomputes every invariant in plain SQL:
//!
//! ```ignore
//! #[tokio::test(flavor = "multi_thread")]
//! async fn an_order_takes_its_units_from_stock() {
//!     let world = World::fresh().await;
//!     let customer = world.customer("customer@example.com").await;
//!     let product = world.product(500).await;
//!
//!     let order = world.place(&customer, &product, 60).await.unwrap();
//!
//!     assert_eq!(world.stock_of(product.id).await, 440);
//!     assert_eq!(world.orders().find(order).await.unwrap().map(|order| order.item.quantity.get()), Some(60));
//!     world.assert_sound();
//! }
//! ```
//!
//! A promise about concurrent calls is tested with [`world::concurrently`], which runs many calls of one kind. Such a
//! test proves something only if the unguarded way fails it. `races` shows how: the same concurrent orders run against
//! the repository and against read-then-write, and the latter must oversell.
//!
//! A guarantee of the database itself is tested in raw SQL that bypasses our code, by the name of the constraint:
//!
//! ```ignore
//! let world = World::fresh().await;
//! world.refuses("UPDATE products SET available = -1", "products_available_check");
//! ```
//!
//! Times come from [`world::at`] and ids from [`world::id`]: no test reads a clock or a random number, so failures are
//! reproducible. What does depend on timing is asserted over many rounds.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod account_tokens;
mod accounts;
mod audit;
mod baskets;
mod changes;
mod connections;
mod constraints;
mod customers;
mod documents;
mod feeds;
mod finding_parts;
mod fitment_feeds;
mod fitments;
mod following;
mod garage;
mod idempotency;
mod imports;
mod lists;
mod login_attempts;
mod migrations;
mod money_back;
mod notes;
mod order_batches;
mod orders;
mod outbox;
mod ownership;
mod payment_attempts;
mod pictures;
mod plans;
mod positions;
mod prepared;
mod product_edits;
mod products;
mod profiles_and_reviews;
mod races;
mod rate_limits;
mod refunds;
mod replay;
mod reservations;
mod returns;
mod rollups;
mod sales;
mod schema;
mod search_plans;
mod second_factors;
mod sessions;
mod shipments;
mod soundness;
mod statement_plans;
mod terms;
mod webhook_subscriptions;
mod world;

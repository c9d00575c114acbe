//! Prepared statements: the statements in `.sql` files are prepared once per connection.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};

use crate::world::{World, meta, new_order};

/// Of every connection of this process that was opened after [`watch`]: how often it prepared a statement, by the
/// connection's URL and the statement's file.
static PREPARED: Mutex<BTreeMap<(String, String), u32>> = Mutex::new(BTreeMap::new());

/// How often a statement was run, likewise.
static RUN: Mutex<BTreeMap<(String, String), u32>> = Mutex::new(BTreeMap::new());

#[derive(Default)]
struct Watch {
    url: String,
}

impl Instrumentation for Watch {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        let (counts, statement) = match event {
            InstrumentationEvent::StartEstablishConnection { url, .. } => {
                url.clone_into(&mut self.url);
                return;
            }
            InstrumentationEvent::CacheQuery { sql, .. } => (&PREPARED, sql.to_owned()),
            InstrumentationEvent::StartQuery { query, .. } => (&RUN, query.to_string()),
            _ => return,
        };
        let Some(file) = statement.strip_prefix("/* ").and_then(|rest| rest.split_once(" */")) else { return };
        *counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry((self.url.clone(), file.0.to_owned()))
            .or_default() += 1;
    }
}

fn count(counts: &Mutex<BTreeMap<(String, String), u32>>, world: &World, file: &str) -> u32 {
    let counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    let database = world.url().rsplit('/').next().unwrap().to_owned();
    counts.iter().filter(|((url, named), _)| url.contains(&database) && named == file).map(|(_, count)| count).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_of_a_file_is_prepared_once_per_connection() {
    set_default_instrumentation(|| Some(Box::<Watch>::default())).unwrap();
    let world = World::with_pool(1).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    for _ in 0..3 {
        let id = world.orders().place(&new_order(&customer, &product, 50, None)).await.unwrap();
        world.write(&world.order(id).await.cancel(meta(20, domain::Actor::Shop)).unwrap()).await;
    }
    for file in ["place_orders.sql", "change_order.sql"] {
        assert_eq!((count(&RUN, &world, file), count(&PREPARED, &world, file)), (3, 1), "{file}");
    }
}

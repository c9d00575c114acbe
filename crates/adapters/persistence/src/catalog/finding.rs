//! Products by their ids, in batches that share a round trip.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::{Product, ProductId};
use uuid::Uuid;

use crate::catalog::rows::ProductRow;
use crate::platform::db::{Batched, Call, Lane, answer_all, internal, is_retryable, unavailable};
use crate::schema::products;

/// A product that is to be read, unless it is archived.
pub(crate) struct Finding(pub(crate) ProductId);

impl Batched for Finding {
    type Outcome = Option<Product>;

    const LANE: Lane = Lane::Reads;

    fn run(connection: &mut PgConnection, calls: Vec<Call<Self>>, _: bool) -> QueryResult<Vec<(Uuid, Call<Self>)>> {
        let for_sale =
            products::table.filter(products::archived_at.is_null()).select((products::id, ProductRow::as_select()));
        let ids: Vec<Uuid> = calls.iter().map(|call| call.work.0.uuid()).collect();
        let found = match ids.as_slice() {
            // Postgres keeps the plan of this one.
            [id] => for_sale.filter(products::id.eq(*id)).load::<(Uuid, ProductRow)>(connection),
            ids => for_sale.filter(products::id.eq_any(ids)).load(connection),
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let cause = error.to_string();
                let why = if is_retryable(&error) { unavailable(cause) } else { internal(cause) };
                answer_all(calls, &why);
                return Err(error);
            }
        };
        // A row that cannot be read is an error for those who asked for it.
        let decoded = |(id, row): (Uuid, ProductRow)| (id, Product::try_from(row).map_err(|error| error.to_string()));
        let found: HashMap<Uuid, Result<Product, String>> = found.into_iter().map(decoded).collect();
        for call in calls {
            let product = found.get(&call.work.0.uuid()).cloned().transpose().map_err(internal);
            call.answer(product);
        }
        Ok(Vec::new())
    }
}

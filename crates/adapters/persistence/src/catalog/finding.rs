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
        let found = products::table
            .filter(products::id.eq_any(calls.iter().map(|call| call.work.0.uuid()).collect::<Vec<_>>()))
            .filter(products::archived_at.is_null())
            .select((products::id, ProductRow::as_select()))
            .load::<(Uuid, ProductRow)>(connection);
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

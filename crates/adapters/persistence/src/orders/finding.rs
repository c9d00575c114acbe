//! Orders by their ids, and the first page of a customer's own.

use std::collections::HashMap;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Uuid as SqlUuid};
use domain::Order;
use uuid::Uuid;

use crate::orders::rows::OrderRow;
use crate::platform::finding::Found;
use crate::schema::orders;

impl Found for Order {
    type Asked = ();

    fn load(connection: &mut PgConnection, asked: &[(Uuid, ())]) -> QueryResult<Vec<(Uuid, QueryResult<Self>)>> {
        let every = orders::table.select((orders::id, OrderRow::as_select()));
        let found: Vec<(Uuid, OrderRow)> = match asked {
            [(id, ())] => every.filter(orders::id.eq(*id)).load(connection)?,
            asked => {
                let ids: Vec<Uuid> = asked.iter().map(|(id, ())| *id).collect();
                every.filter(orders::id.eq_any(ids)).load(connection)?
            }
        };
        Ok(found.into_iter().map(|(id, row)| (id, Self::try_from(row))).collect())
    }
}

/// The newest orders of a customer that are not cancelled, newest first; at least as many as were asked for, if there are.
#[derive(Clone)]
pub(crate) struct NewestOrders(pub(crate) Vec<Order>);

impl Found for NewestOrders {
    /// How many.
    type Asked = u32;

    fn load(connection: &mut PgConnection, asked: &[(Uuid, u32)]) -> QueryResult<Vec<(Uuid, QueryResult<Self>)>> {
        // Who asks twice gets the longer list.
        let mut most = HashMap::<Uuid, u32>::new();
        for (customer, limit) in asked {
            let known = most.entry(*customer).or_default();
            *known = (*known).max(*limit);
        }
        let (customers, limits): (Vec<Uuid>, Vec<i64>) =
            most.into_iter().map(|(customer, limit)| (customer, i64::from(limit))).unzip();
        // The arrays as in place_orders.sql, and the bound on the places as in lock_products.sql.
        let theirs = sql::<Bool>("orders.id = ANY (ARRAY (SELECT newest.id FROM unnest((SELECT ")
            .bind::<Array<SqlUuid>, _>(customers.clone())
            .sql("), (SELECT ")
            .bind::<Array<BigInt>, _>(limits)
            .sql(
                ")) WITH ORDINALITY AS asked (customer, most, place) CROSS JOIN LATERAL (
                    SELECT id FROM orders WHERE buyer_id = customer AND cancelled_at IS NULL
                    ORDER BY placed_at DESC, id DESC LIMIT most) AS newest
                WHERE place BETWEEN 1 AND 1000))",
            );
        let rows: Vec<(Uuid, OrderRow)> = orders::table
            .filter(theirs)
            .order((orders::placed_at.desc(), orders::id.desc()))
            .select((orders::buyer_id, OrderRow::as_select()))
            .load(connection)?;
        let mut of: HashMap<Uuid, QueryResult<Self>> =
            customers.into_iter().map(|customer| (customer, Ok(Self(Vec::new())))).collect();
        for (customer, row) in rows {
            let list = of.entry(customer).or_insert_with(|| Ok(Self(Vec::new())));
            if let Ok(Self(orders)) = list {
                match Order::try_from(row) {
                    Ok(order) => orders.push(order),
                    Err(error) => *list = Err(error),
                }
            }
        }
        Ok(of.into_iter().collect())
    }
}

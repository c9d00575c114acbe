//! The cart of an account.

use async_trait::async_trait;
use diesel::prelude::*;
use domain::{AccountId, BasketLine, Timestamp};
use jiff_diesel::ToDiesel;
use ports::{Cart, CartRepository, StoreError};
use serde_json::Value;

use crate::Database;
use crate::baskets::lines;
use crate::platform::decode::RowDecoder;
use crate::schema::carts;

#[async_trait]
impl CartRepository for Database {
    async fn cart(&self, account: AccountId) -> Result<Cart, StoreError> {
        self.read(move |connection| {
            let found: Option<(i64, Value)> = carts::table
                .find(account.uuid())
                .select((carts::version, carts::lines))
                .first(connection)
                .optional()?;
            let Some((version, stored)) = found else { return Ok(Cart::default()) };
            let decoder = RowDecoder { what: "cart", id: account.uuid() };
            Ok(Cart { version, lines: lines::read(decoder, stored)? })
        })
        .await
    }

    async fn save(
        &self,
        account: AccountId,
        seen: i64,
        lines: &[BasketLine],
        at: Timestamp,
    ) -> Result<Option<i64>, StoreError> {
        let stored = lines::stored(lines);
        self.run(move |connection| {
            if seen == 0 {
                let first = (
                    carts::account_id.eq(account.uuid()),
                    carts::lines.eq(&stored),
                    carts::version.eq(1),
                    carts::saved_at.eq(at.to_diesel()),
                );
                let added = diesel::insert_into(carts::table).values(first).on_conflict_do_nothing();
                return added.returning(carts::version).get_result(connection).optional();
            }
            diesel::update(carts::table.find(account.uuid()).filter(carts::version.eq(seen)))
                .set((
                    carts::lines.eq(&stored),
                    carts::version.eq(carts::version + 1),
                    carts::saved_at.eq(at.to_diesel()),
                ))
                .returning(carts::version)
                .get_result(connection)
                .optional()
        })
        .await
    }
}

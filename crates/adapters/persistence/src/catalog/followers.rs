//! What changed in the products, for a search engine that follows it.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text as SqlText, Uuid as SqlUuid};
use ports::{CatalogLog, Changes, Documents, Follower, IndexLag, Position, Standing, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::catalog::documents;
use crate::platform::db::millis;
use crate::platform::sql_file::sql_file;
use crate::schema::{catalogue_followers, catalogue_lease, products};

/// How long one copy has the lease without asking again.
const LEASE: Duration = Duration::from_mins(1);

#[derive(QueryableByName)]
#[expect(clippy::struct_excessive_bools, reason = "the columns of a row")]
struct FollowerRow {
    #[diesel(sql_type = SqlText)]
    name: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    xact: Option<i64>,
    #[diesel(sql_type = BigInt)]
    seq: i64,
    #[diesel(sql_type = Nullable<Integer>)]
    filled_to: Option<i32>,
    #[diesel(sql_type = Bool)]
    live: bool,
    #[diesel(sql_type = Integer)]
    compared_to: i32,
    #[diesel(sql_type = Bool)]
    compare_due: bool,
    #[diesel(sql_type = Bool)]
    continues: bool,
    #[diesel(sql_type = Bool)]
    may_fill: bool,
}

impl From<FollowerRow> for Follower {
    fn from(row: FollowerRow) -> Self {
        Self {
            name: row.name,
            position: row.xact.map(|xact| Position { xact, seq: row.seq }),
            standing: match (row.continues, row.may_fill) {
                (false, _) => Standing::Lost,
                (true, false) => Standing::Waits,
                (true, true) => Standing::GoesOn,
            },
            filled_to: row.filled_to,
            live: row.live,
            compared_to: row.compared_to,
            compare_due: row.compare_due,
        }
    }
}

#[derive(QueryableByName)]
struct ChangeRow {
    #[diesel(sql_type = BigInt)]
    xact: i64,
    #[diesel(sql_type = BigInt)]
    seq: i64,
    #[diesel(sql_type = Integer)]
    product_no: i32,
}

#[derive(QueryableByName)]
struct No {
    #[diesel(sql_type = Integer)]
    no: i32,
}

#[derive(QueryableByName)]
struct LagRow {
    #[diesel(sql_type = Bool)]
    live: bool,
    #[diesel(sql_type = BigInt)]
    changes: i64,
    #[diesel(sql_type = BigInt)]
    seconds: i64,
}

#[async_trait]
impl CatalogLog for Database {
    async fn lease(&self, holder: Uuid) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let taken = sql_file!("lease_catalogue.sql", {
                holder: SqlUuid = holder,
                lease_ms: BigInt = millis(LEASE),
            })
            .execute(connection)?;
            Ok(taken == 1)
        })
        .await
    }

    async fn release(&self, holder: Uuid) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(catalogue_lease::table.filter(catalogue_lease::holder.eq(holder)))
                .set(catalogue_lease::until.eq(diesel::dsl::now))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn followers(&self) -> Result<Vec<Follower>, StoreError> {
        self.run(|connection| {
            let rows: Vec<FollowerRow> = sql_file!("catalogue_followers.sql", {}).load(connection)?;
            Ok(rows.into_iter().map(Follower::from).collect())
        })
        .await
    }

    async fn follow(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.run(move |connection| {
            connection.transaction(|connection| {
                // Nobody may have had the lease yet, and followers go when nobody has for a week.
                let over = catalogue_lease::table.filter(catalogue_lease::until.lt(diesel::dsl::now));
                diesel::update(over).set(catalogue_lease::until.eq(diesel::dsl::now)).execute(connection)?;
                diesel::insert_into(catalogue_followers::table)
                    .values(catalogue_followers::name.eq(name))
                    .on_conflict_do_nothing()
                    .execute(connection)
                    .map(drop)
            })
        })
        .await
    }

    async fn begin(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        let next = diesel::dsl::sql::<Nullable<BigInt>>("pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
        self.run(move |connection| {
            let fresh = catalogue_followers::table.find(name).filter(catalogue_followers::xact.is_null());
            diesel::update(fresh).set(catalogue_followers::xact.eq(next)).execute(connection).map(drop)
        })
        .await
    }

    async fn forget(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.run(move |connection| diesel::delete(catalogue_followers::table.find(name)).execute(connection).map(drop))
            .await
    }

    async fn changes(&self, after: Position, most: u32) -> Result<Changes, StoreError> {
        self.run(move |connection| {
            let rows: Vec<ChangeRow> = sql_file!("catalogue_changes_after.sql", {
                xact: BigInt = after.xact,
                seq: BigInt = after.seq,
                limit: BigInt = i64::from(most),
            })
            .load(connection)?;
            let to = rows.last().map(|last| Position { xact: last.xact, seq: last.seq });
            let nos: Vec<i32> = rows.into_iter().map(|row| row.product_no).collect();
            let all: Vec<No> =
                sql_file!("with_successors.sql", { product_nos: Array<Integer> = nos }).load(connection)?;
            Ok(Changes { products: all.into_iter().map(|row| row.no).collect(), to })
        })
        .await
    }

    async fn followed(&self, name: &str, to: Position) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.run(move |connection| {
            diesel::update(catalogue_followers::table.find(name))
                .set((catalogue_followers::xact.eq(to.xact), catalogue_followers::seq.eq(to.seq)))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn filled(&self, name: &str, to: Option<i32>) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.run(move |connection| {
            diesel::update(catalogue_followers::table.find(name))
                .set(catalogue_followers::filled_to.eq(to))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn compared(&self, name: &str, to: Option<i32>) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.run(move |connection| {
            let follower = catalogue_followers::table.find(name);
            let Some(to) = to else {
                let done =
                    (catalogue_followers::compared_to.eq(0), catalogue_followers::compared_at.eq(diesel::dsl::now));
                return diesel::update(follower).set(done).execute(connection).map(drop);
            };
            diesel::update(follower).set(catalogue_followers::compared_to.eq(to)).execute(connection).map(drop)
        })
        .await
    }

    async fn make_live(&self, name: &str, former: Option<String>) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.run(move |connection| {
            connection.transaction(|connection| {
                if let Some(former) = former {
                    diesel::delete(catalogue_followers::table.find(former)).execute(connection)?;
                }
                diesel::update(catalogue_followers::table.find(name))
                    .set(catalogue_followers::live.eq(true))
                    .execute(connection)
                    .map(drop)
            })
        })
        .await
    }

    async fn documents(&self, products: &[i32]) -> Result<Documents, StoreError> {
        let products = products.to_vec();
        self.run_long(move |connection| documents::read(connection, &products)).await
    }

    async fn products_after(&self, no: i32, most: u32) -> Result<Vec<i32>, StoreError> {
        self.run(move |connection| {
            products::table
                .filter(products::no.gt(no))
                .order(products::no)
                .limit(i64::from(most))
                .select(products::no)
                .load(connection)
        })
        .await
    }

    async fn forget_changes(&self, most: u32) -> Result<u32, StoreError> {
        self.run_long(move |connection| {
            sql_file!("forget_followers.sql", {}).execute(connection)?;
            let gone = sql_file!("forget_catalogue_changes.sql", { limit: BigInt = i64::from(most) });
            gone.execute(connection).map(|gone| u32::try_from(gone).unwrap_or_default())
        })
        .await
    }

    async fn lag(&self) -> Result<IndexLag, StoreError> {
        self.read(|connection| {
            let row: LagRow = sql_file!("catalogue_lag.sql", {}).get_result(connection)?;
            let unsigned = |number: i64| u64::try_from(number).unwrap_or_default();
            Ok(IndexLag { live: row.live, changes: unsigned(row.changes), seconds: unsigned(row.seconds) })
        })
        .await
    }
}

//! Exemptions from tax.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::{AccountId, Day, Email, Exemption, ExemptionId, Timestamp};
use jiff_diesel::{Date as SqlDate, Timestamp as SqlTimestamp, ToDiesel};
use ports::{EXEMPTIONS_MAX, ExemptionRepeated, Exemptions, ListedExemption, StoreError, WriteError};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::schema::{accounts, exemptions};
use crate::tax::rates::region_key;

#[async_trait]
impl Exemptions for Database {
    async fn list(&self) -> Result<Vec<ListedExemption>, StoreError> {
        self.read_many(|connection| {
            let most = i64::try_from(EXEMPTIONS_MAX).unwrap_or(i64::MAX);
            let rows: Vec<(ExemptionRow, String)> = exemptions::table
                .inner_join(accounts::table)
                .order((exemptions::entered_at.desc(), exemptions::id.desc()))
                .limit(most)
                .select((ExemptionRow::as_select(), accounts::email))
                .load(connection)?;
            let decode = |(row, email): (ExemptionRow, String)| {
                let email: Email = RowDecoder { what: "account", id: row.account_id }.parse("email", &email)?;
                Ok(ListedExemption { exemption: row.try_into()?, email })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    async fn of(&self, account: AccountId) -> Result<Vec<Exemption>, StoreError> {
        self.read(move |connection| {
            let own = exemptions::table.filter(exemptions::account_id.eq(account.uuid()));
            decode_all(own.order(exemptions::entered_at).select(ExemptionRow::as_select()).load(connection)?)
        })
        .await
    }

    async fn add(&self, exemption: &Exemption, at: Timestamp) -> Result<(), WriteError<ExemptionRepeated>> {
        let row = ExemptionRow::of(exemption);
        let at: SqlTimestamp = at.to_diesel();
        self.run(move |connection| {
            let added =
                diesel::insert_into(exemptions::table).values((row, exemptions::entered_at.eq(at))).execute(connection);
            match added {
                Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(Err(ExemptionRepeated)),
                added => added.map(drop).map(Ok),
            }
        })
        .await?
        .map_err(WriteError::Refused)
    }

    async fn remove(&self, id: ExemptionId) -> Result<bool, StoreError> {
        self.run(move |connection| Ok(diesel::delete(exemptions::table.find(id.uuid())).execute(connection)? > 0)).await
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = exemptions, check_for_backend(diesel::pg::Pg))]
struct ExemptionRow {
    id: Uuid,
    account_id: Uuid,
    kind: String,
    country: String,
    region: Option<String>,
    region_key: String,
    number: String,
    valid_until: Option<SqlDate>,
    checked_at: Option<SqlTimestamp>,
}

impl ExemptionRow {
    fn of(exemption: &Exemption) -> Self {
        Self {
            id: exemption.id.uuid(),
            account_id: exemption.account.uuid(),
            kind: exemption.kind.as_str().to_owned(),
            country: exemption.country.code().to_owned(),
            region: exemption.region.as_ref().map(ToString::to_string),
            region_key: region_key(exemption.region.as_ref()),
            number: exemption.number.to_string(),
            valid_until: exemption.valid_until.map(|until| until.date().to_diesel()),
            checked_at: exemption.checked_at.map(ToDiesel::to_diesel),
        }
    }
}

impl TryFrom<ExemptionRow> for Exemption {
    type Error = Error;

    fn try_from(row: ExemptionRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "exemption", id: row.id };
        Ok(Self {
            id: ExemptionId::new(row.id),
            account: AccountId::new(row.account_id),
            kind: decoder.parse("kind", &row.kind)?,
            country: decoder.parse("country", &row.country)?,
            region: decoder.maybe_text("region", row.region.as_deref())?,
            number: decoder.text("number", &row.number)?,
            valid_until: row.valid_until.map(|until| Day::new(until.to_jiff())),
            checked_at: row.checked_at.map(SqlTimestamp::to_jiff),
        })
    }
}

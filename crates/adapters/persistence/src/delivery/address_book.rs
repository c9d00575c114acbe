//! The addresses that customers keep.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use domain::{AccountId, AddressId, KeptAddress, Text};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{AddressBook, AddressBookFull, IdempotencyKey, NewAddress, StoreError, WriteError};
use uuid::Uuid;

use crate::Database;
use crate::delivery::address_json;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::idempotency::{self, same_request};
use crate::schema::{accounts, addresses};

#[async_trait]
impl AddressBook for Database {
    async fn list(&self, account: AccountId) -> Result<Vec<KeptAddress>, StoreError> {
        self.read(move |connection| {
            let own = addresses::table.filter(addresses::account_id.eq(account.uuid()));
            let order = (addresses::is_default.desc(), addresses::added_at.desc(), addresses::id.desc());
            decode_all(own.order(order).select(AddressRow::as_select()).load(connection)?)
        })
        .await
    }

    async fn add(&self, new: &NewAddress) -> Result<KeptAddress, WriteError<AddressBookFull>> {
        let new = new.clone();
        self.run(move |connection| match connection.transaction(|connection| add(connection, &new)) {
            Err(Error::DatabaseError(_, info)) if info.constraint_name() == Some("addresses_are_at_most_200") => {
                Ok(Err(AddressBookFull))
            }
            added => added.map(Ok),
        })
        .await?
        .map_err(WriteError::Refused)
    }

    async fn replace(&self, account: AccountId, kept: &KeptAddress) -> Result<Option<KeptAddress>, StoreError> {
        let kept = kept.clone();
        self.run(move |connection| connection.transaction(|connection| replace(connection, account, &kept))).await
    }

    async fn remove(&self, account: AccountId, id: AddressId) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let own = addresses::table.find(id.uuid()).filter(addresses::account_id.eq(account.uuid()));
            Ok(diesel::delete(own).execute(connection)? > 0)
        })
        .await
    }
}

fn add(connection: &mut PgConnection, new: &NewAddress) -> QueryResult<KeptAddress> {
    lock(connection, new.account)?;
    if let Some(first) = under(connection, new.idempotency_key)? {
        return Ok(first);
    }
    let of_account = addresses::table.filter(addresses::account_id.eq(new.account.uuid()));
    let has_any: bool = diesel::select(diesel::dsl::exists(of_account.select(addresses::id))).get_result(connection)?;
    let kept = KeptAddress { is_default: new.kept.is_default || !has_any, ..new.kept.clone() };
    if kept.is_default {
        clear_default(connection, new.account)?;
    }
    let (once_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
    diesel::insert_into(addresses::table)
        .values((
            addresses::id.eq(kept.id.uuid()),
            addresses::account_id.eq(new.account.uuid()),
            addresses::added_at.eq(kept.added_at.to_diesel()),
            addresses::once_key.eq(once_key),
            addresses::once_fingerprint.eq(once_fingerprint),
            Columns::of(&kept)?,
        ))
        .execute(connection)?;
    Ok(kept)
}

fn replace(connection: &mut PgConnection, account: AccountId, kept: &KeptAddress) -> QueryResult<Option<KeptAddress>> {
    lock(connection, account)?;
    let own = addresses::table.find(kept.id.uuid()).filter(addresses::account_id.eq(account.uuid()));
    if own.select(addresses::id).first::<Uuid>(connection).optional()?.is_none() {
        return Ok(None);
    }
    if kept.is_default {
        clear_default(connection, account)?;
    }
    let written = diesel::update(own).set(Columns::of(kept)?).returning(AddressRow::as_returning());
    written.get_result(connection).optional()?.map(TryInto::try_into).transpose()
}

/// Of two that choose a default at the same time, the second one waits.
fn lock(connection: &mut PgConnection, account: AccountId) -> QueryResult<()> {
    let owner = accounts::table.find(account.uuid()).select(accounts::id).for_no_key_update();
    owner.first::<Uuid>(connection).map(drop)
}

fn clear_default(connection: &mut PgConnection, account: AccountId) -> QueryResult<()> {
    diesel::update(addresses::table.filter(addresses::account_id.eq(account.uuid())).filter(addresses::is_default))
        .set(addresses::is_default.eq(false))
        .execute(connection)
        .map(drop)
}

/// The address that an earlier request with this idempotency key added.
fn under(connection: &mut PgConnection, idempotency_key: Option<IdempotencyKey>) -> QueryResult<Option<KeptAddress>> {
    let Some(idempotency_key) = idempotency_key else { return Ok(None) };
    let found: Option<(AddressRow, Option<Vec<u8>>)> = addresses::table
        .filter(addresses::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((AddressRow::as_select(), addresses::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = found else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    first.try_into().map(Some)
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = addresses, treat_none_as_null = true)]
struct Columns {
    name: String,
    phone: Option<String>,
    address: serde_json::Value,
    is_default: bool,
}

impl Columns {
    fn of(kept: &KeptAddress) -> QueryResult<Self> {
        Ok(Self {
            name: kept.name.to_string(),
            phone: kept.phone.as_ref().map(Text::to_string),
            address: address_json::write(&kept.address)?,
            is_default: kept.is_default,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = addresses, check_for_backend(diesel::pg::Pg))]
struct AddressRow {
    id: Uuid,
    name: String,
    phone: Option<String>,
    address: serde_json::Value,
    is_default: bool,
    added_at: SqlTimestamp,
}

impl TryFrom<AddressRow> for KeptAddress {
    type Error = Error;

    fn try_from(row: AddressRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "address", id: row.id };
        Ok(Self {
            id: AddressId::new(row.id),
            name: decoder.text("name", &row.name)?,
            phone: decoder.maybe_text("phone", row.phone.as_deref())?,
            address: address_json::read(decoder, &row.address)?,
            is_default: row.is_default,
            added_at: row.added_at.to_jiff(),
        })
    }
}

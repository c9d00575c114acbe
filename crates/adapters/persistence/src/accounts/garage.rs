//! The vehicles that customers keep.

use std::collections::HashSet;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use domain::{AccountId, ChosenVehicle, Edit, GarageEdit, GarageVehicle, GarageVehicleId, Text};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    Added, GarageFull, GarageRepository, IdempotencyKey, NewGarageVehicle, SealedVin, StoreError, StoredGarageVehicle,
    WriteError,
};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::idempotency::{self, same_request};
use crate::schema::{accounts, garage};

#[async_trait]
impl GarageRepository for Database {
    async fn list(&self, account: AccountId) -> Result<Vec<StoredGarageVehicle>, StoreError> {
        self.read(move |connection| {
            let kept = garage::table.filter(garage::account_id.eq(account.uuid()));
            decode_all(
                kept.order((garage::added_at.desc(), garage::id.desc()))
                    .select(GarageRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn add(&self, new: &NewGarageVehicle) -> Result<Added, WriteError<GarageFull>> {
        let new = new.clone();
        self.run(move |connection| unless_full(connection.transaction(|connection| add(connection, &new))))
            .await?
            .map_err(WriteError::Refused)
    }

    async fn merge(&self, account: AccountId, vehicles: &[GarageVehicle]) -> Result<(), WriteError<GarageFull>> {
        let vehicles = vehicles.to_vec();
        self.run(move |connection| {
            unless_full(connection.transaction(|connection| merge(connection, account, &vehicles)))
        })
        .await?
        .map_err(WriteError::Refused)
    }

    async fn edit(
        &self,
        account: AccountId,
        id: GarageVehicleId,
        edit: &GarageEdit<SealedVin>,
    ) -> Result<Option<StoredGarageVehicle>, StoreError> {
        let edit = Changes::of(edit);
        self.run(move |connection| {
            let own = garage::table.find(id.uuid()).filter(garage::account_id.eq(account.uuid()));
            if edit.is_empty() {
                return own
                    .select(GarageRow::as_select())
                    .first(connection)
                    .optional()?
                    .map(TryInto::try_into)
                    .transpose();
            }
            let edited = diesel::update(own).set(&edit).returning(GarageRow::as_returning());
            edited.get_result(connection).optional()?.map(TryInto::try_into).transpose()
        })
        .await
    }

    async fn remove(&self, account: AccountId, id: GarageVehicleId) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let own = garage::table.find(id.uuid()).filter(garage::account_id.eq(account.uuid()));
            Ok(diesel::delete(own).execute(connection)? > 0)
        })
        .await
    }
}

/// The database counts; what was written before it refused is rolled back.
fn unless_full<T>(done: QueryResult<T>) -> QueryResult<Result<T, GarageFull>> {
    match done {
        Err(Error::DatabaseError(_, info)) if info.constraint_name() == Some("garage_has_at_most_200") => {
            Ok(Err(GarageFull))
        }
        done => done.map(Ok),
    }
}

fn add(connection: &mut PgConnection, new: &NewGarageVehicle) -> QueryResult<Added> {
    if let Some(first) = under(connection, new.idempotency_key)? {
        return Ok(Added::Before(first));
    }
    let StoredGarageVehicle { vehicle, vin } = &new.stored;
    let (once_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
    let added = diesel::insert_into(garage::table)
        .values((
            Row::of(new.account, vehicle),
            garage::vin_sealed.eq(vin.as_ref().map(|sealed| &sealed.0)),
            garage::once_key.eq(once_key),
            garage::once_fingerprint.eq(once_fingerprint),
        ))
        .on_conflict(garage::once_key)
        .do_nothing()
        .execute(connection)?;
    if added > 0 {
        return Ok(Added::New);
    }
    under(connection, new.idempotency_key)?.map(Added::Before).ok_or(diesel::NotFound)
}

fn merge(connection: &mut PgConnection, account: AccountId, vehicles: &[GarageVehicle]) -> QueryResult<()> {
    // Whoever merges the same at the same time then finds it.
    let owner = accounts::table.find(account.uuid()).select(accounts::id).for_no_key_update();
    owner.first::<Uuid>(connection)?;
    let kept: Vec<(i32, Option<i32>, Option<String>)> = garage::table
        .filter(garage::account_id.eq(account.uuid()))
        .select((garage::vehicle_id, garage::engine_id, garage::name))
        .load(connection)?;
    let mut kept: HashSet<_> = kept.into_iter().collect();
    // The later of two that are the same stays: it comes first in lists.
    let is_new = |vehicle: &&GarageVehicle| {
        let name = vehicle.name.as_ref().map(|name| name.as_str().to_owned());
        kept.insert((vehicle.chosen.vehicle, vehicle.chosen.engine, name))
    };
    let new: Vec<Row<'_>> = vehicles.iter().rev().filter(is_new).map(|vehicle| Row::of(account, vehicle)).collect();
    diesel::insert_into(garage::table).values(new).execute(connection).map(drop)
}

/// The vehicle that an earlier request with this idempotency key added.
fn under(
    connection: &mut PgConnection,
    idempotency_key: Option<IdempotencyKey>,
) -> QueryResult<Option<StoredGarageVehicle>> {
    let Some(idempotency_key) = idempotency_key else { return Ok(None) };
    let found: Option<(GarageRow, Option<Vec<u8>>)> = garage::table
        .filter(garage::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((GarageRow::as_select(), garage::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = found else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    first.try_into().map(Some)
}

/// What every new vehicle has.
#[derive(Insertable)]
#[diesel(table_name = garage)]
struct Row<'a> {
    id: Uuid,
    account_id: Uuid,
    vehicle_id: i32,
    engine_id: Option<i32>,
    name: Option<&'a str>,
    added_at: SqlTimestamp,
}

impl<'a> Row<'a> {
    fn of(account: AccountId, vehicle: &'a GarageVehicle) -> Self {
        Self {
            id: vehicle.id.uuid(),
            account_id: account.uuid(),
            vehicle_id: vehicle.chosen.vehicle,
            engine_id: vehicle.chosen.engine,
            name: vehicle.name.as_ref().map(Text::as_str),
            added_at: vehicle.added_at.to_diesel(),
        }
    }
}

/// The columns to be set; the inner `None` sets one to NULL.
#[expect(clippy::option_option, reason = "the outer one says whether it is set, the inner one to what")]
#[derive(AsChangeset)]
#[diesel(table_name = garage)]
struct Changes {
    vehicle_id: Option<i32>,
    engine_id: Option<Option<i32>>,
    name: Option<Option<String>>,
    vin_sealed: Option<Option<Vec<u8>>>,
}

impl Changes {
    fn of(edit: &GarageEdit<SealedVin>) -> Self {
        Self {
            vehicle_id: edit.chosen.map(|chosen| chosen.vehicle),
            engine_id: edit.chosen.map(|chosen| chosen.engine),
            name: set(&edit.name, |name| name.as_str().to_owned()),
            vin_sealed: set(&edit.vin, |sealed| sealed.0.clone()),
        }
    }

    const fn is_empty(&self) -> bool {
        self.vehicle_id.is_none() && self.name.is_none() && self.vin_sealed.is_none()
    }
}

#[expect(clippy::option_option, reason = "as above")]
fn set<T, U>(edit: &Edit<T>, column: impl Fn(&T) -> U) -> Option<Option<U>> {
    match edit {
        Edit::Keep => None,
        Edit::Set(value) => Some(value.as_ref().map(column)),
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = garage, check_for_backend(diesel::pg::Pg))]
struct GarageRow {
    id: Uuid,
    vehicle_id: i32,
    engine_id: Option<i32>,
    name: Option<String>,
    vin_sealed: Option<Vec<u8>>,
    added_at: SqlTimestamp,
}

impl TryFrom<GarageRow> for StoredGarageVehicle {
    type Error = Error;

    fn try_from(row: GarageRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "vehicle in a garage", id: row.id };
        let vehicle = GarageVehicle {
            id: GarageVehicleId::new(row.id),
            chosen: ChosenVehicle { vehicle: row.vehicle_id, engine: row.engine_id },
            name: decoder.maybe_text("name", row.name.as_deref())?,
            added_at: row.added_at.to_jiff(),
        };
        Ok(Self { vehicle, vin: row.vin_sealed.map(SealedVin) })
    }
}

//! Which parts fit which vehicles.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Date as SqlDay, Integer, Nullable, SmallInt, Text as SqlText, Uuid as SqlUuid};
use domain::{
    Condition, ConditionId, Day, EngineNo, Fitment, FitmentSource, PartFitments, PerVehicle, Position, ProductId, Text,
    VehicleNo,
};
use jiff_diesel::{Date, ToDiesel};
use ports::{FitmentRepository, NewFitment, StoreError, TypeCoverage, VehicleFitment};
use uuid::Uuid;

use crate::Database;
use crate::catalog::coverage;
use crate::platform::decode::RowDecoder;
use crate::platform::sql_file::sql_file;
use crate::schema::{conditions, fitment_sources, fitments, products};

#[async_trait]
impl FitmentRepository for Database {
    async fn of_vehicle(
        &self,
        products: &[ProductId],
        vehicle: VehicleNo,
    ) -> Result<HashMap<ProductId, PartFitments>, StoreError> {
        let ids: Vec<Uuid> = products.iter().map(|id| id.uuid()).collect();
        self.read(move |connection| of_vehicle(connection, ids, vehicle)).await
    }

    async fn of_product(&self, product: ProductId) -> Result<Option<Vec<VehicleFitment>>, StoreError> {
        self.read_list(move |connection| of_product(connection, product)).await
    }

    async fn set_by_hand(
        &self,
        product: ProductId,
        fitments: &[NewFitment],
        day: Day,
    ) -> Result<Option<()>, StoreError> {
        let fitments = fitments.to_vec();
        self.run_on(product.uuid(), move |connection| {
            connection.transaction(|connection| set_by_hand(connection, product, &fitments, day))
        })
        .await
    }

    async fn knows_source(&self, name: &Text<120>) -> Result<bool, StoreError> {
        let name = name.clone();
        self.read(move |connection| {
            let named = fitment_sources::table.filter(fitment_sources::name.eq(name.as_str()));
            diesel::select(diesel::dsl::exists(named.filter(fitment_sources::by_hand.eq(false)))).get_result(connection)
        })
        .await
    }

    async fn add_from(&self, source: &FitmentSource, fitments: &[(ProductId, NewFitment)]) -> Result<(), StoreError> {
        let (source, fitments) = (source.clone(), fitments.to_vec());
        self.run_at_leisure(move |connection| {
            connection.transaction(|connection| add_from(connection, &source, &fitments))
        })
        .await
    }

    async fn coverage(&self, makes: &[(VehicleNo, i32)]) -> Result<Vec<TypeCoverage>, StoreError> {
        let makes = makes.to_vec();
        self.read_list(move |connection| coverage::count(connection, &makes)).await
    }
}

/// What a row says, whatever it is about.
#[derive(QueryableByName)]
struct Said {
    #[diesel(sql_type = Integer)]
    engine_id: i32,
    #[diesel(sql_type = SmallInt)]
    position: i16,
    #[diesel(sql_type = SmallInt)]
    per_vehicle: i16,
    #[diesel(sql_type = Integer)]
    condition_id: i32,
    #[diesel(sql_type = SqlText)]
    condition: String,
    #[diesel(sql_type = SqlText)]
    source: String,
    #[diesel(sql_type = Nullable<SqlDay>)]
    dated: Option<Date>,
}

impl Said {
    fn decode(self, product: Uuid) -> QueryResult<Fitment> {
        let decoder = RowDecoder { what: "fitment of product", id: product };
        let position = match self.position {
            0 => None,
            code => Some(Position::from_code(code).ok_or_else(|| decoder.refuse("position", "it is not known"))?),
        };
        let condition = match self.condition_id {
            0 => None,
            id => Some(Condition { id: ConditionId::new(id), text: decoder.text("condition", &self.condition)? }),
        };
        Ok(Fitment {
            engine: (self.engine_id != 0).then(|| EngineNo::new(self.engine_id)),
            position,
            per_vehicle: PerVehicle::new(self.per_vehicle.into()).map_err(|why| decoder.refuse("per_vehicle", &why))?,
            condition,
            source: FitmentSource {
                name: decoder.text("source", &self.source)?,
                dated: self.dated.map(|day| Day::new(day.to_jiff())),
            },
        })
    }
}

/// A product, and what is said of it and a vehicle, if anything is.
#[derive(QueryableByName)]
struct OfVehicle {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Bool)]
    universal: bool,
    #[diesel(sql_type = Bool)]
    has_any: bool,
    #[diesel(embed)]
    said: Option<Said>,
}

fn of_vehicle(
    connection: &mut PgConnection,
    ids: Vec<Uuid>,
    vehicle: VehicleNo,
) -> QueryResult<HashMap<ProductId, PartFitments>> {
    let rows: Vec<OfVehicle> = sql_file!("fitments_of_vehicle.sql", {
        ids: Array<SqlUuid> = ids,
        vehicle: Integer = vehicle.get(),
    })
    .load(connection)?;
    let mut known: HashMap<ProductId, PartFitments> = HashMap::new();
    for OfVehicle { id, universal, has_any, said } in rows {
        let part = known.entry(ProductId::new(id)).or_default();
        (part.universal, part.has_any) = (universal, has_any);
        part.of_vehicle.extend(said.map(|said| said.decode(id)).transpose()?);
    }
    Ok(known)
}

/// What is said of a product and a vehicle.
#[derive(QueryableByName)]
struct OfProduct {
    #[diesel(sql_type = Integer)]
    vehicle_id: i32,
    #[diesel(embed)]
    said: Said,
    #[diesel(sql_type = Bool)]
    by_hand: bool,
}

fn of_product(connection: &mut PgConnection, id: ProductId) -> QueryResult<Option<Vec<VehicleFitment>>> {
    let product: Option<i32> = products::table
        .find(id.uuid())
        .filter(products::archived_at.is_null())
        .select(products::no)
        .first(connection)
        .optional()?;
    let Some(no) = product else { return Ok(None) };
    let rows: Vec<OfProduct> = sql_file!("fitments_of_product.sql", { product_no: Integer = no }).load(connection)?;
    let decode = |OfProduct { vehicle_id, said, by_hand }: OfProduct| {
        Ok(VehicleFitment { vehicle: VehicleNo::new(vehicle_id), fitment: said.decode(id.uuid())?, by_hand })
    };
    rows.into_iter().map(decode).collect::<QueryResult<Vec<_>>>().map(Some)
}

/// A fitment as it is stored: the vehicle, the engine, the condition, the position, and how many.
type Stored = (i32, i32, i32, i16, i16);

/// How many fitments one statement adds: few enough for its limit of time on a machine that is ten times too slow.
const ROWS_AT_A_TIME: usize = 2_000;

fn add_from(
    connection: &mut PgConnection,
    source: &FitmentSource,
    wanted: &[(ProductId, NewFitment)],
) -> QueryResult<()> {
    let ids: BTreeSet<Uuid> = wanted.iter().map(|(product, _)| product.uuid()).collect();
    // Locked, so that their part types stay what they are until the fitments have them.
    let of_ids: Vec<(Uuid, i32, Option<i32>)> = products::table
        .filter(products::id.eq_any(ids))
        .select((products::id, products::no, products::part_type_id))
        .order(products::id)
        .for_no_key_update()
        .load(connection)?;
    let known: HashMap<Uuid, (i32, i32)> =
        of_ids.into_iter().map(|(id, no, part_type)| (id, (no, part_type.unwrap_or_default()))).collect();
    let source: i32 = diesel::insert_into(fitment_sources::table)
        .values((
            fitment_sources::name.eq(source.name.as_str()),
            fitment_sources::dated.eq(source.dated.map(|day| day.date().to_diesel())),
        ))
        .returning(fitment_sources::id)
        .get_result(connection)?;
    let conditions = condition_ids(connection, wanted.iter().map(|(_, new)| new))?;
    let row = |(product, new): &(ProductId, NewFitment)| {
        let (no, part_type) = *known.get(&product.uuid())?;
        Some((no, part_type, stored(new, &conditions)))
    };
    let rows: Vec<(i32, i32, Stored)> = wanted.iter().filter_map(row).collect();
    for some in rows.chunks(ROWS_AT_A_TIME) {
        sql_file!("add_fitments.sql", {
            product_nos: Array<Integer> = some.iter().map(|row| row.0).collect::<Vec<_>>(),
            part_type_ids: Array<Integer> = some.iter().map(|row| row.1).collect::<Vec<_>>(),
            vehicles: Array<Integer> = some.iter().map(|row| row.2.0).collect::<Vec<_>>(),
            engine_ids: Array<Integer> = some.iter().map(|row| row.2.1).collect::<Vec<_>>(),
            condition_ids: Array<Integer> = some.iter().map(|row| row.2.2).collect::<Vec<_>>(),
            positions: Array<SmallInt> = some.iter().map(|row| row.2.3).collect::<Vec<_>>(),
            per_vehicles: Array<SmallInt> = some.iter().map(|row| row.2.4).collect::<Vec<_>>(),
            source: Integer = source,
        })
        .execute(connection)?;
    }
    Ok(())
}

fn stored(new: &NewFitment, conditions: &HashMap<String, i32>) -> Stored {
    let condition = new.condition.as_ref().and_then(|text| conditions.get(text.as_str()).copied());
    (
        new.vehicle.get(),
        new.engine.map_or(0, EngineNo::get),
        condition.unwrap_or_default(),
        new.position.map_or(0, Position::code),
        i16::try_from(new.per_vehicle.get()).unwrap_or(i16::MAX),
    )
}

fn set_by_hand(
    connection: &mut PgConnection,
    id: ProductId,
    wanted: &[NewFitment],
    day: Day,
) -> QueryResult<Option<()>> {
    // Locked, so that its part type stays what it is until the fitments have it.
    let product: Option<(i32, Option<i32>)> = products::table
        .find(id.uuid())
        .filter(products::archived_at.is_null())
        .select((products::no, products::part_type_id))
        .for_no_key_update()
        .first(connection)
        .optional()?;
    let Some((no, part_type)) = product else { return Ok(None) };
    let known = take_those_by_hand(connection, no)?;
    let source = if wanted.is_empty() { 0 } else { source_of(connection, day)? };
    let conditions = condition_ids(connection, wanted.iter())?;
    let rows: Vec<_> = wanted
        .iter()
        .map(|new| {
            let row = stored(new, &conditions);
            let source = known.get(&row).copied().unwrap_or(source);
            (
                fitments::vehicle_id.eq(row.0),
                fitments::part_type_id.eq(part_type.unwrap_or_default()),
                fitments::product_no.eq(no),
                fitments::engine_id.eq(row.1),
                fitments::condition_id.eq(row.2),
                fitments::position.eq(row.3),
                fitments::per_vehicle.eq(row.4),
                fitments::source_id.eq(source),
            )
        })
        .collect();
    for rows in rows.chunks(ROWS_AT_ONCE) {
        // What another source says already is not said again.
        diesel::insert_into(fitments::table).values(rows).on_conflict_do_nothing().execute(connection)?;
    }
    Ok(Some(()))
}

/// Fewer parameters than a statement of Postgres may have.
const ROWS_AT_ONCE: usize = 1_000;

/// Takes away what was entered by hand, and returns it with its sources.
fn take_those_by_hand(connection: &mut PgConnection, product_no: i32) -> QueryResult<HashMap<Stored, i32>> {
    let by_hand = fitment_sources::table.filter(fitment_sources::by_hand).select(fitment_sources::id);
    let of_product = fitments::table.filter(fitments::product_no.eq(product_no));
    let taken: Vec<(Stored, i32)> = diesel::delete(of_product.filter(fitments::source_id.eq_any(by_hand)))
        .returning((
            (
                fitments::vehicle_id,
                fitments::engine_id,
                fitments::condition_id,
                fitments::position,
                fitments::per_vehicle,
            ),
            fitments::source_id,
        ))
        .get_results(connection)?;
    Ok(taken.into_iter().collect())
}

/// The source of what the shop enters on a day.
fn source_of(connection: &mut PgConnection, day: Day) -> QueryResult<i32> {
    let of_day = fitment_sources::table
        .filter(fitment_sources::by_hand)
        .filter(fitment_sources::dated.eq(day.date().to_diesel()))
        .select(fitment_sources::id);
    if let Some(id) = of_day.first(connection).optional()? {
        return Ok(id);
    }
    diesel::insert_into(fitment_sources::table)
        .values((
            fitment_sources::name.eq(BY_HAND),
            fitment_sources::dated.eq(day.date().to_diesel()),
            fitment_sources::by_hand.eq(true),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?;
    of_day.first(connection)
}

/// What customers read as the source of what the shop entered.
const BY_HAND: &str = "Entered by the shop";

/// The ids of conditions, by what they say; new ones are added, in the same order by everybody.
fn condition_ids<'a>(
    connection: &mut PgConnection,
    wanted: impl Iterator<Item = &'a NewFitment>,
) -> QueryResult<HashMap<String, i32>> {
    let bodies: BTreeSet<&str> = wanted.filter_map(|new| new.condition.as_ref()).map(Text::as_str).collect();
    if bodies.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<_> = bodies.iter().map(|body| conditions::body.eq(*body)).collect();
    diesel::insert_into(conditions::table).values(rows).on_conflict_do_nothing().execute(connection)?;
    let ids = conditions::table.filter(conditions::body.eq_any(bodies)).select((conditions::body, conditions::id));
    Ok(ids.load::<(String, i32)>(connection)?.into_iter().collect())
}

//! For how many vehicles there are parts.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Text as SqlText};
use domain::{Category, VehicleNo};
use ports::{PartType, TypeCoverage};

use crate::platform::condition::{Composed, Condition};
use crate::platform::decode::RowDecoder;

#[derive(QueryableByName)]
struct Covered {
    #[diesel(sql_type = Integer)]
    part_type_id: i32,
    #[diesel(sql_type = Integer)]
    make: i32,
    #[diesel(sql_type = BigInt)]
    vehicles: i64,
}

#[derive(QueryableByName)]
struct Type {
    #[diesel(sql_type = Integer)]
    id: i32,
    #[diesel(sql_type = SqlText)]
    name: String,
    #[diesel(sql_type = SqlText)]
    category: String,
    #[diesel(sql_type = Bool)]
    universal: bool,
}

/// Reads every fitment once, in the order of its key.
const COVERED: &str = "SELECT fitment.part_type_id, vehicle.make, count(*) AS vehicles FROM ( \
    SELECT DISTINCT fitments.vehicle_id, fitments.part_type_id FROM fitments \
    WHERE fitments.part_type_id <> 0 \
        AND fitments.product_no NOT IN (SELECT no FROM products WHERE archived_at IS NOT NULL) \
    ) AS fitment JOIN unnest(";

const UNIVERSAL: &str = "SELECT id, name, category, EXISTS ( \
    SELECT FROM universal_products AS everywhere JOIN products ON products.no = everywhere.product_no \
    WHERE products.part_type_id = part_types.id AND products.archived_at IS NULL) AS universal \
    FROM part_types ORDER BY name_key";

pub(super) fn count(connection: &mut PgConnection, makes: &[(VehicleNo, i32)]) -> QueryResult<Vec<TypeCoverage>> {
    let (vehicles, makes) = makes.iter().map(|(vehicle, make)| (vehicle.get(), *make)).unzip();
    let asked =
        Condition::new().sql(COVERED).integers(vehicles).sql(", ").integers(makes).sql(
            ") AS vehicle (id, make) ON vehicle.id = fitment.vehicle_id GROUP BY fitment.part_type_id, vehicle.make",
        );
    let covered: Vec<Covered> = Composed(asked).load(connection)?;
    let mut of_type: BTreeMap<i32, HashMap<i32, u64>> = BTreeMap::new();
    for Covered { part_type_id, make, vehicles } in covered {
        of_type.entry(part_type_id).or_default().insert(make, u64::try_from(vehicles).unwrap_or_default());
    }
    let types: Vec<Type> = Composed(Condition::new().sql(UNIVERSAL)).load(connection)?;
    let mut coverage = Vec::new();
    for Type { id, name, category, universal } in types {
        let vehicles = of_type.remove(&id).unwrap_or_default();
        if vehicles.is_empty() && !universal {
            continue;
        }
        let decoder = RowDecoder { what: "part type", id };
        let part_type = PartType {
            id,
            name: decoder.text("name", &name)?,
            category: decoder.parse::<Category>("category", &category)?,
        };
        coverage.push(TypeCoverage { part_type, universal, vehicles });
    }
    Ok(coverage)
}

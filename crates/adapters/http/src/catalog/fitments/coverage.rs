//! `GET /fitments/coverage`.

use std::collections::BTreeMap;

use actix_web::web::{self, Data};
use domain::VehicleNo;
use ports::TypeCoverage;
use serde::Serialize;
use utoipa::ToSchema;
use vehicles::{MakeId, Vehicles};

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// For how many vehicles there is no part of a type.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TypeCoverage)]
pub(crate) struct CoverageView {
    /// The part type's id.
    id: i32,
    /// Its name.
    name: String,
    /// How many vehicles there are: models of one year.
    vehicles: u64,
    /// For how many of them no part is for sale.
    without: u64,
    /// The same for each make, by name.
    makes: Vec<MakeCoverage>,
}

/// For how many vehicles of a make there is no part.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MakeCoverage {
    /// The make's id.
    id: i32,
    name: String,
    vehicles: u64,
    without: u64,
}

fn coverage(of: &TypeCoverage, makes: &BTreeMap<MakeId, u64>) -> CoverageView {
    let mut views: Vec<MakeCoverage> = makes
        .iter()
        .filter_map(|(make, vehicles)| {
            let with = of.vehicles.get(&make.get()).copied().unwrap_or_default();
            let without = if of.universal { 0 } else { vehicles.saturating_sub(with) };
            let name = Vehicles::embedded().make(*make)?.name.clone();
            Some(MakeCoverage { id: make.get(), name, vehicles: *vehicles, without })
        })
        .collect();
    views.sort_by_cached_key(|make| make.name.to_lowercase());
    CoverageView {
        id: of.part_type.id,
        name: of.part_type.name.as_str().to_owned(),
        vehicles: views.iter().map(|make| make.vehicles).sum(),
        without: views.iter().map(|make| make.without).sum(),
        makes: views,
    }
}

/// Of each part type of which any part for sale fits a vehicle, for how many vehicles there is none, by make (admins).
#[utoipa::path(
    get, path = "/fitments/coverage",
    responses((status = 200, description = "Part types, by name", body = [CoverageView]))
)]
pub(crate) async fn get_fitment_coverage(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<CoverageView>>, Problem> {
    let (mut of_make, mut all) = (BTreeMap::<MakeId, u64>::new(), Vec::new());
    for vehicle in Vehicles::embedded().all() {
        *of_make.entry(vehicle.make.id).or_default() += 1;
        all.push((VehicleNo::new(vehicle.id.get()), vehicle.make.id.get()));
    }
    let types = app.shop.catalog.fitment_coverage(&caller, &all).await?;
    Ok(web::Json(types.iter().map(|of| coverage(of, &of_make)).collect()))
}

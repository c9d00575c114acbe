//! `GET /vehicles/{make}`, `GET /vehicles/{make}/{model}` and `GET /vehicles/{make}/{model}/{year}`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use domain::catalog::slug::slug;
use domain::{EngineNo, Product, ProductId, VehicleNo, WantedVehicle};
use ports::{FitFilter, FitsAtLeast, Page, Pagination, ProductQuery};
use vehicles::{Vehicle, VehicleId, Vehicles};

use super::address;
use super::card::Card;
use super::category::{LandingPage, send};
use super::frame;
use crate::app_state::AppState;
use crate::problem::Problem;

/// How many parts a landing page shows.
const SHOWN: u32 = 48;

/// Every vehicle by the slugs of its make and its model.
static BY_SLUG: LazyLock<HashMap<String, BTreeMap<String, Vec<VehicleId>>>> = LazyLock::new(|| {
    let mut by_slug: HashMap<String, BTreeMap<String, Vec<VehicleId>>> = HashMap::new();
    for vehicle in Vehicles::embedded().all() {
        let models = by_slug.entry(slug(&vehicle.make.name)).or_default();
        models.entry(slug(&vehicle.model.name)).or_default().push(vehicle.id);
    }
    by_slug
});

fn known(id: VehicleId) -> Option<Vehicle<'static>> {
    Vehicles::embedded().vehicle(id)
}

/// Those of these vehicles that parts fit, in their order.
async fn with_parts(app: &AppState, ids: &[VehicleId]) -> Result<Vec<Vehicle<'static>>, Problem> {
    let numbers: Vec<VehicleNo> = ids.iter().map(|id| VehicleNo::new(id.get())).collect();
    let found = app.shop.catalog.vehicles_with_parts(&numbers).await?;
    let found: HashSet<i32> = found.into_iter().map(VehicleNo::get).collect();
    Ok(ids.iter().filter(|id| found.contains(&id.get())).filter_map(|id| known(*id)).collect())
}

/// The paths of the pages of all makes, models and years that have one.
///
/// # Errors
/// [`Problem`] if the store failed.
pub(crate) async fn paths(app: &AppState) -> Result<Vec<String>, Problem> {
    let all: Vec<VehicleId> = Vehicles::embedded().all().map(|vehicle| vehicle.id).collect();
    let mut paths = Vec::new();
    let mut seen = HashSet::new();
    for Vehicle { make, model, year, .. } in with_parts(app, &all).await? {
        for path in [
            address::vehicle(&make.name, None, None),
            address::vehicle(&make.name, Some(&model.name), None),
            address::vehicle(&make.name, Some(&model.name), Some(year)),
        ] {
            if seen.insert(path.clone()) {
                paths.push(path);
            }
        }
    }
    Ok(paths)
}

/// A page that leads to others.
fn overview(heading: String, text: String, others_label: &'static str, others: Vec<(String, String)>) -> LandingPage {
    LandingPage {
        heading,
        text,
        trail: vec![("Shop".to_owned(), "/shop".to_owned())],
        cards: Vec::new(),
        total: 0,
        all: String::new(),
        others_label,
        others,
    }
}

/// The landing page of a make: its models that parts fit. Nothing is at the address of a make without any.
#[utoipa::path(
    get, path = "/vehicles/{make}", params(("make" = String, Path, description = "`toyota`")),
    responses(
        (status = 200, description = "The page", content_type = "text/html", body = String),
        (status = 404, description = "No such make, or no part for it"),
    )
)]
pub(crate) async fn get_make_page(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let Some(models) = BY_SLUG.get(path.as_str()) else { return frame::not_found(&app, &request) };
    let ids: Vec<VehicleId> = models.values().flatten().copied().collect();
    let vehicles = with_parts(&app, &ids).await?;
    let Some(first) = vehicles.first() else { return frame::not_found(&app, &request) };
    let make = &first.make.name;
    let mut others: Vec<(String, String)> = vehicles
        .iter()
        .map(|vehicle| (vehicle.model.name.clone(), address::vehicle(make, Some(&vehicle.model.name), None)))
        .collect();
    others.dedup();
    let text = format!("Parts for {make} in bulk, with live prices and stock. Choose your model.");
    let page = overview(format!("{make} parts"), text, "Models", others);
    send(&app, &request, &page, &address::vehicle(make, None, None))
}

/// The landing page of a model: its years that parts fit. Nothing is at the address of a model without any.
#[utoipa::path(
    get, path = "/vehicles/{make}/{model}",
    params(("make" = String, Path, description = "`toyota`"), ("model" = String, Path, description = "`camry`")),
    responses(
        (status = 200, description = "The page", content_type = "text/html", body = String),
        (status = 404, description = "No such model, or no part for it"),
    )
)]
pub(crate) async fn get_model_page(
    app: Data<AppState>,
    path: Path<(String, String)>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (make, model) = path.into_inner();
    let ids = BY_SLUG.get(&make).and_then(|models| models.get(&model));
    let Some(ids) = ids else { return frame::not_found(&app, &request) };
    let vehicles = with_parts(&app, ids).await?;
    let Some(Vehicle { make, model, .. }) = vehicles.first() else { return frame::not_found(&app, &request) };
    let text =
        format!("Parts for the {} {} in bulk, with live prices and stock. Choose your year.", make.name, model.name);
    let mut page = overview(format!("{} {} parts", make.name, model.name), text, "Years", years(&vehicles, None));
    page.trail.push((make.name.clone(), address::vehicle(&make.name, None, None)));
    send(&app, &request, &page, &address::vehicle(&make.name, Some(&model.name), None))
}

/// The landing page of a vehicle: the parts that fit it, and those that do so under a condition. Nothing is at the address of
/// one that no part is made for.
#[utoipa::path(
    get, path = "/vehicles/{make}/{model}/{year}",
    params(
        ("make" = String, Path, description = "`toyota`"),
        ("model" = String, Path, description = "`camry`"),
        ("year" = String, Path, description = "`2014`"),
    ),
    responses(
        (status = 200, description = "The page", content_type = "text/html", body = String),
        (status = 404, description = "No such vehicle, or no part for it"),
    )
)]
pub(crate) async fn get_vehicle_page(
    app: Data<AppState>,
    path: Path<(String, String, String)>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (make, model, year) = path.into_inner();
    let ids = BY_SLUG.get(&make).and_then(|models| models.get(&model));
    let Some(ids) = ids else { return frame::not_found(&app, &request) };
    let vehicles = with_parts(&app, ids).await?;
    let Some(vehicle) = vehicles.iter().find(|vehicle| vehicle.year.to_string() == year) else {
        return frame::not_found(&app, &request);
    };
    let engines = Vehicles::embedded().engines(vehicle.id).iter().map(|engine| EngineNo::new(engine.id.get()));
    let wanted = WantedVehicle::new(VehicleNo::new(vehicle.id.get()), engines.collect(), None);
    let wanted = wanted.map_err(|error| Problem::defect(&error))?;
    let query = ProductQuery {
        fit: Some(FitFilter { wanted, at_least: FitsAtLeast::Perhaps }),
        page: Pagination::first(SHOWN),
        ..ProductQuery::default()
    };
    let Page { items, total, .. } = app.shop.catalog.browse_products(&query).await?;
    let products: Vec<Product> = items.into_iter().map(|found| found.product).collect();
    let shown: Vec<ProductId> = products.iter().map(|product| product.id).collect();
    let label = vehicle.label();
    let (make, model) = (&vehicle.make.name, &vehicle.model.name);
    let page = LandingPage {
        heading: format!("{label} parts"),
        text: format!("Parts for the {label} in bulk, with live prices and stock."),
        trail: vec![
            ("Shop".to_owned(), "/shop".to_owned()),
            (make.clone(), address::vehicle(make, None, None)),
            (model.clone(), address::vehicle(make, Some(model), None)),
        ],
        cards: Card::all(&products, &app.shop.catalog.part_slugs(&shown).await?),
        total,
        all: format!("/shop?vehicle={}", vehicle.id.get()),
        others_label: "Other years",
        others: years(&vehicles, Some(vehicle.year)),
    };
    send(&app, &request, &page, &address::vehicle(make, Some(model), Some(vehicle.year)))
}

/// The pages of these vehicles by their years, newest first, but for one.
fn years(vehicles: &[Vehicle<'_>], but: Option<i16>) -> Vec<(String, String)> {
    let others = vehicles.iter().rev().filter(|vehicle| Some(vehicle.year) != but);
    let path =
        |vehicle: &Vehicle<'_>| address::vehicle(&vehicle.make.name, Some(&vehicle.model.name), Some(vehicle.year));
    others.map(|vehicle| (vehicle.label(), path(vehicle))).collect()
}

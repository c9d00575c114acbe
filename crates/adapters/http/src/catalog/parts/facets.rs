//! `GET /products/facets`.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::Money;
use ports::{AttributeFacet, FacetValue, Facets, PriceBand, ProductQuery};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::cache::PublicJson;
use crate::catalog::products::filter::Filter;
use crate::problem::Problem;
use crate::wire::money::Dollars;
use crate::wire::page::PageQuery;

/// What can be chosen of a list, and how many products are behind each choice.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Facets)]
pub(crate) struct FacetsView {
    /// How many products the list has.
    total: u64,
    /// Whether the counts are exact.
    exact: bool,
    facets: AllFacets,
}

/// The facets; a choice does not narrow its own facet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AllFacets {
    category: Vec<ValueCount>,
    part_type: Vec<ValueCount>,
    brand: Vec<ValueCount>,
    /// Those that can be ordered.
    in_stock: Vec<ValueCount>,
    price: Vec<BandCount>,
    attributes: Vec<AttributeCounts>,
    /// Counted with a vehicle, a part type or a position.
    position: Vec<ValueCount>,
}

/// A value that can be chosen.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ValueCount {
    value: String,
    name: String,
    count: u64,
}

/// A band of prices, both ends included.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BandCount {
    /// Dollars.
    #[schema(value_type = f64)]
    from: Dollars,
    /// Dollars; null for no end.
    #[schema(required, value_type = Option<f64>)]
    to: Option<Dollars>,
    count: u64,
}

/// The values of an attribute.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AttributeCounts {
    name: String,
    /// The unit of its numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
    values: Vec<ValueCount>,
}

impl From<FacetValue> for ValueCount {
    fn from(FacetValue { value, name, count }: FacetValue) -> Self {
        Self { value, name, count }
    }
}

impl From<PriceBand> for BandCount {
    fn from(PriceBand { from, to, count }: PriceBand) -> Self {
        let dollars = |cents| Money::from_cents(cents).map(Dollars);
        Self { from: dollars(from).unwrap_or(Dollars(Money::ZERO)), to: to.and_then(|to| dollars(to).ok()), count }
    }
}

impl From<AttributeFacet> for AttributeCounts {
    fn from(AttributeFacet { name, unit, values }: AttributeFacet) -> Self {
        Self { name, unit, values: all(values) }
    }
}

impl From<Facets> for FacetsView {
    fn from(facets: Facets) -> Self {
        let category = facets.categories.into_iter().map(|(category, count)| ValueCount {
            value: category.to_string(),
            name: category.to_string(),
            count,
        });
        let position = facets.positions.into_iter().map(|(position, count)| ValueCount {
            value: position.to_string(),
            name: position.to_string(),
            count,
        });
        let in_stock = ValueCount { value: "true".to_owned(), name: "In stock".to_owned(), count: facets.in_stock };
        let facets_view = AllFacets {
            category: category.collect(),
            part_type: all(facets.part_types),
            brand: all(facets.brands),
            in_stock: if facets.in_stock > 0 { vec![in_stock] } else { Vec::new() },
            price: all(facets.prices),
            attributes: all(facets.attributes),
            position: position.collect(),
        };
        Self { total: facets.total, exact: true, facets: facets_view }
    }
}

fn all<T: Into<U>, U>(values: Vec<T>) -> Vec<U> {
    values.into_iter().map(Into::into).collect()
}

/// What can be chosen of a list of products, with how many there are of each.
#[utoipa::path(
    get, path = "/products/facets", params(Filter),
    responses(
        (status = 200, description = "The facets", body = FacetsView),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn get_facets(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let query = Filter::query(request.query_string(), &PageQuery::default())?;
    let facets = match from_memory(&app, &query).await? {
        Some(facets) => facets,
        None => app.shop.catalog.facets(&query).await?,
    };
    Ok(PublicJson::of(&FacetsView::from(facets))?.send(&request, HttpResponse::Ok()))
}

/// The facets as the snapshot has them, and of the database only what a search finds and where parts belong. `None` if it has to be
/// asked for all.
async fn from_memory(app: &AppState, query: &ProductQuery) -> Result<Option<Facets>, Problem> {
    let Some(snapshot) = app.catalog_snapshot.current().await else { return Ok(None) };
    let catalog = &app.shop.catalog;
    if !query.is_search() {
        let Some(mut facets) = snapshot.facets(query) else { return Ok(None) };
        if !query.part_types.is_empty() {
            let placed = catalog.placed(&query.part_types).await?;
            facets.positions = snapshot.facets_among(query, &placed).unwrap_or_default().positions;
        }
        return Ok(Some(facets));
    }
    let Some(mut candidates) = catalog.candidates(query).await? else { return Ok(None) };
    if query.fit.is_none() && !query.part_types.is_empty() {
        let placed = catalog.placed(&query.part_types).await?;
        let positions: HashMap<i32, u32> = placed.into_iter().map(|placed| (placed.no, placed.positions)).collect();
        for candidate in &mut candidates {
            candidate.positions = positions.get(&candidate.no).copied().unwrap_or_default();
        }
    }
    Ok(snapshot.facets_among(query, &candidates))
}

//! `GET /products/{id}/vehicles`.

use std::fmt;
use std::str::FromStr;

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ports::Pagination;
use serde::Deserialize;
use utoipa::IntoParams;
use vehicles::{MakeId, Vehicles};

use super::ranges::{Place, RangeView, ranges};
use crate::app_state::AppState;
use crate::cache::PublicJson;
use crate::extract::{id, query};
use crate::problem::Problem;
use crate::wire::cursor::InvalidCursor;
use crate::wire::fields::{Fields, filled};
use crate::wire::page::{self, PageQuery};

/// Which of the vehicles.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfMake {
    /// Only of this make, by its id or its name; none if there is no such make.
    make: Option<String>,
}

/// Where a page of ranges ended, as one opaque token.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RangeCursor(Place);

impl fmt::Display for RangeCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = serde_json::to_vec(&self.0).map_err(|_| fmt::Error)?;
        f.write_str(&URL_SAFE_NO_PAD.encode(plain))
    }
}

impl FromStr for RangeCursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let plain = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidCursor)?;
        serde_json::from_slice(&plain).map(Self).map_err(|_| InvalidCursor)
    }
}

/// The vehicles that a part fits, as ranges of years, by name.
#[utoipa::path(
    get, path = "/products/{id}/vehicles",
    params(("id" = String, Path, description = "The product's id"), OfMake, PageQuery),
    responses(
        (status = 200, description = "Ranges of years", body = [RangeView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 404, description = "No such product"),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_fitting_vehicles(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let product = id(&path)?;
    let mut fields = Fields::default();
    let page = query::<PageQuery>(&request)?.parse::<RangeCursor>(&mut fields);
    let Pagination { limit, after, .. } = fields.all(page)?;
    let fitments = app.shop.catalog.fitments(product).await?.ok_or_else(Problem::not_found)?;
    let mut found = ranges(fitments);
    if let Some(make) = filled(query::<OfMake>(&request)?.make.as_deref()) {
        let named = || Vehicles::embedded().resolve_make(make).map(MakeId::get);
        let make = make.trim().parse::<i32>().ok().or_else(named);
        found.retain(|range| Some(range.make) == make);
    }
    let total = found.len() as u64;
    if let Some(RangeCursor(after)) = after {
        found.retain(|range| range.place() > after);
    }
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    let next = if found.len() > limit { found.get(limit - 1).map(|last| RangeCursor(last.place())) } else { None };
    found.truncate(limit);
    let views: Vec<RangeView> = found.into_iter().map(Into::into).collect();
    let mut response = HttpResponse::Ok();
    for header in page::headers(request.path(), request.query_string(), total, next) {
        response.insert_header(header);
    }
    Ok(PublicJson::of(&views)?.send(&request, response))
}

//! `POST /checkouts`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::body::NewCheckout;
use super::refusals::views;
use super::view::CheckoutView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, HoldsClaim, IdempotencyKeyHeader, Json, query};
use crate::middleware::idempotency::REPLAYED;
use crate::problem::Problem;

/// Whether some lines will do.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Partial {
    /// Whether the lines that can be placed are, although others cannot; `false` without it.
    #[serde(default)]
    #[param(required = false)]
    partial: bool,
}

/// Places an order for each product of a checkout, all of them or none: under one number, for one address, to be paid
/// together. Lines of one product are one order. One line alone makes a plain order, without a checkout.
#[utoipa::path(
    post, path = "/checkouts", request_body = NewCheckout, params(Partial),
    responses(
        (status = 201, description = "Placed", body = CheckoutView),
        (status = 403, description = "Another's e-mail"),
        (status = 409, description = "Lines refused (`errors` with `line`, `reason`, `available`, `price`), or an unpaid checkout of an account that never paid"),
        (status = 422, description = "Invalid, or lines refused (`errors` with `line`)"),
    )
)]
pub(crate) async fn place_checkout(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    HoldsClaim(holds_claim): HoldsClaim,
    request: HttpRequest,
    Json(sent): Json<NewCheckout>,
) -> Result<HttpResponse, Problem> {
    let Partial { partial } = query(&request)?;
    let command = sent.parse(partial, idempotency_key, holds_claim)?;
    let placed = app.shop.checkouts.place_checkout(&caller, command).await?;
    let mut response = HttpResponse::Created();
    if placed.is_repeat {
        response.insert_header((REPLAYED, "true"));
    }
    Ok(response.json(CheckoutView::placed(&placed.placed, views(&placed.refused))))
}

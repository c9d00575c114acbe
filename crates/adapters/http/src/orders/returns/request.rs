//! `POST /orders/{id}/returns`.

use std::num::NonZeroU32;

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use application::RequestReturn;
use domain::orders::returns::RequestReturnRefused;
use domain::{ReturnReason, Text};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;
use crate::wire::enums::ReasonName;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// What is to be sent back, and why.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewReturn {
    #[schema(required, nullable = false, value_type = ReasonName)]
    reason: Option<String>,
    /// The customer's own words, up to 1,000 characters.
    details: Option<String>,
    /// From 1 to what is left of the order.
    #[schema(required, nullable = false, value_type = i64, minimum = 1)]
    units: Option<Whole>,
}

impl NewReturn {
    fn parse(self, idempotency_key: Option<ports::IdempotencyKey>) -> Result<RequestReturn, Problem> {
        let mut fields = Fields::default();
        let reason = fields.required("reason", "Reason", self.reason.as_deref(), |reason| {
            reason.parse::<ReturnReason>().map_err(|_| "is not one of the list")
        });
        let details =
            fields.optional("details", "Details", self.details.as_deref(), |text| Text::<1000>::optional(Some(text)));
        let units = fields.required("units", "Units", self.units, |units| {
            u32::try_from(units.0).ok().and_then(NonZeroU32::new).ok_or("must be 1 or more")
        });
        let whole =
            (|| Some(RequestReturn { reason: reason?, details: details?.flatten(), units: units?, idempotency_key }))();
        fields.all(whole)
    }
}

impl From<RequestReturnRefused> for Problem {
    fn from(refused: RequestReturnRefused) -> Self {
        match refused {
            RequestReturnRefused::NotShipped => {
                let message = "This order hasn't shipped yet, so there's nothing to return.";
                Self::conflict("not-shipped", "Not shipped", message)
            }
            RequestReturnRefused::NotPaid => {
                Self::conflict("not-paid", "Not paid", "This order hasn't been paid, so there's nothing to refund.")
            }
            RequestReturnRefused::Refunded => {
                Self::conflict("already-refunded", "Refunded", "This order has already been refunded in full.")
            }
            RequestReturnRefused::TooLate { until } => {
                let message = "Returns are open for 30 days after shipping. That time is over for this order.";
                Self::conflict("too-late", "Too late", message).with("until", until.to_string())
            }
            RequestReturnRefused::AlreadyOpen => {
                let message = "You've already asked for a return of this order. We'll answer that one first.";
                Self::conflict("return-open", "Return open", message)
            }
            RequestReturnRefused::TooMany { left: 0 } => {
                Self::conflict("all-returned", "All returned", "All units of this order have been returned.")
            }
            RequestReturnRefused::TooMany { left } => {
                Self::invalid_field("units", format!("You can return up to {left} units of this order"))
                    .with("left", left)
            }
        }
    }
}

/// Asks to return units of an own order that is shipped and paid, for 30 days after shipping. An order has one open
/// return at most.
#[utoipa::path(
    post, path = "/orders/{id}/returns", request_body = NewReturn,
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 201, description = "Requested", body = InsertedId),
        (status = 404, description = "Another's, cancelled, or never was"),
        (status = 409, description = "Not shipped, not paid, refunded, too late, or a return is open"),
        (status = 422, description = "More units than are left (`left`), or invalid"),
    )
)]
pub(crate) async fn request_return(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<NewReturn>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let requested = app.shop.orders.request_return(&caller, id, sent.parse(idempotency_key)?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&requested)))
}

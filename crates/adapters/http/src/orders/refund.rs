//! `POST /orders/{id}/refund`.

use actix_web::web::{self, Data, Path};
use application::{RefundOrder, RefundOrderRefused};
use domain::{Money, Text};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, MaybeJson, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::whole::Whole;

/// What is to be sent back.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewRefund {
    /// How many cents; all that is left if omitted.
    #[schema(value_type = Option<i64>, minimum = 1)]
    cents: Option<Whole>,
    /// Why, for the record; up to 500 characters.
    reason: Option<String>,
}

impl NewRefund {
    fn parse(self, idempotency_key: Option<ports::IdempotencyKey>) -> Result<RefundOrder, Problem> {
        let mut fields = Fields::default();
        let amount = fields.optional("cents", "Cents", self.cents, |cents| {
            Money::from_cents(cents.0).ok().filter(|amount| *amount > Money::ZERO).ok_or("must be 1 or more")
        });
        let reason =
            fields.optional("reason", "Reason", self.reason.as_deref(), |reason| Text::<500>::optional(Some(reason)));
        let whole = (|| Some(RefundOrder { amount: amount?, reason: reason?.flatten(), idempotency_key }))();
        fields.all(whole)
    }
}

impl From<RefundOrderRefused> for Problem {
    fn from(refused: RefundOrderRefused) -> Self {
        match refused {
            RefundOrderRefused::NotPaid => {
                Self::conflict("not-paid", "Not paid", "This order hasn't been paid, so there's nothing to refund.")
            }
            RefundOrderRefused::ShippedInPart => {
                let message = "Part of this order has shipped. Ship the rest first, or refund a part of it.";
                Self::conflict("shipped-in-part", "Shipped in part", message)
            }
            RefundOrderRefused::TooMuch { left } => {
                let message = if left == Money::ZERO {
                    "This order has already been refunded in full".to_owned()
                } else {
                    format!("You can refund up to {left} of this order")
                };
                Self::invalid_field("cents", message).with("left", Dollars(left).to_json())
            }
        }
    }
}

/// Refunds a paid order, all that is left of it or a part (admins). Refunding all of an order that has not shipped
/// cancels it: its units return to stock. The money goes back immediately, or as soon as the payment provider answers.
#[utoipa::path(
    post, path = "/orders/{id}/refund",
    params(("id" = String, Path, description = "The order's id")),
    request_body(content = Option<NewRefund>, content_type = "application/json"),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 404, description = "Cancelled unpaid, or never was"),
        (status = 409, description = "Unpaid"),
        (status = 422, description = "More than is left (`left`), or invalid"),
    )
)]
pub(crate) async fn refund_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    MaybeJson(sent): MaybeJson<NewRefund>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let command = sent.unwrap_or_default().parse(idempotency_key)?;
    Ok(web::Json(app.shop.payments.refund_order(&caller, id(&path)?, command).await?.into()))
}

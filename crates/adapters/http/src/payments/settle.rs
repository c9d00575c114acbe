//! `PATCH /orders/{id}`: the browser reports that it has paid.

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Path};
use application::{SettlePayment, SettlePaymentRefused};
use domain::OrderId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// A browser's record of a payment. Its status is accepted and never believed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentRecord {
    /// The order's id.
    product: Option<String>,
    /// The provider's id of the payment.
    #[schema(required, nullable = false)]
    transaction_id: Option<String>,
}

/// A browser's report that an order is paid.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Hint {
    #[schema(required, nullable = false)]
    payment: Option<PaymentRecord>,
}

impl Hint {
    /// The provider's id of the payment.
    pub(crate) fn transaction(self) -> Result<String, Problem> {
        let mut fields = Fields::default();
        let record = fields.required::<_, _, &str>("payment", "Payment", self.payment, Ok);
        let transaction = record.and_then(|record| {
            fields.required::<_, _, &str>("payment.transactionId", "Transaction id", record.transaction_id, Ok)
        });
        fields.all(transaction)
    }

    fn parse(self, order: OrderId) -> Result<SettlePayment, Problem> {
        let mut fields = Fields::default();
        let record = fields.required::<_, _, &str>("payment", "Payment", self.payment, Ok);
        let whole = record.and_then(|record| {
            let transaction =
                fields.required::<_, _, &str>("payment.transactionId", "Transaction id", record.transaction_id, Ok);
            Some(SettlePayment { order, product: record.product, transaction: transaction? })
        });
        fields.all(whole)
    }
}

impl From<SettlePaymentRefused> for Problem {
    fn from(refused: SettlePaymentRefused) -> Self {
        match refused {
            SettlePaymentRefused::NotPaid => {
                let message = "The payment hasn't gone through yet";
                Self::new(StatusCode::PAYMENT_REQUIRED, "payment-refused", "Not paid", message)
            }
            SettlePaymentRefused::Mismatch => {
                Self::conflict("conflict", "Not this order's payment", "This payment doesn't belong to this order.")
                    .retryable()
            }
            SettlePaymentRefused::PaidByAnother => Self::conflict(
                "already-paid",
                "Paid",
                "This order has already been paid. Your payment will be refunded.",
            )
            .retryable(),
            SettlePaymentRefused::TooMany { wait } => Self::rate_limited(wait),
        }
    }
}

/// Reports that an order was paid. The provider is asked; the browser's report alone settles nothing.
#[utoipa::path(
    patch, path = "/orders/{id}", request_body = Hint,
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "The order is paid by this payment", body = ModifiedCount),
        (status = 402, description = "The provider says unpaid"),
        (status = 404, description = "Another's order, cancelled, or none"),
        (status = 409, description = "Not this order's payment, amount or currency"),
        (status = 422, description = "Invalid"),
        (status = 429, description = "Asked for too often"),
    )
)]
pub(crate) async fn settle_payment(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<Hint>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.payments.settle_payment(&caller, sent.parse(id(&path)?)?).await?;
    Ok(web::Json(true.into()))
}

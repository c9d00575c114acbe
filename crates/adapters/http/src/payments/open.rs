//! `POST /create-payment-intent`.

use actix_web::web::{self, Data};
use application::{OpenPayment, OpenPaymentRefused};
use domain::OrderId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::money::Dollars;

/// A payment to be opened.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewIntent {
    /// The total in dollars as the customer was shown it; another one than the order's is a 409.
    #[schema(required, nullable = false)]
    price: Option<f64>,
    /// Which order; without it the caller's only unpaid order with that total.
    order_id: Option<String>,
}

impl NewIntent {
    fn parse(self) -> Result<OpenPayment, Problem> {
        let order = self.order_id.as_deref().map(id::<OrderId>).transpose()?;
        if order.is_none() && self.price.is_none() {
            return Err(Problem::invalid_field("price", "Price is required"));
        }
        Ok(OpenPayment { order, shown_total: self.price })
    }
}

/// What the browser needs to pay with a card.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientSecret {
    client_secret: String,
}

impl From<OpenPaymentRefused> for Problem {
    fn from(refused: OpenPaymentRefused) -> Self {
        match refused {
            OpenPaymentRefused::NotOneOrder => {
                Self::invalid_field("price", "We couldn't find one unpaid order with this total")
            }
            OpenPaymentRefused::PriceChanged { total } => {
                let message = format!("The total of this order is {total}.");
                Self::conflict("price-changed", "Price changed", message)
                    .retryable()
                    .with("price", Dollars(total).to_json())
            }
            OpenPaymentRefused::Paid => {
                Self::conflict("already-paid", "Paid", "This order has already been paid.").retryable()
            }
            OpenPaymentRefused::Cancelled => {
                Self::conflict("conflict", "Cancelled", "This order was canceled.").retryable()
            }
            OpenPaymentRefused::NotChargeable => {
                let message = "Cards can pay up to $999,999.99. We'll ship this order on account.";
                Self::conflict("not-payable-by-card", "Too large for a card", message)
            }
            OpenPaymentRefused::TooMany { wait } => Self::rate_limited(wait),
        }
    }
}

/// Opens the payment of an order, or returns the one that is open.
#[utoipa::path(
    post, path = "/create-payment-intent", request_body = NewIntent,
    responses(
        (status = 200, description = "Ready to be paid", body = ClientSecret),
        (status = 404, description = "Another's order, or none"),
        (status = 409, description = "Paid, cancelled, or another total"),
        (status = 422, description = "No single order has that total"),
        (status = 429, description = "Asked for too often"),
    )
)]
pub(crate) async fn open_payment(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<NewIntent>,
) -> Result<web::Json<ClientSecret>, Problem> {
    let secret = app.shop.payments.open_payment(&caller, sent.parse()?).await?;
    Ok(web::Json(ClientSecret { client_secret: secret.0 }))
}

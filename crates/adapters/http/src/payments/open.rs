//! `POST /create-payment-intent`.

use actix_web::web::{self, Data};
use application::{OpenPayment, OpenPaymentRefused};
use domain::{CheckoutId, OrderId, Payable};
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
    /// Which order; without it and a checkout the caller's only unpaid order with that total.
    order_id: Option<String>,
    /// Which checkout: all its orders that are neither paid nor cancelled.
    checkout_id: Option<String>,
}

impl NewIntent {
    fn parse(self) -> Result<OpenPayment, Problem> {
        let order = self.order_id.as_deref().map(id::<OrderId>).transpose()?;
        let checkout = self.checkout_id.as_deref().map(id::<CheckoutId>).transpose()?;
        let payable = match (order, checkout) {
            (Some(_), Some(_)) => {
                return Err(Problem::invalid_field("checkoutId", "Name an order or a checkout, not both"));
            }
            (order, checkout) => order.map(Payable::Order).or(checkout.map(Payable::Checkout)),
        };
        if payable.is_none() && self.price.is_none() {
            return Err(Problem::invalid_field("price", "Price is required"));
        }
        Ok(OpenPayment { payable, shown_total: self.price })
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
            OpenPaymentRefused::PaidTogether { checkout } => {
                let message = "This order is being paid with the rest of its purchase. Pay them together, or cancel that payment first.";
                Self::conflict("paid-together", "Paid together", message)
                    .retryable()
                    .with("checkoutId", checkout.to_string())
            }
            OpenPaymentRefused::AwaitsFreight => {
                let message = "We'll email you the freight cost first. You can pay once it's in.";
                Self::conflict("awaits-freight", "Freight to come", message).retryable()
            }
            OpenPaymentRefused::NotChargeable => {
                let message = "Cards can pay up to $999,999.99. We'll ship this order on account.";
                Self::conflict("not-payable-by-card", "Too large for a card", message)
            }
            OpenPaymentRefused::TooMany { wait } => Self::rate_limited(wait),
        }
    }
}

/// Opens the payment of an order or of a checkout, or returns the one that is open. While a checkout has one, its orders have
/// none of their own (409 with `checkoutId`); the other way round theirs are closed.
#[utoipa::path(
    post, path = "/create-payment-intent", request_body = NewIntent,
    responses(
        (status = 200, description = "Ready to be paid", body = ClientSecret),
        (status = 404, description = "Another's order, or none"),
        (status = 409, description = "Paid, cancelled, another total, being paid with its checkout, or the freight is not known yet"),
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

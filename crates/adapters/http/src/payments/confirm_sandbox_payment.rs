//! `POST /sandbox/payment-intents/confirm`: where `demo` accepts test cards.

use actix_web::http::StatusCode;
use actix_web::web::{self, Data};
use ports::{Card, CardRefused};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Json;
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// A card as typed.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TypedCard {
    #[schema(required, nullable = false)]
    number: Option<String>,
    #[schema(required, nullable = false, value_type = i64)]
    exp_month: Option<Whole>,
    #[schema(required, nullable = false, value_type = i64)]
    exp_year: Option<Whole>,
    #[schema(required, nullable = false)]
    cvc: Option<String>,
}

/// The card's holder.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "part of the wire; the sandbox has no use for it")]
pub(crate) struct BillingDetails {
    name: Option<String>,
    email: Option<String>,
}

/// A card to pay with.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Confirmation {
    #[schema(required, nullable = false)]
    client_secret: Option<String>,
    #[schema(required, nullable = false)]
    card: Option<TypedCard>,
    #[expect(dead_code, reason = "part of the wire; the sandbox has no use for it")]
    billing_details: Option<BillingDetails>,
}

impl Confirmation {
    fn parse(self) -> Result<(String, Card), Problem> {
        let mut fields = Fields::default();
        let secret = fields.required::<_, _, &str>("clientSecret", "Client secret", self.client_secret, Ok);
        let card = fields.required::<_, _, &str>("card", "Card", self.card, Ok);
        let card = card.and_then(|card| {
            let number = fields.required::<_, _, &str>("card.number", "Card number", card.number, Ok);
            let month = fields.required::<_, _, &str>("card.expMonth", "Expiry month", card.exp_month, |n| Ok(n.0));
            let year = fields.required::<_, _, &str>("card.expYear", "Expiry year", card.exp_year, |n| Ok(n.0));
            let cvc = fields.required::<_, _, &str>("card.cvc", "CVC", card.cvc, Ok);
            Some(Card { number: number?, exp_month: month?, exp_year: year?, cvc: cvc? })
        });
        fields.all((|| Some((secret?, card?)))())
    }
}

impl From<CardRefused> for Problem {
    fn from(refused: CardRefused) -> Self {
        match refused {
            CardRefused::Declined(message) => {
                Self::new(StatusCode::PAYMENT_REQUIRED, "payment-refused", "Card refused", message)
            }
            CardRefused::Unknown => Self::not_found(),
            CardRefused::Cancelled => Self::conflict("conflict", "Cancelled", "This payment was canceled."),
            CardRefused::Provider(error) => error.into(),
        }
    }
}

/// A payment that went through.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Confirmed {
    /// The payment's id: the order's transaction id from now on.
    id: String,
    status: ConfirmedStatus,
}

/// The status of a payment that was not refused.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ConfirmedStatus {
    Succeeded,
}

/// Pays with a test card (`demo` only; no money moves).
#[utoipa::path(
    post, path = "/sandbox/payment-intents/confirm", request_body = Confirmation,
    responses(
        (status = 200, description = "Paid", body = Confirmed),
        (status = 402, description = "Refused, with the provider's sentence"),
        (status = 404, description = "No such payment, or no sandbox"),
        (status = 409, description = "The payment was cancelled"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn confirm_sandbox_payment(
    app: Data<AppState>,
    Json(sent): Json<Confirmation>,
) -> Result<web::Json<Confirmed>, Problem> {
    let endpoint = app.test_card_endpoint.as_ref().ok_or_else(Problem::not_found)?;
    let (secret, card) = sent.parse()?;
    let intent = endpoint.confirm(&secret, &card).await?;
    // With Stripe a webhook would report the payment; here nothing but this call does.
    app.shop.payments.payment_was_confirmed(&intent.id).await?;
    Ok(web::Json(Confirmed { id: intent.id.to_string(), status: ConfirmedStatus::Succeeded }))
}

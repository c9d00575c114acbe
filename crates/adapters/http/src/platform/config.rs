//! `GET /config`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::{AppState, ShopContact};
use crate::cache::PublicJson;
use crate::problem::Problem;
use crate::wire::enums::ProviderName;

/// Settings for the web client.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Config {
    payment_provider: ProviderName,
    /// The payment provider's publishable key; `null` in the sandbox.
    #[schema(required)]
    publishable_key: Option<String>,
    /// Whether Continue with Google is offered.
    google: bool,
    shop: ShopFacts,
    unpaid_orders: UnpaidOrderRules,
}

/// How long an order may stay unpaid before it is cancelled and its units return to stock. An order's `reservedUntil` says
/// until when that is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnpaidOrderRules {
    /// In minutes.
    minutes: u64,
    /// The same for accounts that have not paid for an order yet.
    minutes_for_new_accounts: u64,
    /// How many unpaid orders such an account may have; `null` for any number.
    #[schema(required)]
    most_for_new_accounts: Option<u32>,
}

/// Who runs the shop and how to reach them; `null` for what the shop does not say.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShopFacts {
    /// What the shop calls itself.
    #[schema(required)]
    name: Option<String>,
    /// The company that sells.
    #[schema(required)]
    company: Option<String>,
    #[schema(required)]
    email: Option<String>,
    #[schema(required)]
    phone: Option<String>,
    /// The postal address, on one line.
    #[schema(required)]
    address: Option<String>,
    /// When somebody answers.
    #[schema(required)]
    support_hours: Option<String>,
}

impl From<ShopContact> for ShopFacts {
    fn from(contact: ShopContact) -> Self {
        let ShopContact { name, company, email, phone, address, support_hours } = contact;
        Self { name, company, email, phone, address, support_hours }
    }
}

/// Settings for the web client.
#[utoipa::path(
    get, path = "/config",
    responses((status = 200, description = "Settings for the client", body = Config))
)]
pub(crate) async fn get_config(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let rules = &app.settings.reservations;
    let config = Config {
        payment_provider: ProviderName(app.browser_payments.kind),
        publishable_key: app.browser_payments.public_key.clone(),
        google: app.shop.signing_in.offers_google(),
        shop: app.settings.contact.clone().into(),
        unpaid_orders: UnpaidOrderRules {
            minutes: rules.usual.as_secs() / 60,
            minutes_for_new_accounts: rules.new.as_secs() / 60,
            most_for_new_accounts: rules.most_new,
        },
    };
    Ok(PublicJson::of(&config)?.send(&request, HttpResponse::Ok()))
}

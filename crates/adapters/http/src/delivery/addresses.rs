//! `/addresses`: one's own address book. Addresses are personal: no cache may keep an answer here.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use application::AddressEntry;
use domain::{KeptAddress, Text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::address::{AddressView, SentAddress};
use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;
use crate::wire::fields::{Fields, filled};

/// An address in one's address book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = KeptAddress)]
pub(crate) struct KeptAddressView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// Who receives what is sent there.
    name: String,
    #[schema(required)]
    phone: Option<String>,
    #[serde(flatten)]
    address: AddressView,
    /// Whether it is offered first.
    is_default: bool,
}

impl From<KeptAddress> for KeptAddressView {
    fn from(kept: KeptAddress) -> Self {
        Self {
            id: kept.id.to_string(),
            name: kept.name.into_string(),
            phone: kept.phone.map(Text::into_string),
            address: (&kept.address).into(),
            is_default: kept.is_default,
        }
    }
}

/// An address to be kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentKeptAddress {
    /// Up to 120 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// Up to 40 characters.
    phone: Option<String>,
    #[serde(flatten)]
    address: SentAddress,
    /// Whether it is offered first, instead of the one before; `false` if left out. The first address is in any case.
    is_default: Option<bool>,
}

impl SentKeptAddress {
    fn parse(self) -> Result<AddressEntry, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", filled(self.name.as_deref()), Text::new);
        let phone = fields.optional("phone", "Phone", filled(self.phone.as_deref()), Text::new);
        let address = self.address.parse("", &mut fields);
        let is_default = self.is_default.unwrap_or_default();
        let whole = (|| Some(AddressEntry { name: name?, phone: phone?, address: address?, is_default }))();
        fields.all(whole)
    }
}

/// One's own addresses: the default first, then those added last first; at most 200.
#[utoipa::path(
    get, path = "/addresses", responses((status = 200, description = "One's addresses", body = [KeptAddressView]))
)]
pub(crate) async fn list_addresses(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<KeptAddressView>>, Problem> {
    let kept = app.shop.delivery.addresses(&caller).await?;
    Ok(web::Json(kept.into_iter().map(Into::into).collect()))
}

/// The addresses that a customer keeps (admins): the default first, then those added last first.
#[utoipa::path(
    get, path = "/user/{email}/addresses", params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "Their addresses", body = [KeptAddressView]),
        (status = 404, description = "No such account"),
    )
)]
pub(crate) async fn list_addresses_of(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    email: Path<String>,
) -> Result<web::Json<Vec<KeptAddressView>>, Problem> {
    let kept = app.shop.delivery.addresses_of(&caller, &email).await?;
    Ok(web::Json(kept.into_iter().map(Into::into).collect()))
}

/// Keeps an address.
#[utoipa::path(
    post, path = "/addresses", request_body = SentKeptAddress,
    responses(
        (status = 201, description = "Kept", body = KeptAddressView),
        (status = 409, description = "There are as many as one can keep (`most`)"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_address(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<SentKeptAddress>,
) -> Result<HttpResponse, Problem> {
    let kept = app.shop.delivery.keep_address(&caller, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(KeptAddressView::from(kept)))
}

/// Replaces an address of one's own.
#[utoipa::path(
    put, path = "/addresses/{id}", request_body = SentKeptAddress,
    params(("id" = String, Path, description = "The address's id")),
    responses(
        (status = 200, description = "As it is now", body = KeptAddressView),
        (status = 404, description = "No such address of one's own"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_address(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<SentKeptAddress>,
) -> Result<web::Json<KeptAddressView>, Problem> {
    let edited = app.shop.delivery.edit_address(&caller, id(&path)?, sent.parse()?).await?;
    Ok(web::Json(edited.into()))
}

/// Removes an address of one's own.
#[utoipa::path(
    delete, path = "/addresses/{id}", params(("id" = String, Path, description = "The address's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such address of one's own"),
    )
)]
pub(crate) async fn remove_address(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.delivery.remove_address(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}

//! `/brands`.

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use domain::Text;
use ports::Brand;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::cache::PublicJson;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::fields::Fields;

/// A brand.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Brand)]
pub(crate) struct BrandView {
    id: i32,
    name: String,
}

/// A brand's name.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BrandName {
    /// Up to 60 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
}

impl BrandName {
    fn parse(&self) -> Result<Text<60>, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        fields.all(name)
    }
}

/// All brands, by name.
#[utoipa::path(get, path = "/brands", responses((status = 200, description = "Brands", body = [BrandView])))]
pub(crate) async fn list_brands(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let brands = app.shop.catalog.brands().await?;
    let view = |brand: Brand| BrandView { id: brand.id, name: brand.name.into_string() };
    let brands: Vec<BrandView> = brands.into_iter().map(view).collect();
    Ok(PublicJson::of(&brands)?.send(&request, HttpResponse::Ok()))
}

/// Adds a brand (admins), or answers with the one that has this name.
#[utoipa::path(
    post, path = "/brands", request_body = BrandName,
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_brand(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<BrandName>,
) -> Result<HttpResponse, Problem> {
    let added = app.shop.catalog.add_brand(&caller, &sent.parse()?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// Renames a brand (admins).
#[utoipa::path(
    put, path = "/brands/{id}", request_body = BrandName, params(("id" = i32, Path, description = "The brand's id")),
    responses(
        (status = 200, description = "Renamed", body = ModifiedCount),
        (status = 404, description = "No such brand"),
        (status = 409, description = "Another brand has this name"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn rename_brand(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<BrandName>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.catalog.rename_brand(&caller, id(&path)?, &sent.parse()?).await?;
    Ok(web::Json(true.into()))
}

/// Removes a brand that no part has (admins).
#[utoipa::path(
    delete, path = "/brands/{id}", params(("id" = i32, Path, description = "The brand's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such brand"),
        (status = 409, description = "Parts still have it (`uses`)"),
    )
)]
pub(crate) async fn remove_brand(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.catalog.remove_brand(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}

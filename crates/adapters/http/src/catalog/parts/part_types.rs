//! `/part-types`.

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use domain::{Category, Text};
use ports::PartType;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::cache::PublicJson;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::enums::CategoryName;
use crate::wire::fields::Fields;

/// What a part can be.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartType)]
pub(crate) struct PartTypeView {
    id: i32,
    name: String,
    category: CategoryName,
}

/// A part type, as it is sent.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewPartType {
    /// Up to 80 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    #[schema(required, nullable = false, value_type = CategoryName)]
    category: Option<String>,
}

impl NewPartType {
    fn parse(&self, id: i32) -> Result<PartType, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let category = fields.required("category", "Category", self.category.as_deref(), str::parse::<Category>);
        fields.all((|| Some(PartType { id, name: name?, category: category? }))())
    }
}

/// All part types, by name.
#[utoipa::path(
    get, path = "/part-types", responses((status = 200, description = "Part types", body = [PartTypeView]))
)]
pub(crate) async fn list_part_types(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let view = |PartType { id, name, category }| PartTypeView {
        id,
        name: Text::into_string(name),
        category: CategoryName(category),
    };
    let types: Vec<PartTypeView> = app.shop.catalog.part_types().await?.into_iter().map(view).collect();
    Ok(PublicJson::of(&types)?.send(&request, HttpResponse::Ok()))
}

/// Adds a part type (admins).
#[utoipa::path(
    post, path = "/part-types", request_body = NewPartType,
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 409, description = "Another part type has this name"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_part_type(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<NewPartType>,
) -> Result<HttpResponse, Problem> {
    let PartType { name, category, .. } = sent.parse(0)?;
    let added = app.shop.catalog.add_part_type(&caller, &name, category).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// Changes a part type (admins).
#[utoipa::path(
    put, path = "/part-types/{id}", request_body = NewPartType,
    params(("id" = i32, Path, description = "The part type's id")),
    responses(
        (status = 200, description = "Changed", body = ModifiedCount),
        (status = 404, description = "No such part type"),
        (status = 409, description = "Another part type has this name"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_part_type(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<NewPartType>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.catalog.edit_part_type(&caller, &sent.parse(id(&path)?)?).await?;
    Ok(web::Json(true.into()))
}

/// Removes a part type that no part has (admins).
#[utoipa::path(
    delete, path = "/part-types/{id}", params(("id" = i32, Path, description = "The part type's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such part type"),
        (status = 409, description = "Parts still have it (`uses`)"),
    )
)]
pub(crate) async fn remove_part_type(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.catalog.remove_part_type(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}

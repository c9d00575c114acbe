//! `PATCH /products/{id}`.

use actix_web::web;
use actix_web::web::{Data, Path};
use domain::{Category, Edit, PictureUrl, ProductEdit, ProductId, Text, UnitPrice};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::attributes::min_order;
use super::facts::SentFacts;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::enums::CategoryName;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// The attributes to change; what is not sent stays. Units are added and removed by other calls.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditedProduct {
    /// Up to 200 characters.
    #[schema(nullable = false)]
    name: Option<String>,
    /// Up to 5,000 characters.
    #[schema(nullable = false)]
    description: Option<String>,
    /// Dollars for one unit, at least 0.01.
    #[schema(nullable = false)]
    price: Option<f64>,
    #[schema(nullable = false, value_type = Option<CategoryName>)]
    category: Option<String>,
    /// The smallest quantity that may be ordered; below 50 it is 50.
    #[schema(nullable = false, value_type = Option<i64>)]
    min_order: Option<Whole>,
    /// An http(s) address or a path of this shop.
    #[schema(nullable = false)]
    img: Option<String>,
    /// The maker's number, up to 60 characters; `null` removes it.
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    part_number: Edit<String>,
    #[serde(flatten)]
    facts: SentFacts,
    /// Attributes as the caller last saw them: if one that is to be changed is another one by now, nothing changes and
    /// the response is a 409 with the product.
    #[schema(nullable = false)]
    seen: Option<SeenProduct>,
}

/// Attributes of a product as the caller last saw them; what is not sent is not compared.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeenProduct {
    #[schema(nullable = false)]
    name: Option<String>,
    #[schema(nullable = false)]
    description: Option<String>,
    #[schema(nullable = false)]
    price: Option<f64>,
    #[schema(nullable = false, value_type = Option<CategoryName>)]
    category: Option<String>,
    #[schema(nullable = false, value_type = Option<i64>)]
    min_order: Option<Whole>,
    #[schema(nullable = false)]
    img: Option<String>,
    #[serde(default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    part_number: Edit<String>,
    #[serde(flatten)]
    facts: SentFacts,
}

/// A field that was sent, even if it is `null`.
fn sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Edit<String>, D::Error> {
    Option::deserialize(deserializer).map(Edit::Set)
}

impl EditedProduct {
    fn parse(self, product: ProductId) -> Result<application::EditProduct, Problem> {
        let Self { name, description, price, category, min_order, img, part_number, facts, seen } = self;
        let wanted = SeenProduct { name, description, price, category, min_order, img, part_number, facts };
        let mut fields = Fields::default();
        let wanted = wanted.parse("", &mut fields);
        let seen = seen.unwrap_or_default().parse("seen.", &mut fields);
        fields.all((|| Some(application::EditProduct { product, wanted: wanted?, seen: seen? }))())
    }
}

impl SeenProduct {
    /// `within` stands before the fields' names in errors.
    fn parse(self, within: &str, fields: &mut Fields) -> Option<ProductEdit> {
        let at = |field: &str| format!("{within}{field}");
        let name = fields.optional(&at("name"), "Name", self.name.as_deref(), Text::new);
        let description = fields.optional(&at("description"), "Description", self.description.as_deref(), Text::new);
        let price = fields.optional(&at("price"), "Price", self.price, UnitPrice::from_dollars);
        let category = fields.optional(&at("category"), "Category", self.category.as_deref(), str::parse::<Category>);
        let minimum = fields.optional(&at("minOrder"), "Minimum order", self.min_order, min_order);
        let img = fields.optional(&at("img"), "Image", self.img.as_deref(), str::parse::<PictureUrl>);
        let part_number = match self.part_number {
            Edit::Keep => Some(Edit::Keep),
            Edit::Set(number) => fields
                .optional(&at("partNumber"), "Part number", number.as_deref(), |number| Text::optional(Some(number)))
                .map(|number| Edit::Set(number.flatten())),
        };
        let facts = self.facts.edit(within, fields);
        Some(ProductEdit {
            name: name?,
            description: description?,
            part_number: part_number?,
            category: category?,
            img: img?,
            price: price?,
            min_order: minimum?,
            facts: facts?,
        })
    }
}

/// Changes attributes of a product (admins); orders keep their snapshot.
#[utoipa::path(
    patch, path = "/products/{id}", request_body = EditedProduct,
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "1 if this call changed something, else 0", body = ModifiedCount),
        (status = 404, description = "No such product"),
        (status = 409, description = "Somebody else changed one of these attributes since `seen` (`product`)"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_product(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<EditedProduct>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let edited = app.shop.catalog.edit_product(&caller, sent.parse(id(&path)?)?).await?;
    Ok(web::Json(edited.into()))
}

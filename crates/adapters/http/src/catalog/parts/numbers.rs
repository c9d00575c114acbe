//! `/products/{id}/numbers` and `/numbers/{number}`.

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use domain::{Gtin, NumberKind, PartNumber, Text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::cache::PublicJson;
use crate::catalog::products::attributes::{ProductView, views};
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// How many numbers a product may have.
const MOST: usize = 200;

/// A number of a product.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartNumber)]
pub(crate) struct NumberView {
    /// `own`, `gtin`, `oe`, `competitor`, `superseded` or `supplier`.
    kind: &'static str,
    number: String,
    /// Whose number it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    brand: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    note: Option<String>,
    /// When it was entered: RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    since: Option<String>,
}

impl From<PartNumber> for NumberView {
    fn from(number: PartNumber) -> Self {
        Self {
            kind: number.kind.as_str(),
            number: number.shown.into_string(),
            brand: number.brand.map(Text::into_string),
            note: number.note.map(Text::into_string),
            since: number.since.map(|since| since.to_string()),
        }
    }
}

/// All numbers of a product, as they are sent.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewNumbers {
    /// At most 200; `own` at most once, and if it is left out, the product's own number stays.
    #[schema(required, nullable = false)]
    numbers: Option<Vec<NewNumber>>,
}

/// A number, as it is sent.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewNumber {
    /// `own`, `gtin`, `oe`, `competitor`, `superseded` or `supplier`.
    #[schema(required, nullable = false)]
    kind: Option<String>,
    /// Up to 60 characters, of which 1 to 48 are letters or digits.
    #[schema(required, nullable = false)]
    number: Option<String>,
    /// Whose number it is, up to 60 characters; a brand that is not known is added.
    brand: Option<String>,
    /// Up to 240 characters.
    note: Option<String>,
}

impl NewNumbers {
    fn parse(self) -> Result<Vec<PartNumber>, Problem> {
        let mut fields = Fields::default();
        let Some(sent) = fields.required("numbers", "Numbers", self.numbers, Ok::<_, &str>) else {
            return fields.all(None);
        };
        if sent.len() > MOST {
            fields.refuse("numbers", format!("Send at most {MOST} numbers"));
            return fields.all(None);
        }
        let parsed: Vec<Option<PartNumber>> =
            sent.into_iter().enumerate().map(|(place, number)| number.parse(place, &mut fields)).collect();
        let Some(numbers) = parsed.into_iter().collect::<Option<Vec<_>>>() else { return fields.all(None) };
        if numbers.iter().filter(|number| number.kind == NumberKind::Own).count() > 1 {
            fields.refuse("numbers", "A product has one number of its own".to_owned());
        }
        for (place, number) in numbers.iter().enumerate() {
            let key = |number: &PartNumber| {
                (number.kind, number.key().ok(), number.brand.as_ref().map(|b| domain::fold(b.as_str())))
            };
            if numbers[..place].iter().any(|earlier| key(earlier) == key(number)) {
                fields.refuse(&format!("numbers[{place}].number"), format!("{} is there twice", number.shown));
            }
        }
        fields.all(Some(numbers))
    }
}

impl NewNumber {
    fn parse(self, place: usize, fields: &mut Fields) -> Option<PartNumber> {
        let at = |field: &str| format!("numbers[{place}].{field}");
        let kind = fields.required(&at("kind"), "Kind", self.kind.as_deref(), str::parse::<NumberKind>);
        let shown = fields.required(&at("number"), "Number", self.number.as_deref(), Text::new);
        let brand = fields.optional(&at("brand"), "Brand", self.brand.as_deref(), |brand| Text::optional(Some(brand)));
        let note = fields.optional(&at("note"), "Note", self.note.as_deref(), |note| Text::optional(Some(note)));
        let number =
            PartNumber { kind: kind?, shown: shown?, brand: brand?.flatten(), note: note?.flatten(), since: None };
        if number.kind == NumberKind::Gtin
            && let Err(why) = number.shown.as_str().parse::<Gtin>()
        {
            fields.refuse(&at("number"), format!("{} {why}", number.shown));
            return None;
        }
        match number.key() {
            Ok(_) => Some(number),
            Err(why) => {
                fields.refuse(&at("number"), format!("Number {why}"));
                None
            }
        }
    }
}

/// The numbers of a product.
#[utoipa::path(
    get, path = "/products/{id}/numbers", params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Its numbers, by kind", body = [NumberView]),
        (status = 404, description = "No such product"),
    )
)]
pub(crate) async fn list_part_numbers(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let numbers = app.shop.catalog.part_numbers(id(&path)?).await?.ok_or_else(Problem::not_found)?;
    let numbers: Vec<NumberView> = numbers.into_iter().map(Into::into).collect();
    Ok(PublicJson::of(&numbers)?.send(&request, HttpResponse::Ok()))
}

/// Replaces the numbers of a product (admins). Products of the same brand under a superseded number are replaced by this one.
#[utoipa::path(
    put, path = "/products/{id}/numbers", request_body = NewNumbers,
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Replaced", body = ModifiedCount),
        (status = 404, description = "No such product"),
        (status = 409, description = "The brand has another part with this number"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn set_part_numbers(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<NewNumbers>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.catalog.set_part_numbers(&caller, id(&path)?, &sent.parse()?).await?;
    Ok(web::Json(true.into()))
}

/// The products that a number leads to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NumberedProducts {
    /// How well it matches: 1 its own, 2 GTIN, 3 replaced, 4 another maker's, 5 its beginning, 6 misread, 7 close; null if
    /// there is nothing like it.
    #[schema(required)]
    tier: Option<u8>,
    /// At most 100, best first.
    products: Vec<ProductView>,
}

/// The products that a part number leads to, however it is written.
#[utoipa::path(
    get, path = "/numbers/{number}", params(("number" = String, Path, description = "The number, perhaps after a brand")),
    responses(
        (status = 200, description = "The products", body = NumberedProducts),
        (status = 422, description = "No part number"),
    )
)]
pub(crate) async fn find_by_number(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    if let Err(why) = domain::PartKey::new(&path) {
        return Err(Problem::invalid_field("number", format!("A part number {why}")));
    }
    let found = match app.shop.catalog.products_by_number(&path).await? {
        Some(found) => NumberedProducts { tier: Some(found.tier), products: views(found.products) },
        None => NumberedProducts { tier: None, products: Vec::new() },
    };
    Ok(PublicJson::of(&found)?.send(&request, HttpResponse::Ok()))
}

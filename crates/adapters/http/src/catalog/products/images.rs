//! `PUT /products/{id}/images`.

use actix_web::web;
use actix_web::web::{Data, Path};
use domain::{PictureUrl, Pictures, PicturesRefused};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// All pictures of a product, as they are sent.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewImages {
    /// 1 to 12 http(s) addresses or paths of this shop, none of them twice; the first one becomes the product's `img`.
    #[schema(required, nullable = false)]
    images: Option<Vec<String>>,
}

impl NewImages {
    fn parse(self) -> Result<Pictures, Problem> {
        let mut fields = Fields::default();
        let Some(sent) = fields.required("images", "Images", self.images, Ok::<_, &str>) else {
            return fields.all(None);
        };
        let parsed: Vec<Option<PictureUrl>> = sent
            .iter()
            .enumerate()
            .take(Pictures::MOST + 1)
            .map(|(place, img)| fields.required(&at(place), "Image", Some(img.as_str()), str::parse::<PictureUrl>))
            .collect();
        let Some(images) = parsed.into_iter().collect() else { return fields.all(None) };
        let pictures = Pictures::new(images);
        if let Err(PicturesRefused::Twice(place)) = pictures {
            fields.refuse(&at(place), format!("{} is there twice", sent[place].trim()));
            return fields.all(None);
        }
        let pictures = fields.required("images", "Images", Some(pictures), |pictures| pictures);
        fields.all(pictures)
    }
}

fn at(place: usize) -> String {
    format!("images[{place}]")
}

/// Replaces the pictures of a product (admins); orders keep theirs.
#[utoipa::path(
    put, path = "/products/{id}/images", request_body = NewImages,
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "1 if this call changed something, else 0", body = ModifiedCount),
        (status = 404, description = "No such product"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn set_product_images(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<NewImages>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let replaced = app.shop.catalog.set_pictures(&caller, id(&path)?, &sent.parse()?).await?;
    Ok(web::Json(replaced.into()))
}

//! A cart as its owner sees it.

use actix_web::HttpResponse;
use actix_web::http::header::ETAG;
use application::CartView;
use serde::Serialize;
use utoipa::ToSchema;

use crate::baskets::lines::LineView;

/// A cart.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Cart)]
pub(crate) struct CartAnswer {
    /// Counts its changes; 0 of one that was never saved. Quoted it is the answer's `ETag`.
    version: i64,
    /// Each product once.
    lines: Vec<LineView>,
}

impl From<&CartView> for CartAnswer {
    fn from(cart: &CartView) -> Self {
        let lines = cart.lines.iter().map(|line| LineView::of(&line.kept, &line.row)).collect();
        Self { version: cart.version, lines }
    }
}

/// A cart with its version as `ETag`.
pub(super) fn tagged(cart: &CartView) -> HttpResponse {
    let tag = format!("\"{}\"", cart.version);
    HttpResponse::Ok().insert_header((ETAG, tag)).json(CartAnswer::from(cart))
}

//! `GET /tax-rates/samples/eu.csv`.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::{HttpRequest, HttpResponse};

use crate::cache::{REVALIDATED, tag, tagged};
use crate::problem::Problem;

/// The standard rates of VAT in the member states of the European Union on the day that each row names. Territories with a rate
/// of their own, such as the Canaries and Madeira, are not in it.
const EU: &str = include_str!("samples/eu.csv");

/// The standard rates of VAT in the European Union on 2025-08-01, as a file that can be imported. Territories with rates of
/// their own are not in it.
#[utoipa::path(
    get, path = "/tax-rates/samples/eu.csv",
    responses(
        (status = 200, description = "A file", content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"eu-vat-2025-08-01.csv\"`"))),
    )
)]
pub(crate) async fn get_eu_tax_rates(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"eu-vat-2025-08-01.csv\""));
    Ok(tagged(&request, response, &tag(EU.as_bytes()), REVALIDATED, "text/csv; charset=utf-8", EU))
}

//! `GET /feeds/samples/{kind}.csv`.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use domain::FeedKind;

use crate::cache::{REVALIDATED, tag, tagged};
use crate::problem::Problem;

/// A file of each kind, about parts that the demo sells.
const fn sample(kind: FeedKind) -> &'static str {
    match kind {
        FeedKind::Products => include_str!("products.csv"),
        FeedKind::Stock => include_str!("stock.csv"),
        FeedKind::Prices => include_str!("prices.csv"),
        FeedKind::Numbers => include_str!("numbers.csv"),
        FeedKind::Fitment => include_str!("fitment.csv"),
    }
}

/// A sample of a feed, with every column of its kind. On the demo it imports without a finding.
#[utoipa::path(
    get, path = "/feeds/samples/{kind}.csv",
    params(("kind" = super::view::FeedKindName, Path, description = "What the feed changes")),
    responses(
        (status = 200, description = "A file", content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"stock-sample.csv\"`"))),
        (status = 404, description = "No such kind"),
    )
)]
pub(crate) async fn get_feed_sample(path: Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let kind: FeedKind = path.parse().map_err(|_| Problem::not_found())?;
    let named = format!("attachment; filename=\"{}-sample.csv\"", kind.as_str());
    let file = sample(kind);
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_DISPOSITION, named));
    Ok(tagged(&request, response, &tag(file.as_bytes()), REVALIDATED, "text/csv; charset=utf-8", file))
}

#[cfg(test)]
mod tests {
    use domain::Header;
    use domain::feeds::columns::Column;

    use super::*;

    #[test]
    fn a_sample_has_every_column_of_its_kind() {
        for kind in FeedKind::ALL {
            let first = sample(kind).lines().next().unwrap();
            let header = Header::read(kind, first.split(','), false).unwrap();
            // A row sets the stock or adds to it.
            for column in Column::of(kind) {
                assert!(header.place(*column).is_some(), "{} of {}", column.as_str(), kind.as_str());
            }
        }
    }
}

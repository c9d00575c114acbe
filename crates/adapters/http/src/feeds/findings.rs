//! `GET /feeds/{id}/findings.csv`.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::batches::BATCH;
use crate::wire::csv;

/// The findings of a feed as CSV, by line (admins): the first 10,000.
#[utoipa::path(
    get, path = "/feeds/{id}/findings.csv", params(("id" = String, Path, description = "The feed's id")),
    responses(
        (status = 200, description = "A file: `line,column,reason,message`", content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"findings-7-2026-11-21.csv\"`"))),
        (status = 404, description = "There is none"),
    )
)]
pub(crate) async fn export_feed_findings(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let feed: i32 = id(&path)?;
    app.shop.feeds.find(&caller, feed).await?;
    let now = app.clock.now();
    let read = move |after: Option<i32>| {
        let (app, caller) = (app.clone(), caller.clone());
        async move {
            let found = app.shop.feeds.findings(&caller, feed, after.unwrap_or(0), BATCH).await?;
            let is_full = u32::try_from(found.len()).is_ok_and(|many| many == BATCH);
            let next = found.last().map(|(place, _)| *place).filter(|_| is_full);
            let row =
                |(_, one): (i32, domain::FeedFinding)| vec![one.line.to_string(), one.field, one.reason, one.message];
            Ok((found.into_iter().map(row).collect(), next))
        }
    };
    csv::send(&format!("findings-{feed}"), now, ["line", "column", "reason", "message"], read).await
}

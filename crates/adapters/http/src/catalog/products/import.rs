//! `POST /products.csv`.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use application::{Duplicate, ImportProducts};
use domain::ProductDetails;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::attributes;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Body, IdempotencyKeyHeader, media_type, query};
use crate::problem::{FieldError, Problem};
use crate::wire::csv::{self, Row};
use crate::wire::fields::Fields;

/// The options of an import.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportQuery {
    /// `true`: only reports what would happen.
    #[param(value_type = Option<bool>)]
    dry_run: Option<String>,
    /// `true`: adds the good rows even if others are bad.
    #[param(value_type = Option<bool>)]
    partial: Option<String>,
}

impl ImportQuery {
    /// Whether it is a dry run, and whether it may be partial.
    fn parse(&self) -> Result<(bool, bool), Problem> {
        let mut fields = Fields::default();
        let mut flag = |field, label, sent: &Option<String>| {
            fields.optional(field, label, sent.as_deref(), |text| {
                text.parse::<bool>().map_err(|_| "must be true or false")
            })
        };
        let (dry_run, partial) = (flag("dryRun", "Dry run", &self.dry_run), flag("partial", "Partial", &self.partial));
        fields.all((|| Some((dry_run?.unwrap_or_default(), partial?.unwrap_or_default())))())
    }
}

/// What is wrong with one row of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct BadRow {
    /// The line of the file on which the row begins; the header's is 1.
    line: u64,
    /// The column; empty if it is the row as a whole.
    field: String,
    /// The reason, as a sentence.
    message: String,
}

/// The result of an import, or what it would be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportReport {
    dry_run: bool,
    /// Rows in the file.
    rows: usize,
    /// Products that were added; in a dry run, that can be: the rows that are good.
    added: usize,
    /// What is wrong with the others, by line. A row may be named more than once.
    bad: Vec<BadRow>,
}

/// Adds the products of a CSV file (admins): all of them, or with `partial=true` the good ones, in one transaction.
#[utoipa::path(
    post, path = "/products.csv", params(ImportQuery),
    request_body(content = String, content_type = "text/csv", description = attributes::import_description()),
    responses(
        (status = 200, description = "Added, or in a dry run checked", body = ImportReport),
        (status = 400, description = "Not UTF-8"),
        (status = 413, description = "More than 2 MiB or 5,000 rows"),
        (status = 415, description = "Not text/csv"),
        (status = 422, description = "Columns are missing, or rows are bad (`bad`, as in the report): nothing was added"),
    )
)]
pub(crate) async fn import_products(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    request: HttpRequest,
    Body(body): Body,
) -> Result<web::Json<ImportReport>, Problem> {
    let (dry_run, partial) = query::<ImportQuery>(&request)?.parse()?;
    if !says_csv(&request) {
        return Err(Problem::unsupported_media("Please send CSV in UTF-8 (content-type: text/csv)"));
    }
    let table = csv::read(&body, &attributes::imported())?;
    let rows = table.rows.len();
    let (mut lines, mut drafts, mut bad) = (Vec::new(), Vec::new(), Vec::new());
    for row in table.rows {
        let line = row.line;
        match details(row, table.semicolons) {
            Ok(details) => {
                lines.push(line);
                drafts.push(details);
            }
            Err(errors) => {
                bad.extend(errors.into_iter().map(|FieldError { field, message }| BadRow { line, field, message }));
            }
        }
    }
    // With bad rows nothing is added, but the report should list the errors of all rows, so the rest is checked too.
    let check_only = dry_run || !partial && !bad.is_empty();
    let import = ImportProducts { drafts, partial, dry_run: check_only, idempotency_key };
    let report = app.shop.catalog.import_products(&caller, import).await?;
    for (place, duplicate) in report.left_out {
        let Some(line) = lines.get(place).copied() else { continue };
        let message = match duplicate {
            Duplicate::ForSale => "A product with this name, category and picture already exists".to_owned(),
            Duplicate::Draft(first) => {
                let first = lines.get(first).copied().unwrap_or_default();
                format!("Line {first} has the same name, category and picture")
            }
        };
        bad.push(BadRow { line, field: "name".to_owned(), message });
    }
    bad.sort_by_key(|one| one.line);
    if !dry_run
        && !partial
        && let Some(first) = bad.first()
    {
        let message = format!("Nothing was imported. Line {}: {}", first.line, first.message);
        return Err(Problem::invalid_field("file", message).with("bad", serde_json::json!(bad)));
    }
    Ok(web::Json(ImportReport { dry_run, rows, added: report.added, bad }))
}

fn says_csv(request: &HttpRequest) -> bool {
    media_type(request).is_some_and(|media| {
        media.essence_str() == "text/csv"
            && media.get_param("charset").is_none_or(|charset| charset.as_str().eq_ignore_ascii_case("utf-8"))
    })
}

pub(crate) fn details(row: Row, semicolons: bool) -> Result<ProductDetails, Vec<FieldError>> {
    if row.overflows {
        let message = "This row has more cells than the header".to_owned();
        return Err(vec![FieldError { field: String::new(), message }]);
    }
    attributes::parse_row(row.cells, semicolons)
}

//! `POST /products.csv`.

use actix_web::HttpRequest;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::mime::Mime;
use actix_web::web::{self, Data};
use application::{Duplicate, ImportProducts, ProductDraft};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::add::NewProduct;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Body, IdempotencyKeyHeader, query};
use crate::problem::{FieldError, Problem};
use crate::wire::csv::{self, Column, Row};
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// The columns that an import reads.
const WANTED: [Column; 8] = [
    Column { name: "name", required: true },
    Column { name: "description", required: true },
    Column { name: "category", required: true },
    Column { name: "partNumber", required: false },
    Column { name: "price", required: true },
    Column { name: "availableQty", required: true },
    Column { name: "minOrder", required: false },
    Column { name: "img", required: true },
];

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
    request_body(content = String, content_type = "text/csv", description = "UTF-8, up to 2 MiB and 5,000 rows, separated by \
        commas or semicolons. Columns in any order and case: `name`, `description`, `category`, `price`, `availableQty`, \
        `img`, and optionally `partNumber` and `minOrder`; others are ignored"),
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
    let table = csv::read(&body, &WANTED)?;
    let rows = table.rows.len();
    let (mut lines, mut drafts, mut bad) = (Vec::new(), Vec::new(), Vec::new());
    for row in table.rows {
        let line = row.line;
        match draft(row, table.semicolons) {
            Ok(draft) => {
                lines.push(line);
                drafts.push(draft);
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
            Duplicate::ForSale => "A product with this name, category and picture is for sale already".to_owned(),
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
    let media = request.headers().get(CONTENT_TYPE).and_then(|header| header.to_str().ok()?.parse::<Mime>().ok());
    media.is_some_and(|media| {
        media.essence_str() == "text/csv"
            && media.get_param("charset").is_none_or(|charset| charset.as_str().eq_ignore_ascii_case("utf-8"))
    })
}

/// Parses a row's product by the same rules as Add Product.
fn draft(row: Row, semicolons: bool) -> Result<ProductDraft, Vec<FieldError>> {
    if row.overflows {
        let message = "This row has more cells than the header has".to_owned();
        return Err(vec![FieldError { field: String::new(), message }]);
    }
    let Ok([name, description, category, part_number, price, available_qty, min_order, img]) =
        <[Option<String>; 8]>::try_from(row.cells)
    else {
        return Err(Vec::new());
    };
    let mut fields = Fields::default();
    let price = fields.optional("price", "Price", price.as_deref(), |cell| dollars(cell.trim(), semicolons));
    let available_qty = fields.optional("availableQty", "Available quantity", available_qty.as_deref(), whole);
    let min_order = fields.optional("minOrder", "Minimum order", min_order.as_deref(), whole);
    let mut errors = fields.or_errors(Some(())).err().unwrap_or_default();
    let sent = NewProduct {
        name,
        description,
        price: price.flatten(),
        category: category.map(|name| name.trim().to_owned()),
        available_qty: available_qty.flatten(),
        min_order: min_order.flatten(),
        img,
        part_number,
    };
    match sent.validate() {
        Ok(draft) if errors.is_empty() => Ok(draft),
        Ok(_) => Err(errors),
        Err(others) => {
            // A field that is not a number is not reported as missing too.
            let known: Vec<String> = errors.iter().map(|error| error.field.clone()).collect();
            errors.extend(others.into_iter().filter(|other| !known.contains(&other.field)));
            Err(errors)
        }
    }
}

fn whole(cell: &str) -> Result<Whole, &'static str> {
    cell.trim().parse().map(Whole).map_err(|_| "must be a whole number")
}

/// A number of dollars; where semicolons separate the cells, a comma may separate dollars from cents.
fn dollars(cell: &str, semicolons: bool) -> Result<f64, &'static str> {
    let cents = cell.split_once(',').map(|(_, cents)| cents);
    let has_comma = semicolons && !cell.contains('.') && cents.is_some_and(|cents| matches!(cents.len(), 1..=2));
    let cell = if has_comma { cell.replacen(',', ".", 1) } else { cell.to_owned() };
    let plain = cell.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    cell.parse().ok().filter(|_| plain).ok_or("must be a number such as 129.50")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_a_plain_number_and_a_decimal_comma_needs_semicolons() {
        for (cell, semicolons, expected) in [
            ("129.5", false, Some(129.5)),
            ("129,50", true, Some(129.5)),
            ("129.50", true, Some(129.5)),
            ("-3", false, Some(-3.0)),
            ("129,50", false, None),
            ("1,299", true, None),
            ("1.299,50", true, None),
            ("1e3", false, None),
            ("NaN", false, None),
            ("inf", false, None),
            ("$5", false, None),
        ] {
            assert_eq!(dollars(cell, semicolons).ok(), expected, "{cell}");
        }
    }
}

//! `POST /tax-rates/import`.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use application::{Failure, ImportRatesRefused, NewRate, OverlapsWith};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::rates::SentRate;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Body, media_type, query};
use crate::problem::{FieldError, Problem};
use crate::wire::csv::{self, Column, Row};
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// The columns, in the order in which a row's cells are read.
pub(crate) const COLUMNS: [Column; 6] = [
    Column { name: "country", required: true },
    Column { name: "region", required: false },
    Column { name: "name", required: true },
    Column { name: "basis_points", required: true },
    Column { name: "valid_from", required: true },
    Column { name: "valid_until", required: false },
];

/// The options of an import.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportRatesQuery {
    /// `true`: only checks the file.
    #[param(value_type = Option<bool>)]
    dry_run: Option<String>,
}

/// What is wrong with a row of a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RateFinding {
    /// The line of the file; the header's is 1.
    line: u64,
    /// The column; empty if it is the row as a whole.
    field: String,
    message: String,
}

/// The result of an import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportedRates {
    dry_run: bool,
    /// How many rates were added; in a dry run, how many would be.
    added: usize,
    /// Always empty: a file with a finding is refused.
    findings: Vec<RateFinding>,
}

/// Adds the tax rates of a CSV file (admins): all of them or none.
#[utoipa::path(
    post, path = "/tax-rates/import", params(ImportRatesQuery),
    request_body(content = String, content_type = "text/csv", description = "UTF-8, up to 5,000 rows, separated by \
        commas or semicolons. Columns in any order and case: `country`, `name`, `basis_points`, `valid_from`, and \
        optionally `region` and `valid_until`; others are ignored"),
    responses(
        (status = 200, description = "Added, or in a dry run checked", body = ImportedRates),
        (status = 400, description = "Not UTF-8"),
        (status = 409, description = "Somebody else entered one of the rates in the meantime"),
        (status = 413, description = "Too large"),
        (status = 415, description = "Not text/csv"),
        (status = 422, description = "Columns are missing, or rows are wrong (`findings`): nothing was added"),
    )
)]
pub(crate) async fn import_tax_rates(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Body(body): Body,
) -> Result<web::Json<ImportedRates>, Problem> {
    let mut fields = Fields::default();
    let dry_run = fields.optional("dryRun", "Dry run", query::<ImportRatesQuery>(&request)?.dry_run, |sent| {
        sent.parse::<bool>().map_err(|_| "must be true or false")
    });
    let dry_run = fields.all(dry_run)?.unwrap_or_default();
    if media_type(&request).is_none_or(|media| media.essence_str() != "text/csv") {
        return Err(Problem::unsupported_media("Please send CSV in UTF-8 (content-type: text/csv)"));
    }
    let (mut lines, mut rates, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    for row in csv::read(&body, &COLUMNS)?.rows {
        let line = row.line;
        match rate(row) {
            Ok(rate) => {
                lines.push(line);
                rates.push(rate);
            }
            Err(errors) => {
                let finding = |FieldError { field, message }| RateFinding { line, field, message };
                findings.extend(errors.into_iter().map(finding));
            }
        }
    }
    let added = rates.len();
    // With findings nothing is added, but the overlaps of the other rows are found as well.
    let check_only = dry_run || !findings.is_empty();
    match app.shop.tax.import_rates(&caller, rates, check_only).await {
        Err(Failure::Refused(ImportRatesRefused::Overlaps(overlaps))) => {
            findings.extend(overlaps.into_iter().filter_map(|(place, with)| overlap(&lines, place, with)));
        }
        imported => imported?,
    }
    findings.sort_by_key(|finding| finding.line);
    match findings.first() {
        None => Ok(web::Json(ImportedRates { dry_run, added, findings })),
        Some(first) => {
            let message = format!("Nothing was imported. Line {}: {}", first.line, first.message);
            Err(Problem::invalid_field("file", message).with("findings", serde_json::json!(findings)))
        }
    }
}

pub(crate) fn rate(row: Row) -> Result<NewRate, Vec<FieldError>> {
    let about = |field: &str, message: &str| vec![FieldError { field: field.to_owned(), message: message.to_owned() }];
    if row.overflows {
        return Err(about("", "This row has more cells than the header"));
    }
    let Ok([country, region, name, points, valid_from, valid_until]) = <[Option<String>; 6]>::try_from(row.cells)
    else {
        return Err(about("", "This row can't be read"));
    };
    let basis_points = points.map(|points| points.trim().parse().map(Whole)).transpose();
    let basis_points = basis_points.map_err(|_| about("basis_points", "Basis points must be a whole number"))?;
    let trimmed = |cell: Option<String>| cell.map(|cell| cell.trim().to_owned());
    let sent = SentRate {
        country: trimmed(country),
        region,
        name,
        basis_points,
        valid_from: trimmed(valid_from),
        valid_until: trimmed(valid_until),
    };
    // The file's columns have names of their own.
    let column = |field: &str| match field {
        "basisPoints" => "basis_points".to_owned(),
        "validFrom" => "valid_from".to_owned(),
        "validUntil" => "valid_until".to_owned(),
        field => field.to_owned(),
    };
    sent.validate().map_err(|errors| {
        let named = |FieldError { field, message }| FieldError { field: column(&field), message };
        errors.into_iter().map(named).collect()
    })
}

fn overlap(lines: &[u64], place: usize, with: OverlapsWith) -> Option<RateFinding> {
    let line = *lines.get(place)?;
    let message = match with {
        OverlapsWith::Earlier(earlier) => {
            format!("The rate on line {} is valid on the same days", lines.get(earlier)?)
        }
        OverlapsWith::Kept(kept) => {
            format!(
                "The shop has a rate for this place from {} on: {} {}",
                kept.valid.from(),
                kept.name,
                kept.basis_points
            )
        }
    };
    Some(RateFinding { line, field: "valid_from".to_owned(), message })
}

//! Paginated lists.

use std::fmt::Write;
use std::str::FromStr;

use actix_web::{HttpRequest, HttpResponse};
use ports::{Page, Pagination};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::wire::fields::Fields;

/// The largest page.
const PAGE_MAX: u32 = 1_000;

/// The requested page of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// The maximum number of items, 1 to 1000; all of them if left out.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
    /// Where the previous page ended, as its `Link` says.
    cursor: Option<String>,
}

impl PageQuery {
    /// The requested page; `None` if a parameter is invalid.
    pub(crate) fn parse<Cursor: FromStr>(&self, fields: &mut Fields) -> Option<Pagination<Cursor>> {
        let limit = fields.optional("limit", "Limit", self.limit.as_deref(), limit);
        let after = fields.optional("cursor", "Cursor", self.cursor.as_deref(), |cursor| {
            cursor.parse::<Cursor>().map_err(|_| "is not one that a page ended with")
        });
        Some(Pagination { limit: limit?, after: after?, uncounted: false })
    }
}

/// Parses the limit of a list.
pub(crate) fn limit(sent: &str) -> Result<u32, &'static str> {
    sent.parse().ok().filter(|limit| (1..=PAGE_MAX).contains(limit)).ok_or("must be a whole number from 1 to 1000")
}

/// The header with the number of matches over all pages.
pub(crate) const TOTAL: &str = "x-total-count";

/// The headers of a page: how many items match over all pages, and where the next page is. `path` and `query` are those
/// of the request.
pub(crate) fn headers(path: &str, query: &str, total: u64, next: Option<impl ToString>) -> Vec<(&'static str, String)> {
    let total = (TOTAL, total.to_string());
    let link = next.map(|next| ("link", next_link(path, query, &next.to_string())));
    [Some(total), link].into_iter().flatten().collect()
}

/// Sends a page of a list, each item as a `View`, with [`headers`].
pub(crate) fn answer<View: Serialize>(
    request: &HttpRequest,
    page: Page<impl Into<View>, impl ToString>,
) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    for header in headers(request.path(), request.query_string(), page.total, page.next) {
        response.insert_header(header);
    }
    response.json(page.items.into_iter().map(Into::into).collect::<Vec<View>>())
}

/// The address of the next page: this one's, with the next cursor.
fn next_link(path: &str, query: &str, next: &str) -> String {
    let mut link = format!("<{path}?");
    for pair in query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("cursor=")) {
        // Writing to a string does not fail. Angle brackets would end the address early, so they are escaped.
        let _ = write!(link, "{}&", pair.replace('<', "%3C").replace('>', "%3E"));
    }
    link + &format!("cursor={next}>; rel=\"next\"")
}

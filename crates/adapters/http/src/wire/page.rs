//! Paginated lists.

use std::fmt::Write;
use std::future::Future;
use std::str::FromStr;

use actix_web::{HttpRequest, HttpResponse};
use ports::{Page, Pagination};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::problem::Problem;
use crate::wire::array;
use crate::wire::batches::BATCH;
use crate::wire::fields::Fields;

/// The largest page.
pub(crate) const PAGE_MAX: u32 = 1_000;

/// How far the matches of a page are counted where to count them all means to read them all: those of a search, and the
/// orders of one customer.
pub(crate) const COUNTED_UP_TO: u32 = 1_000;

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
            cursor.parse::<Cursor>().map_err(|_| "is invalid")
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

/// Sends the requested page of a list, each item as a `View`, with [`headers`]. Without a limit it sends the whole list,
/// which is then read in batches.
pub(crate) async fn send<View, Item, Cursor, Reading>(
    request: &HttpRequest,
    pagination: Pagination<Cursor>,
    mut read: impl FnMut(Pagination<Cursor>) -> Reading + 'static,
) -> Result<HttpResponse, Problem>
where
    View: From<Item> + Serialize + 'static,
    Item: 'static,
    Cursor: ToString + 'static,
    Reading: Future<Output = Result<Page<Item, Cursor>, Problem>> + 'static,
{
    let views = |items: Vec<Item>| items.into_iter().map(View::from).collect::<Vec<View>>();
    let (is_limited, is_from_start) = (pagination.limit.is_some(), pagination.after.is_none());
    let limit = pagination.limit.or(Some(BATCH));
    let Page { items, total, next } = read(Pagination { limit, ..pagination }).await?;
    let mut response = HttpResponse::Ok();
    if is_limited {
        for header in headers(request.path(), request.query_string(), total, next) {
            response.insert_header(header);
        }
        return Ok(response.json(views(items)));
    }
    // If this is the whole list, its own length is the total: the count is of another moment.
    let total = if is_from_start && next.is_none() { items.len().to_string() } else { total.to_string() };
    response.insert_header((TOTAL, total));
    if next.is_none() {
        return Ok(response.json(views(items)));
    }
    let read = move |after| {
        let reading = read(Pagination::batch(BATCH, Some(after)));
        async move { reading.await.map(|Page { items, next, .. }| (views(items), next)) }
    };
    Ok(array::send(response, (views(items), next), read))
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use actix_web::body::to_bytes;
    use actix_web::test::TestRequest;

    use super::*;

    /// The response to a request for this page of a list of 1 to 1,200, and which pages of it were read.
    async fn sent(page: Pagination<u32>) -> (Vec<(String, String)>, Vec<u32>, Vec<Pagination<u32>>) {
        let pages = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&pages);
        let read = move |page: Pagination<u32>| {
            log.borrow_mut().push(page);
            let limit = page.limit.unwrap_or(u32::MAX);
            let (begin, end) = (page.after.unwrap_or(0), page.after.unwrap_or(0).saturating_add(limit).min(1_200));
            let total = if page.uncounted { 0 } else { 1_200 };
            let items = (begin + 1..=end).collect();
            async move { Ok(Page { items, total, next: (end < 1_200).then_some(end) }) }
        };
        let request = TestRequest::get().uri("/list?sort=up").to_http_request();
        let response = send::<u32, _, _, _>(&request, page, read).await.unwrap();
        let headers = response.headers().iter();
        let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
        let body = to_bytes(response.into_body()).await.unwrap();
        let pages = pages.borrow().clone();
        (headers, serde_json::from_slice(&body).unwrap(), pages)
    }

    fn header(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[actix_web::test]
    async fn a_whole_list_is_read_in_batches_and_counted_once() {
        let (headers, items, pages) = sent(Pagination::whole()).await;
        assert_eq!(items, (1..=1_200).collect::<Vec<u32>>());
        assert!(headers.contains(&header(TOTAL, "1200")), "{headers:?}");
        assert!(headers.contains(&header("content-type", "application/json")), "{headers:?}");
        assert!(headers.iter().all(|(name, _)| name != "link"), "{headers:?}");
        assert_eq!(
            pages,
            [Pagination::first(500), Pagination::batch(500, Some(500)), Pagination::batch(500, Some(1_000))]
        );
        // The rest of a list, which fits one batch.
        let (headers, items, pages) = sent(Pagination { after: Some(1_000), ..Pagination::whole() }).await;
        assert_eq!((items.len(), pages.len()), (200, 1));
        assert!(headers.contains(&header(TOTAL, "1200")), "{headers:?}");
    }

    #[actix_web::test]
    async fn a_page_is_read_at_once_and_names_the_next_one() {
        let (headers, items, pages) = sent(Pagination::first(700)).await;
        assert_eq!((items.len(), pages), (700, vec![Pagination::first(700)]));
        assert!(headers.contains(&header(TOTAL, "1200")), "{headers:?}");
        assert!(headers.contains(&header("link", "</list?sort=up&cursor=700>; rel=\"next\"")), "{headers:?}");
    }
}

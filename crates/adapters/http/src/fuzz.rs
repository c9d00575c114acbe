//! What strangers send, on its way through the parsers of this crate, each with what has to hold of whatever it accepts.
//!
//! For fuzzing only: every function panics if a promise is broken.

#![expect(clippy::missing_panics_doc, reason = "to panic is how each of them says that a promise is broken")]

use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use actix_web::FromRequest;
use actix_web::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, X_FORWARDED_FOR};
use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use futures_util::FutureExt;
use ipnet::IpNet;
use ports::{ProductCursor, TraceId};

use crate::baskets::quick_order;
use crate::catalog::images::upload;
use crate::catalog::products::filter::Filter;
use crate::catalog::products::{attributes, import};
use crate::extract::{self, Json};
use crate::middleware::client_address::behind_proxies;
use crate::middleware::idempotency::{self, KEY_MAX};
use crate::middleware::trace;
use crate::orders::place::NewOrder;
use crate::tax;
use crate::wire::csv::{self, Column, Table};
use crate::wire::cursor::ProductCursorToken;
use crate::wire::page::{PAGE_MAX, PageQuery};

/// The rows of a file of products: what is accepted is written and read again as it was.
pub fn products_file(file: &[u8]) {
    let columns = attributes::imported();
    let Some(table) = table(file, &columns) else { return };
    let semicolons = table.semicolons;
    for row in table.rows {
        let line = row.line;
        match import::details(row, semicolons) {
            Ok(details) => {
                assert!(details.price.money().cents() > 0, "line {line} has no price");
                assert!(!details.name.as_str().trim().is_empty(), "line {line} has no name");
            }
            Err(errors) => assert!(!errors.is_empty(), "line {line} is refused without a reason"),
        }
    }
}

/// The rows of a file of tax rates.
pub fn tax_rates_file(file: &[u8]) {
    let Some(table) = table(file, &tax::import::COLUMNS) else { return };
    for row in table.rows {
        let line = row.line;
        match tax::import::rate(row) {
            Ok(rate) => {
                let until = rate.valid.until();
                assert!(until.is_none_or(|until| rate.valid.from() < until), "line {line} ends before it begins");
            }
            Err(errors) => assert!(!errors.is_empty(), "line {line} is refused without a reason"),
        }
    }
}

/// A file as a table that keeps its own bounds.
fn table(file: &[u8], columns: &[Column]) -> Option<Table> {
    let table = csv::read(file, columns).ok()?;
    let breaks = file.iter().filter(|byte| matches!(byte, b'\r' | b'\n')).count();
    assert!(table.rows.len() <= csv::ROWS_MAX, "more rows than a file may have");
    let lines: Vec<u64> = table.rows.iter().map(|row| row.line).collect();
    assert!(lines.is_sorted_by(|one, next| one < next), "lines out of order: {lines:?}");
    assert!(lines.last().is_none_or(|last| *last <= breaks as u64 + 1), "a line after the last");
    assert!(table.rows.iter().all(|row| row.cells.len() == columns.len()), "a row with another number of cells");
    // A row whose other columns alone say something is written as a blank one.
    let first: Vec<_> =
        table.rows.iter().map(|row| row.cells.clone()).filter(|row| row.iter().any(Option::is_some)).collect();
    let header = columns.iter().map(|column| column.name.to_owned()).collect();
    let cells = first.iter().map(|row| row.iter().map(|cell| cell.clone().unwrap_or_default()).collect());
    let written = csv::written(std::iter::once(header).chain(cells));
    let again = csv::read(&written, columns).ok().map(|again| again.rows.into_iter().map(|row| row.cells).collect());
    assert_eq!(again, Some(first), "what was read is not what is read of it again");
    Some(table)
}

/// The query string of a list of products: the words, numbers, sizes, prices and cursors of a search.
pub fn product_query(query: &[u8]) {
    let Ok(query) = std::str::from_utf8(query) else { return };
    let Ok(page) = extract::parsed::<PageQuery>(query) else { return };
    let Ok(asked) = Filter::query(query, &page) else { return };
    assert!(asked.search.is_none_or(|search| (1..=200).contains(&search.chars().count())));
    assert!(asked.number.is_none_or(|number| (1..=100).contains(&number.chars().count())));
    assert!(asked.page.limit.is_none_or(|limit| (1..=PAGE_MAX).contains(&limit)));
    if let Some(after) = asked.page.after {
        assert!(after.key.fits(asked.sort), "a cursor of another order");
    }
}

/// A cursor: what is accepted is written as it was read.
pub fn cursor(token: &[u8]) {
    let Some(ProductCursorToken(read)) = std::str::from_utf8(token).ok().and_then(|token| token.parse().ok()) else {
        return;
    };
    let again: Option<ProductCursor> =
        ProductCursorToken(read.clone()).to_string().parse().ok().map(|ProductCursorToken(again)| again);
    assert_eq!(again, Some(read));
}

/// A file of part numbers, in whatever encoding: no text is longer than its bytes allow.
pub fn quick_order_file(file: &[u8]) {
    let text = quick_order::decoded(file);
    assert!(text.chars().count() <= file.len());
    if let Ok(lines) = domain::baskets::quick_order::read(&text) {
        assert!(lines.len() <= domain::QUICK_LINES_MAX);
        assert!(lines.iter().all(|line| line.text.chars().count() <= 201), "a line is shown in full");
        for reading in lines.iter().flat_map(|line| line.readings.iter().flatten()) {
            assert!(domain::PartKey::new(&reading.number).is_ok(), "{:?} has no key", reading.number);
        }
    }
}

/// A form with a picture: a boundary and its parts.
pub fn picture_form(body: &[u8]) {
    let request =
        TestRequest::default().insert_header((CONTENT_TYPE, "multipart/form-data; boundary=b")).to_http_request();
    let mut reading = pin!(upload::sent_picture(&request, Bytes::copy_from_slice(body)));
    let mut context = Context::from_waker(Waker::noop());
    // All of the body is there: whoever waits all the same waits for ever. The parser takes pieces of a part in turns.
    let read = (0..=body.len()).find_map(|_| match reading.as_mut().poll(&mut context) {
        Poll::Ready(read) => Some(read.map(|picture| picture.len())),
        Poll::Pending => None,
    });
    assert!(matches!(read, Some(Err(_) | Ok(0..=upload::PICTURE_MAX))), "{read:?}");
}

/// The JSON of an order.
pub fn order_body(body: &[u8]) {
    let Ok(sent) = extract::parse::<NewOrder>(body) else { return };
    assert!(std::str::from_utf8(body).is_ok(), "what is no UTF-8, and so no JSON, was read");
    if let Ok(order) = sent.parse(None, false) {
        assert!(!order.name.as_str().is_empty() && order.name.as_str().chars().count() <= 120);
    }
}

/// `X-Forwarded-For`, a line per line: without a trusted proxy nothing that is sent counts.
pub fn forwarded_for(lines: &[u8]) {
    let mut headers = HeaderMap::new();
    for line in lines.split(|byte| *byte == b'\n').take(32) {
        let Ok(value) = HeaderValue::from_bytes(line) else { return };
        headers.append(X_FORWARDED_FOR, value);
    }
    let proxy = IpAddr::from([10, 0, 0, 1]);
    assert_eq!(behind_proxies(proxy, &headers, &[]), proxy);
    let trusted = [IpNet::from(proxy)];
    let seen = behind_proxies(proxy, &headers, &trusted);
    assert_eq!(seen, seen.to_canonical(), "one address in two spellings");
}

/// `traceparent`: what is accepted is written as it was read.
pub fn traceparent(header: &[u8]) {
    let Some(header) = std::str::from_utf8(header).ok() else { return };
    let Some(trace) = trace::parsed(header) else { return };
    let TraceId(id) = trace.id;
    let caller = trace.caller.map(|caller| caller.id.get()).unwrap_or_default();
    assert!(header.trim().get(3..52).is_some_and(|ids| ids == format!("{id:032x}-{caller:016x}")), "{header}");
}

/// `Idempotency-Key`, and `Authorization` with the same bytes: bounded, and never with blanks around them.
pub fn headers(header: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(header) else { return };
    let request = TestRequest::default().insert_header(("idempotency-key", value.clone()));
    let request = request.insert_header((AUTHORIZATION, value)).to_srv_request();
    if let Some(Ok(key)) = idempotency::sent_key(&request) {
        assert!((1..=KEY_MAX).contains(&key.len()) && key == key.trim());
    }
    if let Some(token) = extract::bearer(request.request()) {
        assert!(!token.is_empty() && token == token.trim());
    }
}

/// JSON that is declared as something else is refused whatever it is.
pub fn media_type(header: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(header) else { return };
    let request = TestRequest::default().insert_header((CONTENT_TYPE, value)).to_http_request();
    let declared = extract::media_type(&request);
    let json = Json::<serde_json::Value>::extract(&request).now_or_never();
    if declared.is_none() {
        assert!(json.is_some_and(|json| json.is_err()), "a body without a media type was read");
    }
}

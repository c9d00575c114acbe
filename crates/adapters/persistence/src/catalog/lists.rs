//! Pages of products.

use diesel::pg::Pg;
use diesel::prelude::*;
use domain::{Product, fold};
use jiff_diesel::ToDiesel;
use ports::{Page, ProductCursor, ProductKey, ProductQuery, ProductSort, SortOrder};

use crate::catalog::conditions::selecting;
use crate::catalog::rows::ProductRow;
use crate::platform::decode::decode_all;
use crate::platform::page::{cut_page, limited, page_past_end};
use crate::schema::products;

type Filtered<'a> = products::BoxedQuery<'a, Pg>;

pub(crate) fn list(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Page<Product, ProductCursor>> {
    let matching = || products::table.filter(selecting(query, None)).into_boxed();
    let mut page = matching();
    let count = |connection: &mut PgConnection| matching().count().get_result(connection);
    if let Some(after) = &query.page.after {
        let Some(rest) = beyond(page, query.sort, after) else {
            return page_past_end(&query.page, || count(connection));
        };
        page = rest;
    }
    page = match query.sort {
        ProductSort::Newest => page.order((products::created_at.desc(), products::id.desc())),
        ProductSort::Price(SortOrder::Ascending) => page.order((products::price_cents.asc(), products::id.asc())),
        ProductSort::Price(SortOrder::Descending) => page.order((products::price_cents.desc(), products::id.desc())),
        ProductSort::Name => page.order((products::name_key.asc(), products::id.asc())),
    };
    let found = decode_all(limited(page, &query.page).select(ProductRow::as_select()).load(connection)?)?;
    cut_page(found, &query.page, |last| cursor(last, query.sort), || count(connection))
}

/// The cursor after `last`, the last product of a page.
fn cursor(last: &Product, sort: ProductSort) -> ProductCursor {
    let key = match sort {
        ProductSort::Newest => ProductKey::Added(last.created_at),
        ProductSort::Price(_) => ProductKey::Price(last.details.price),
        ProductSort::Name => ProductKey::Name(fold(last.details.name.as_str())),
    };
    ProductCursor { key, id: last.id, rank: 0 }
}

/// Only what comes after a cursor in the list's order; `None` if the cursor belongs to another order. An index can use
/// the bare bound on the first key.
fn beyond<'a>(page: Filtered<'a>, sort: ProductSort, after: &ProductCursor) -> Option<Filtered<'a>> {
    let id = after.id.uuid();
    Some(match (sort, &after.key) {
        (ProductSort::Newest, ProductKey::Added(at)) => {
            let at = at.to_diesel();
            page.filter(products::created_at.le(at)).filter(products::created_at.lt(at).or(products::id.lt(id)))
        }
        (ProductSort::Price(SortOrder::Ascending), ProductKey::Price(price)) => {
            let cents = price.money().cents();
            page.filter(products::price_cents.ge(cents)).filter(products::price_cents.gt(cents).or(products::id.gt(id)))
        }
        (ProductSort::Price(SortOrder::Descending), ProductKey::Price(price)) => {
            let cents = price.money().cents();
            page.filter(products::price_cents.le(cents)).filter(products::price_cents.lt(cents).or(products::id.lt(id)))
        }
        (ProductSort::Name, ProductKey::Name(name)) => page
            .filter(products::name_key.ge(name.clone()))
            .filter(products::name_key.gt(name.clone()).or(products::id.gt(id))),
        _ => return None,
    })
}

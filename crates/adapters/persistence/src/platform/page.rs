//! Pages of lists: one row more than the page is read, which shows whether there is a next page.

use diesel::prelude::*;
use diesel::query_dsl::methods::LimitDsl;
use ports::{Page, Pagination};

/// At most the rows of the requested page, and one more.
pub(crate) fn limited<Query, C>(query: Query, pagination: &Pagination<C>) -> Query
where
    Query: LimitDsl<Output = Query>,
{
    match pagination.limit {
        Some(limit) => query.limit(i64::from(limit) + 1),
        None => query,
    }
}

/// The requested page of rows that were read with [`limited`]. `cursor` is that of the page's last item, and `count`
/// counts the matches; it is called only if that takes a query.
pub(crate) fn cut_page<T, C>(
    mut items: Vec<T>,
    pagination: &Pagination<C>,
    cursor: impl FnOnce(&T) -> C,
    count: impl FnOnce() -> QueryResult<i64>,
) -> QueryResult<Page<T, C>> {
    let limit = pagination.limit.and_then(|limit| usize::try_from(limit).ok());
    let is_all = pagination.after.is_none() && limit.is_none_or(|limit| items.len() <= limit);
    let total = if is_all && !pagination.uncounted {
        u64::try_from(items.len()).unwrap_or(u64::MAX)
    } else {
        total(pagination, count)?
    };
    let next = match limit {
        Some(limit) if items.len() > limit => {
            items.truncate(limit);
            items.last().map(cursor)
        }
        _ => None,
    };
    // Of a search that is not counted to its end, the page itself may show more.
    let shown = u64::try_from(items.len()).unwrap_or(u64::MAX);
    let total = if pagination.uncounted { total } else { total.max(shown) };
    Ok(Page { items, total, next })
}

/// The page after a cursor that nothing comes after.
pub(crate) fn page_past_end<T, C>(
    pagination: &Pagination<C>,
    count: impl FnOnce() -> QueryResult<i64>,
) -> QueryResult<Page<T, C>> {
    Ok(Page::empty(total(pagination, count)?))
}

/// How many match, over all pages; 0 if nobody asks.
fn total<C>(pagination: &Pagination<C>, count: impl FnOnce() -> QueryResult<i64>) -> QueryResult<u64> {
    if pagination.uncounted {
        return Ok(0);
    }
    Ok(u64::try_from(count()?).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(found: u32, pagination: &Pagination<u32>) -> Page<u32, u32> {
        cut_page((1..=found).collect(), pagination, |last| *last, || Ok(40)).unwrap()
    }

    #[test]
    fn a_page_has_a_cursor_only_if_another_page_follows() {
        assert_eq!(cut(4, &Pagination::first(3)), Page { items: vec![1, 2, 3], total: 40, next: Some(3) });
        assert_eq!(cut(3, &Pagination::first(3)), Page { items: vec![1, 2, 3], total: 3, next: None });
        assert_eq!(cut(0, &Pagination::first(3)), Page { items: vec![], total: 0, next: None });
    }

    #[test]
    fn matches_are_counted_only_if_somebody_asks_and_the_rows_do_not_tell() {
        assert_eq!(cut(4, &Pagination::whole()).total, 4);
        assert_eq!(cut(4, &Pagination { after: Some(9), ..Pagination::whole() }).total, 40);
        assert_eq!(cut(3, &Pagination { after: Some(9), ..Pagination::first(3) }).total, 40);
        assert_eq!(cut(4, &Pagination::batch(3, None)), Page { items: vec![1, 2, 3], total: 0, next: Some(3) });
        assert_eq!(cut_page((1..=9).collect(), &Pagination::first(8), |last| *last, || Ok(4)).unwrap().total, 8);
        assert_eq!(page_past_end::<u32, u32>(&Pagination::first(3), || Ok(40)).unwrap(), Page::empty(40));
        assert_eq!(page_past_end::<u32, u32>(&Pagination::batch(3, Some(9)), || Ok(40)).unwrap(), Page::empty(0));
    }
}

//! Finding products by words and numbers.

use async_trait::async_trait;
use domain::{Money, ProductId, Timestamp, UnitPrice};
use ports::{
    Candidate, CatalogSearch, EngineError, Facets, Hit, NumberHits, Page, ProductCursor, ProductKey, ProductQuery,
    ProductSort, SortOrder, StoreError,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::{OpenSearch, lacks};
use crate::document::KeptNumber;
use crate::failed::Failed;
use crate::filters::{all, not, selecting};
use crate::ways::{First, MOST_OF_NUMBER, Way, product};

/// How many products are read at once of a list that is read whole; the engine allows ten thousand.
const AT_ONCE: usize = 1_000;

#[async_trait]
impl CatalogSearch for OpenSearch {
    async fn search(&self, query: &ProductQuery) -> Result<Page<Hit, ProductCursor>, StoreError> {
        Ok(self.find(query).await?)
    }

    async fn by_number(&self, number: &str) -> Result<Option<NumberHits>, StoreError> {
        Ok(self.numbered(number).await?)
    }

    async fn facets(&self, query: &ProductQuery) -> Result<Facets, StoreError> {
        Ok(self.count(query).await?)
    }

    /// The engine sorts and counts what it finds.
    async fn candidates(&self, _query: &ProductQuery) -> Result<Option<Vec<Candidate>>, StoreError> {
        Ok(None)
    }

    /// Fitments are in no document.
    async fn placed(&self, _part_types: &[String]) -> Result<Vec<Candidate>, StoreError> {
        Ok(Vec::new())
    }

    async fn forgives_slips(&self) -> Result<bool, StoreError> {
        Ok(true)
    }
}

/// A product of a page.
struct Found {
    id: Uuid,
    numbers: Vec<KeptNumber>,
    sort: Vec<Value>,
}

fn order(sort: ProductSort) -> Value {
    match sort {
        ProductSort::Newest => json!([{ "added": "desc" }, { "id": "desc" }]),
        ProductSort::Price(SortOrder::Ascending) => json!([{ "price": "asc" }, { "id": "asc" }]),
        ProductSort::Price(SortOrder::Descending) => json!([{ "price": "desc" }, { "id": "desc" }]),
        ProductSort::Name => json!([{ "name_key": "asc" }, { "id": "asc" }]),
    }
}

/// The sort values after which a page begins; `None` if the cursor belongs to another order.
fn place(sort: ProductSort, cursor: &ProductCursor) -> Option<Vec<Value>> {
    if !cursor.key.fits(sort) {
        return None;
    }
    let key = match &cursor.key {
        ProductKey::Added(at) => json!(at.as_microsecond()),
        ProductKey::Price(price) => json!(price.money().cents()),
        ProductKey::Name(name) => json!(name),
    };
    Some(vec![key, json!(cursor.id.uuid().to_string())])
}

impl Found {
    fn cursor(&self, sort: ProductSort) -> Result<ProductCursor, EngineError> {
        let value = self.sort.first();
        let number = || value.and_then(Value::as_i64);
        let key = match sort {
            ProductSort::Newest => number().and_then(|at| Timestamp::from_microsecond(at).ok()).map(ProductKey::Added),
            ProductSort::Price(_) => {
                let price = number().and_then(|cents| Money::from_cents(cents).ok());
                price.and_then(|price| UnitPrice::new(price).ok()).map(ProductKey::Price)
            }
            ProductSort::Name => value.and_then(Value::as_str).map(|name| ProductKey::Name(name.to_owned())),
        };
        Ok(ProductCursor { key: key.ok_or_else(|| lacks("sort value"))?, id: ProductId::new(self.id), rank: 0 })
    }
}

/// Products that match, from one place on.
struct Part {
    found: Vec<Found>,
    total: u64,
}

impl OpenSearch {
    async fn find(&self, query: &ProductQuery) -> Result<Page<Hit, ProductCursor>, Failed> {
        let Some(way) = self.way(query).await? else { return Ok(Page::empty(0)) };
        let after = match &query.page.after {
            None => None,
            Some(cursor) => match place(query.sort, cursor) {
                None => return Ok(Page::empty(0)),
                place => place,
            },
        };
        let limit = query.page.limit.map(|limit| limit as usize);
        let wanted = limit.map(|limit| limit + 1);
        let within = |part: Value| all(selecting(query, None).into_iter().chain([way.also.clone(), part]));
        let last = query.page.after.as_ref().map(|after| after.id.uuid());
        let is_beyond_first = last.is_some_and(|last| way.first.iter().all(|first| first.id != last));
        let mut found = Vec::new();
        let mut total = 0;
        if !way.first.is_empty() {
            let (after, wanted) = if is_beyond_first { (None, Some(0)) } else { (after.clone(), wanted) };
            let first = self.part(&within(way.is_first()), query.sort, after, wanted).await?;
            found = first.found;
            total = first.total;
        }
        let after = if is_beyond_first || way.first.is_empty() { after } else { None };
        let wanted = wanted.map(|wanted| wanted.saturating_sub(found.len()));
        let others = all([way.rest.clone(), not(&way.is_first())]);
        let others = self.part(&within(others), query.sort, after, wanted).await?;
        found.extend(others.found);
        total += others.total;
        let next = match limit {
            Some(limit) if found.len() > limit => {
                found.truncate(limit);
                found.last().map(|last| last.cursor(query.sort)).transpose()?
            }
            _ => None,
        };
        let items = found.iter().map(|found| hit(&way, found)).collect();
        Ok(Page { items, total: if query.page.uncounted { 0 } else { total }, next })
    }

    /// The products that match, in the order of a list, after a place; `wanted` of them, or all.
    async fn part(
        &self,
        filter: &Value,
        sort: ProductSort,
        mut after: Option<Vec<Value>>,
        wanted: Option<usize>,
    ) -> Result<Part, EngineError> {
        let mut part = Part { found: Vec::new(), total: 0 };
        loop {
            let missing = wanted.map_or(AT_ONCE, |wanted| wanted.saturating_sub(part.found.len()).min(AT_ONCE));
            let mut asked = json!({
                "size": missing,
                "query": filter,
                "sort": order(sort),
                "track_total_hits": true,
                "_source": ["no", "id", "numbers"],
            });
            if let Some(after) = after.take() {
                asked["search_after"] = Value::Array(after);
            }
            let answer = self.ask(asked).await?;
            part.total = answer["hits"]["total"]["value"].as_u64().ok_or_else(|| lacks("total"))?;
            let hits = answer["hits"]["hits"].as_array().ok_or_else(|| lacks("hits"))?;
            for hit in hits {
                let (_, id, numbers) = product(hit)?;
                let sort = hit["sort"].as_array().cloned().ok_or_else(|| lacks("sort values"))?;
                part.found.push(Found { id, numbers, sort });
            }
            let is_last = hits.len() < missing || wanted.is_some_and(|wanted| part.found.len() >= wanted);
            if missing == 0 || is_last {
                return Ok(part);
            }
            after = part.found.last().map(|last| last.sort.clone());
        }
    }

    /// The products that a number leads to, best first.
    async fn numbered(&self, number: &str) -> Result<Option<NumberHits>, Failed> {
        let query = ProductQuery { number: Some(number.to_owned()), ..ProductQuery::default() };
        let Some(way) = self.way(&query).await? else { return Ok(None) };
        let Some(nearly) = &way.nearly else {
            let tier = way.first.first().map_or(1, |first| first.tier);
            let hit = |first: &First| Hit { id: ProductId::new(first.id), via: first.via.clone() };
            return Ok(Some(NumberHits { tier, hits: way.first.iter().map(hit).collect() }));
        };
        let answer = self
            .ask(json!({
                "size": MOST_OF_NUMBER,
                "query": all(selecting(&query, None).into_iter().chain([way.found()])),
                "sort": [{ "no": "desc" }],
                "_source": ["no", "id", "numbers"],
            }))
            .await?;
        let mut hits = Vec::new();
        for found in answer["hits"]["hits"].as_array().ok_or_else(|| lacks("hits"))? {
            let (_, id, numbers) = product(found)?;
            hits.push(Hit { id: ProductId::new(id), via: nearly.via(&numbers) });
        }
        Ok(Some(NumberHits { tier: nearly.tier(), hits }))
    }
}

fn hit(way: &Way, found: &Found) -> Hit {
    let first = way.first.iter().find(|first| first.id == found.id).and_then(|first| first.via.clone());
    let near = || way.nearly.as_ref().and_then(|nearly| nearly.via(&found.numbers));
    Hit { id: ProductId::new(found.id), via: first.or_else(near) }
}

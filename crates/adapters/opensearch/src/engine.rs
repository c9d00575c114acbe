//! Filling indexes.

use std::collections::HashMap;
use std::fmt::Write as _;

use async_trait::async_trait;
use domain::Timestamp;
use ports::{Documents, EngineError, SearchDocument, SearchEngine};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Body, OpenSearch, lacks, unavailable};
use crate::document::{mapping, written};
use crate::names::{OURS, SERVED};

/// How many documents are compared one by one at a time.
const COMPARED: u32 = 10_000;

/// The alias through which an index is written: a write to an index that is gone would make one with fields of chance.
fn written_through(name: &str) -> String {
    format!("{name}-write")
}

#[derive(Debug, thiserror::Error)]
#[error("it has too much to do")]
struct Busy;

#[async_trait]
impl SearchEngine for OpenSearch {
    fn name(&self, made_at: Timestamp) -> String {
        format!("{SERVED}-{}", made_at.as_microsecond())
    }

    fn owns(&self, name: &str) -> bool {
        name.strip_prefix(SERVED).is_some_and(|rest| rest.starts_with('-'))
    }

    async fn create(&self, name: &str) -> Result<(), EngineError> {
        if self.exists(name).await? {
            return Ok(());
        }
        let index = json!({
            "aliases": { written_through(name): {} },
            "mappings": mapping(),
        });
        self.call(Method::PUT, name, Body::Json(index)).await.map(drop)
    }

    async fn exists(&self, name: &str) -> Result<bool, EngineError> {
        match self.call(Method::HEAD, name, Body::None).await {
            Ok(_) => Ok(true),
            Err(EngineError::Missing) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn serving(&self) -> Result<Option<String>, EngineError> {
        match self.call(Method::GET, &format!("_alias/{SERVED}"), Body::None).await {
            Ok(answer) => Ok(answer.as_object().and_then(|indexes| indexes.keys().next().cloned())),
            Err(EngineError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn write(&self, name: &str, asked: &[i32], documents: &Documents) -> Result<Vec<(i32, String)>, EngineError> {
        let version = documents.version;
        let mut lines = String::new();
        let mut found: HashMap<i32, &SearchDocument> =
            documents.found.iter().map(|document| (document.no, document)).collect();
        for no in asked {
            let at = json!({ "_id": no.to_string(), "version": version, "version_type": "external_gte" });
            // Writing to a text never fails.
            let _ = match found.remove(no) {
                Some(document) => writeln!(lines, "{}\n{}", json!({ "index": at }), written(document)),
                None => writeln!(lines, "{}", json!({ "delete": at })),
            };
        }
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let path = format!("{}/_bulk?require_alias=true", written_through(name));
        let answer = self.call(Method::POST, &path, Body::Lines(lines)).await?;
        let items = answer["items"].as_array().ok_or_else(|| lacks("items"))?;
        if items.len() != asked.len() {
            return Err(lacks("item for each document"));
        }
        let mut refused = Vec::new();
        for (no, item) in asked.iter().zip(items) {
            let item = item.get("index").or_else(|| item.get("delete")).unwrap_or(&Value::Null);
            let error = item["error"]["type"].as_str().unwrap_or_default();
            match item["status"].as_u64().ok_or_else(|| lacks("status"))? {
                // What is there is of a later moment.
                200..=299 | 409 => {}
                404 if error.is_empty() => {}
                404 => return Err(EngineError::Missing),
                429 | 500.. => return Err(unavailable(Busy)),
                _ => refused.push((*no, item["error"]["reason"].as_str().unwrap_or(error).chars().take(200).collect())),
            }
        }
        Ok(refused)
    }

    async fn differing(
        &self,
        name: &str,
        from: i32,
        to: i32,
        documents: &[SearchDocument],
    ) -> Result<Vec<i32>, EngineError> {
        let expected: HashMap<i64, u64> = documents
            .iter()
            .map(|one| (i64::from(one.no), written(one)["digest"].as_u64().unwrap_or_default()))
            .collect();
        let within = json!({ "range": { "no": { "gte": from, "lte": to } } });
        // The sum of a thousand first: most often they are the same.
        let summed = json!({
            "size": 0, "track_total_hits": true, "query": within,
            "aggs": { "digests": { "sum": { "field": "digest" } } },
        });
        let answer = self.call(Method::POST, &format!("{name}/_search"), Body::Json(summed)).await?;
        let count = answer["hits"]["total"]["value"].as_u64().ok_or_else(|| lacks("total"))?;
        let sum = answer["aggregations"]["digests"]["value"].as_f64().ok_or_else(|| lacks("sum"))?;
        #[expect(clippy::cast_precision_loss, reason = "a thousand times 32 bits")]
        let expected_sum = expected.values().sum::<u64>() as f64;
        if count == expected.len() as u64 && (sum - expected_sum).abs() < 0.5 {
            return Ok(Vec::new());
        }
        let each = json!({ "size": COMPARED, "query": within, "_source": ["no", "digest"] });
        let answer = self.call(Method::POST, &format!("{name}/_search"), Body::Json(each)).await?;
        let hits = answer["hits"]["hits"].as_array().ok_or_else(|| lacks("hits"))?;
        let mut missing = expected;
        let mut differing = Vec::new();
        for hit in hits {
            let no = hit["_source"]["no"].as_i64().ok_or_else(|| lacks("number"))?;
            if missing.remove(&no) != hit["_source"]["digest"].as_u64() {
                differing.push(no);
            }
        }
        differing.extend(missing.into_keys());
        differing.sort_unstable();
        Ok(differing.into_iter().filter_map(|no| i32::try_from(no).ok()).collect())
    }

    async fn serve(&self, name: &str) -> Result<(), EngineError> {
        self.call(Method::POST, &format!("{name}/_refresh"), Body::None).await?;
        let actions = json!({ "actions": [
            { "remove": { "index": format!("{SERVED}-*"), "alias": SERVED, "must_exist": false } },
            { "add": { "index": name, "alias": SERVED } },
        ]});
        self.call(Method::POST, "_aliases", Body::Json(actions)).await.map(drop)
    }

    async fn keep_only(&self, names: &[String]) -> Result<(), EngineError> {
        let found = match self.call(Method::GET, &format!("{OURS}*/_alias"), Body::None).await {
            Err(EngineError::Missing) => return Ok(()),
            found => found?,
        };
        let all = found.as_object().ok_or_else(|| lacks("indexes"))?;
        for name in all.keys().filter(|name| name.starts_with(OURS) && !names.contains(name)) {
            match self.call(Method::DELETE, name, Body::None).await {
                Ok(_) | Err(EngineError::Missing) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

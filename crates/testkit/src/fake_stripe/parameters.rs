//! Parameters that several endpoints have in common.

use serde_json::{Map, Value, json};

use super::form::Form;
use super::refusal::Refusal;

/// Refuses parameters that an endpoint does not know.
pub(super) fn only(form: &Form, known: &[&str]) -> Result<(), Refusal> {
    form.names().find(|name| !known.contains(name)).map_or(Ok(()), |name| Err(Refusal::unknown(name)))
}

/// A page of a list whose items come newest first.
pub(super) fn page(form: &Form, url: &str, items: &[Value]) -> Result<Value, Refusal> {
    let limit = match form.text("limit").map(str::parse) {
        None => 10,
        Some(Ok(limit @ 1..=100)) => limit,
        Some(_) => return Err(Refusal::invalid("The limit must be an integer from 1 to 100.").about("limit")),
    };
    let place = |param: &str| match form.text(param) {
        None => Ok(None),
        Some(id) => match items.iter().position(|item| item["id"] == id) {
            Some(place) => Ok(Some(place)),
            None => Err(Refusal::no_such("object", id, param)),
        },
    };
    let (after, before) = (place("starting_after")?, place("ending_before")?);
    let (data, has_more) = if let Some(before) = before {
        let first = before.saturating_sub(limit);
        (&items[first..before], first > 0)
    } else {
        let first = after.map_or(0, |after| after + 1);
        let end = usize::min(first + limit, items.len());
        (&items[first..end], end < items.len())
    };
    Ok(json!({"object": "list", "url": url, "has_more": has_more, "data": data}))
}

/// The sent metadata, merged into the existing: an empty value removes a key, an empty `metadata` removes all.
pub(super) fn metadata(form: &Form, before: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
    const MOST: usize = 50;
    let about = |message: &str| Refusal::invalid(message).about("metadata");
    if form.text("metadata") == Some("") {
        return Ok(Map::new());
    }
    if form.text("metadata").is_some() {
        return Err(about("Invalid hash"));
    }
    let mut metadata = before.clone();
    let Some(given) = form.parts("metadata") else { return Ok(metadata) };
    if given.names().count() != given.texts().count() {
        return Err(about("Metadata values must be strings."));
    }
    for (name, value) in given.texts() {
        if name.chars().count() > 40 {
            return Err(about("Metadata keys can have up to 40 characters."));
        }
        if value.chars().count() > 500 {
            return Err(about("Metadata values can have up to 500 characters."));
        }
        if value.is_empty() {
            metadata.remove(name);
        } else {
            metadata.insert(name.to_owned(), json!(value));
        }
    }
    if metadata.len() > MOST {
        return Err(about("You can have up to 50 metadata keys."));
    }
    Ok(metadata)
}

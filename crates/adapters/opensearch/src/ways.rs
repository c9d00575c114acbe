//! How a search is answered: by those that have the number, by words, by words with slips.

use domain::{AskedNumber, NumberKind, PartKey, SearchWords, Timestamp, Via, WantedWord, WordForm};
use ports::{EngineError, ProductQuery};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::{OpenSearch, lacks};
use crate::document::{KeptNumber, pair};
use crate::failed::Failed;
use crate::filters::{all, any, archived, one_of, selecting};

/// How many products a number leads to at most.
pub(crate) const MOST_OF_NUMBER: usize = 100;
/// How many products are looked at for that; several brands may use the same number, but not so many.
const LOOKED_AT: usize = 1_000;

/// A product that a number leads to.
#[derive(Debug, Clone)]
pub(crate) struct First {
    pub(crate) no: i32,
    pub(crate) id: Uuid,
    pub(crate) tier: u8,
    pub(crate) via: Option<Via>,
}

/// How a number may match that none has exactly.
#[derive(Debug, Clone)]
pub(crate) enum Nearly {
    Begins(String),
    Misread(String),
    Close(String),
}

impl Nearly {
    /// The ways in which others may match, best first.
    fn all(key: &PartKey) -> Vec<Self> {
        let whole = key.as_str();
        let mut ways = Vec::new();
        if whole.len() >= 3 {
            ways.push(Self::Begins(whole.to_owned()));
            ways.extend(Some(key.loose()).filter(|loose| !loose.is_empty()).map(Self::Misread));
        }
        if whole.len() >= 4 {
            ways.push(Self::Close(whole.to_owned()));
        }
        ways
    }

    pub(crate) const fn tier(&self) -> u8 {
        match self {
            Self::Begins(_) => 5,
            Self::Misread(_) => 6,
            Self::Close(_) => 7,
        }
    }

    fn filter(&self) -> Value {
        match self {
            Self::Begins(key) => json!({ "prefix": { "own_keys": { "value": key } } }),
            Self::Misread(loose) => json!({ "term": { "loose_keys": loose } }),
            Self::Close(key) => json!({ "fuzzy": { "own_keys": { "value": key, "fuzziness": slips(key) } } }),
        }
    }

    fn matches(&self, number: &KeptNumber) -> bool {
        match self {
            Self::Begins(key) => number.key.starts_with(key),
            Self::Misread(loose) => number.loose == *loose,
            Self::Close(key) => strsim::osa_distance(&number.key, key) <= slips(key),
        }
    }

    /// Why a product was found.
    pub(crate) fn via(&self, numbers: &[KeptNumber]) -> Option<Via> {
        // They are kept by kind and as they are printed.
        let number = numbers.iter().find(|number| number.is_near() && self.matches(number))?;
        via(self.tier(), number)
    }
}

/// One wrong sign in eight.
const fn slips(key: &str) -> usize {
    if key.len() >= 16 { 2 } else { 1 }
}

fn via(tier: u8, number: &KeptNumber) -> Option<Via> {
    let since = number.since.and_then(|since| Timestamp::from_microsecond(since).ok());
    Via::of(tier, NumberKind::from_code(number.kind)?, &number.shown, number.brand.as_deref(), since)
}

/// How a query is answered.
pub(crate) struct Way {
    /// Products that come first, and why.
    pub(crate) first: Vec<First>,
    /// All that match, beside those that come first.
    pub(crate) rest: Value,
    /// What all of them have to meet as well.
    pub(crate) also: Value,
    /// How other products were found by a number.
    pub(crate) nearly: Option<Nearly>,
}

impl Way {
    pub(crate) fn is_first(&self) -> Value {
        one_of("no", &self.first.iter().map(|first| first.no).collect::<Vec<_>>())
    }

    /// What it finds, before the query's filters.
    pub(crate) fn found(&self) -> Value {
        all([self.also.clone(), any([self.is_first(), self.rest.clone()])])
    }

    fn filter(&self, query: &ProductQuery) -> Value {
        all(selecting(query, None).into_iter().chain([self.found()]))
    }
}

fn everything() -> Value {
    json!({ "match_all": {} })
}

/// A text in which a wildcard query finds nothing special.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(sign, '*' | '?' | '\\') {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}

fn in_text(pattern: &str) -> Value {
    json!({ "wildcard": { "text": { "value": pattern } } })
}

fn form(form: &WordForm) -> Value {
    match form {
        WordForm::Begins(word) => in_text(&format!("* {}*", escaped(word))),
        WordForm::Anywhere(word) => in_text(&format!("*{}*", escaped(word))),
    }
}

fn any_form(forms: &[WordForm]) -> Value {
    any(forms.iter().map(form))
}

fn wanted(word: &WantedWord, forgiving: bool) -> Value {
    let mut ways: Vec<Value> = word.forms().iter().map(form).collect();
    ways.extend(word.others().iter().map(|words| all(words.iter().map(|forms| any_form(forms)))));
    if let Some(word) = word.with_slips().filter(|_| forgiving) {
        ways.push(json!({ "fuzzy": { "words": { "value": word, "fuzziness": "AUTO" } } }));
    }
    any(ways)
}

/// Products with all words. The whole phrase is enough, wherever it stands.
fn with_words(words: &SearchWords, forgiving: bool) -> Value {
    if words.phrase() == Some("") {
        return everything();
    }
    let each = all(words.wanted().iter().map(|word| wanted(word, forgiving)));
    let phrase = words.phrase().map(|phrase| in_text(&format!("*{}*", escaped(phrase))));
    any(phrase.into_iter().chain([each]))
}

impl OpenSearch {
    /// What a query's words or number find, before its filters. `None` if nothing can match.
    pub(crate) async fn found(&self, query: &ProductQuery) -> Result<Option<Value>, Failed> {
        if !query.has_words() {
            return Ok(Some(everything()));
        }
        Ok(self.way(query).await?.map(|way| way.found()))
    }

    /// How a query with words or a number is answered: by those that have the number, by words, by words with slips; or if only a
    /// number is asked for, by the first way that finds any.
    pub(crate) async fn way(&self, query: &ProductQuery) -> Result<Option<Way>, Failed> {
        if let Some(number) = &query.number {
            return self.way_of_number(query, number).await;
        }
        let search = query.search.as_deref().unwrap_or_default();
        if !SearchWords::can_match(search) {
            return Ok(None);
        }
        let is_number = PartKey::new(search).is_ok_and(|key| key.is_number());
        let first = if is_number { self.exactly(search, query).await? } else { Vec::new() };
        let words = self.words(search).await?;
        let strict = Way { first, rest: with_words(&words, false), also: everything(), nearly: None };
        if strict.first.is_empty() && words.may_have_slips() && !self.any(&strict.filter(query)).await? {
            return Ok(Some(Way { rest: with_words(&words, true), ..strict }));
        }
        Ok(Some(strict))
    }

    async fn way_of_number(&self, query: &ProductQuery, number: &str) -> Result<Option<Way>, Failed> {
        let also = match &query.search {
            Some(search) if !SearchWords::can_match(search) => return Ok(None),
            Some(search) => with_words(&self.words(search).await?, false),
            None => everything(),
        };
        let Ok(key) = PartKey::new(number) else { return Ok(None) };
        let first = self.exactly(number, query).await?;
        let exact = Way { first, rest: any([]), also: also.clone(), nearly: None };
        if !exact.first.is_empty() && self.any(&exact.filter(query)).await? {
            return Ok(Some(exact));
        }
        for nearly in Nearly::all(&key) {
            let (rest, also) = (nearly.filter(), also.clone());
            let way = Way { first: Vec::new(), rest, also, nearly: Some(nearly) };
            if self.any(&way.filter(query)).await? {
                return Ok(Some(way));
            }
        }
        Ok(None)
    }

    /// The words of a search, with the synonyms that the shop knows now.
    async fn words(&self, search: &str) -> Result<SearchWords, Failed> {
        let asked = SearchWords::synonyms_asked(search);
        let mut known = self.parts.synonyms().await.map_err(Failed::Store)?;
        known.sort_unstable_by_key(|synonym| synonym.id);
        let pairs = known.into_iter().map(|synonym| (synonym.word.into_string(), synonym.means.into_string()));
        Ok(SearchWords::new(search, pairs.filter(|(word, _)| asked.contains(word))))
    }

    /// The products that have a number, as somebody wrote it, perhaps after the brand's name; best first.
    async fn exactly(&self, written: &str, query: &ProductQuery) -> Result<Vec<First>, EngineError> {
        let Some(asked) = AskedNumber::new(written) else { return Ok(Vec::new()) };
        let branded: Vec<String> = asked.branded.iter().map(|(brand, key)| pair(brand, key)).collect();
        let has = any([one_of("keys", &asked.keys), one_of("branded_keys", &branded)]);
        let is_asked = |number: &&KeptNumber| {
            asked.keys.contains(&number.key)
                || number.brand_key.as_deref().is_some_and(|brand| branded.contains(&pair(brand, &number.key)))
        };
        let answer = self
            .ask(json!({
                "size": LOOKED_AT,
                "query": all([archived(query), has]),
                "sort": [{ "no": "desc" }],
                "_source": ["no", "id", "numbers"],
            }))
            .await?;
        let mut found = Vec::new();
        for hit in answer["hits"]["hits"].as_array().ok_or_else(|| lacks("hits"))? {
            let (no, id, numbers) = product(hit)?;
            let best = numbers.iter().filter(is_asked).min_by(|one, other| rank(one).cmp(&rank(other)));
            let best = best.ok_or_else(|| lacks("number that was asked for"))?;
            found.push(First { no, id, tier: best.tier, via: via(best.tier, best) });
        }
        found.sort_by_key(|first| (first.tier, std::cmp::Reverse(first.no)));
        found.truncate(MOST_OF_NUMBER);
        Ok(found)
    }

    async fn any(&self, filter: &Value) -> Result<bool, EngineError> {
        let asked = json!({ "size": 0, "query": filter, "track_total_hits": 1 });
        let answer = self.ask(asked).await?;
        let total = answer["hits"]["total"]["value"].as_u64().ok_or_else(|| lacks("total"))?;
        Ok(total > 0)
    }
}

fn rank(number: &KeptNumber) -> (u8, u8, i16, &str) {
    (number.tier, number.steps, number.kind, &number.shown)
}

/// Number, id and numbers of a product that was found.
pub(crate) fn product(hit: &Value) -> Result<(i32, Uuid, Vec<KeptNumber>), EngineError> {
    let source = &hit["_source"];
    let no = source["no"].as_i64().and_then(|no| i32::try_from(no).ok()).ok_or_else(|| lacks("number"))?;
    let id = source["id"].as_str().and_then(|id| id.parse().ok()).ok_or_else(|| lacks("id"))?;
    let numbers = source.get("numbers").cloned().unwrap_or_else(|| json!([]));
    Ok((no, id, serde_json::from_value(numbers).map_err(crate::client::invalid)?))
}

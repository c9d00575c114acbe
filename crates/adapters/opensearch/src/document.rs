//! Documents as the engine gets them, and the fields by which they are found.

use domain::tier_of;
use ports::{DocumentAttribute, DocumentNumber, DocumentValue, Named, SearchDocument};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Between the parts of a term; it is in none of them.
const BETWEEN: char = '\u{1}';

/// The fields of an index. `dynamic` is strict, so that a field that is not here is a defect that shows at once.
pub(crate) fn mapping() -> Value {
    let keyword = || json!({ "type": "keyword" });
    let long = || json!({ "type": "long" });
    // Only read back.
    let kept = || json!({ "type": "object", "enabled": false });
    json!({ "dynamic": "strict", "properties": {
        "no": { "type": "integer" },
        "id": keyword(),
        "archived": { "type": "boolean" },
        "category": keyword(),
        "brand": keyword(),
        "brand_key": keyword(),
        "part_type": keyword(),
        "part_type_key": keyword(),
        "part_type_id": keyword(),
        "price": long(),
        "in_stock": { "type": "boolean" },
        "added": long(),
        "name_key": keyword(),
        "text": { "type": "wildcard" },
        "words": keyword(),
        "keys": keyword(),
        "branded_keys": keyword(),
        "own_keys": keyword(),
        "loose_keys": keyword(),
        "numbers": kept(),
        "values": keyword(),
        "facts": keyword(),
        "measures": { "type": "nested", "properties": { "name": keyword(), "number": long() } },
        "digest": long(),
    }})
}

/// A number, as it is read back from a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptNumber {
    pub(crate) tier: u8,
    pub(crate) steps: u8,
    pub(crate) kind: i16,
    pub(crate) key: String,
    pub(crate) loose: String,
    pub(crate) shown: String,
    pub(crate) brand: Option<String>,
    pub(crate) brand_key: Option<String>,
    /// Microseconds of Unix time.
    pub(crate) since: Option<i64>,
}

impl From<&DocumentNumber> for KeptNumber {
    fn from(number: &DocumentNumber) -> Self {
        let is_own = number.steps == 0;
        let is_superseded = number.kind == domain::NumberKind::Superseded;
        let loose = domain::PartKey::new(&number.key).map(|key| key.loose()).unwrap_or_default();
        Self {
            // By the number of a part that it replaces.
            tier: if is_own { tier_of(number.kind) } else { 3 },
            steps: number.steps,
            kind: if is_own { number.kind.code() } else { domain::NumberKind::Superseded.code() },
            key: number.key.clone(),
            loose,
            shown: number.shown.clone(),
            brand: number.brand.as_ref().map(|brand| brand.name.clone()),
            brand_key: number.brand.as_ref().map(|brand| brand.key.clone()),
            since: (is_own || is_superseded).then(|| number.since.as_microsecond()),
        }
    }
}

impl KeptNumber {
    /// Whether it is one of the product's own that prefixes and slips may find.
    pub(crate) fn is_near(&self) -> bool {
        self.steps == 0 && self.kind != domain::NumberKind::Supplier.code()
    }
}

/// A value of an attribute, as facets count it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fact(
    /// The attribute's folded name, its name and the unit of its numbers.
    pub(crate) String,
    pub(crate) String,
    pub(crate) Option<String>,
    /// A number, or folded words and the words, or yes and no.
    pub(crate) Option<i64>,
    pub(crate) Option<(String, String)>,
    pub(crate) Option<bool>,
);

/// A name behind its key: so they sort by the key.
pub(crate) fn pair(key: &str, name: &str) -> String {
    format!("{key}{BETWEEN}{name}")
}

/// The name of a [`pair`].
pub(crate) fn name_of(pair: &str) -> &str {
    pair.split_once(BETWEEN).map_or(pair, |(_, name)| name)
}

fn named(named: &Named) -> String {
    pair(&named.key, &named.name)
}

/// The term of an attribute's value. `kind` is `n` of a number in thousandths, `w` of folded words, `f` of yes and no.
pub(crate) fn value_term(name_key: &str, kind: char, value: &str) -> String {
    format!("{name_key}{BETWEEN}{kind}{value}")
}

fn term(attribute: &DocumentAttribute) -> String {
    let name = &attribute.name.key;
    match &attribute.value {
        DocumentValue::Number(number) => value_term(name, 'n', &number.to_string()),
        DocumentValue::Words(words) => value_term(name, 'w', &words.key),
        DocumentValue::Flag(flag) => value_term(name, 'f', &flag.to_string()),
    }
}

fn fact(attribute: &DocumentAttribute) -> String {
    let (mut number, mut words, mut flag) = (None, None, None);
    match &attribute.value {
        DocumentValue::Number(value) => number = Some(*value),
        DocumentValue::Words(value) => words = Some((value.key.clone(), value.name.clone())),
        DocumentValue::Flag(value) => flag = Some(*value),
    }
    let Named { name, key } = attribute.name.clone();
    json!(Fact(key, name, attribute.unit.clone(), number, words, flag)).to_string()
}

/// A document as it is written, with the digest by which it is compared.
pub(crate) fn written(document: &SearchDocument) -> Value {
    let numbers: Vec<KeptNumber> = document.numbers.iter().map(KeptNumber::from).collect();
    let near = || numbers.iter().filter(|number| number.is_near());
    let branded = |number: &KeptNumber| Some(pair(number.brand_key.as_deref()?, &number.key));
    let measure = |attribute: &DocumentAttribute| match attribute.value {
        DocumentValue::Number(number) => Some(json!({ "name": attribute.name.key, "number": number })),
        _ => None,
    };
    let mut words: Vec<&str> = document.words.split_whitespace().collect();
    words.sort_unstable();
    words.dedup();
    let mut json = json!({
        "no": document.no,
        "id": document.id.uuid().to_string(),
        "archived": document.archived,
        "category": document.category.as_str(),
        "brand": document.brand.as_ref().map(named),
        "brand_key": document.brand.as_ref().map(|brand| &brand.key),
        "part_type": document.part_type.as_ref().map(|(_, part_type)| named(part_type)),
        "part_type_key": document.part_type.as_ref().map(|(_, part_type)| &part_type.key),
        "part_type_id": document.part_type.as_ref().map(|(id, _)| id.to_string()),
        "price": document.price,
        "in_stock": document.in_stock,
        "added": document.added.as_microsecond(),
        "name_key": document.name_key,
        "text": document.words,
        "words": words,
        "keys": numbers.iter().map(|number| &number.key).collect::<Vec<_>>(),
        "branded_keys": numbers.iter().filter_map(branded).collect::<Vec<_>>(),
        "own_keys": near().map(|number| &number.key).collect::<Vec<_>>(),
        "loose_keys": near().map(|number| &number.loose).collect::<Vec<_>>(),
        "numbers": numbers,
        "values": document.attributes.iter().map(term).collect::<Vec<_>>(),
        "facts": document.attributes.iter().map(fact).collect::<Vec<_>>(),
        "measures": document.attributes.iter().filter_map(measure).collect::<Vec<_>>(),
    });
    json["digest"] = digest(&json).into();
    json
}

/// 32 bits of a digest: the sum of a thousand is exact in a double.
fn digest(json: &Value) -> u32 {
    let digest = Sha256::digest(json.to_string());
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

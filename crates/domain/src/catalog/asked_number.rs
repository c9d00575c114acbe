//! What somebody may mean who types a number, and why a product is found by it.

use crate::{Gtin, NumberKind, PartKey, Timestamp, Via, fold};

/// How many words the name of a brand before its number may have.
const MOST_BRAND_WORDS: usize = 3;

/// A number as somebody typed it, perhaps after the name of its brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedNumber {
    /// What all of it is compared by.
    pub key: PartKey,
    /// The keys that it may have: its own, and that of a GTIN.
    pub keys: Vec<String>,
    /// A brand's folded name and the key of the rest, for each way to tell them apart.
    pub branded: Vec<(String, String)>,
}

impl AskedNumber {
    /// Reads a number; `None` if it has no key.
    #[must_use]
    pub fn new(written: &str) -> Option<Self> {
        let key = PartKey::new(written).ok()?;
        let mut keys = vec![key.as_str().to_owned()];
        keys.extend(written.parse::<Gtin>().ok().map(|gtin| gtin.as_str().to_owned()));
        let words: Vec<&str> = written.split_whitespace().collect();
        let mut branded = Vec::new();
        for count in 1..words.len().min(MOST_BRAND_WORDS + 1) {
            let (brand, number) = words.split_at(count);
            if let Ok(key) = PartKey::new(&number.join(" ")) {
                branded.push((fold(&brand.join(" ")), key.as_str().to_owned()));
            }
        }
        Some(Self { key, keys, branded })
    }
}

/// How well a number matches a product: 1 its own, 2 GTIN, 3 of a part that it replaces, 4 another's.
#[must_use]
pub const fn tier_of(kind: NumberKind) -> u8 {
    match kind {
        NumberKind::Own => 1,
        NumberKind::Gtin => 2,
        NumberKind::Superseded => 3,
        NumberKind::Oe | NumberKind::Competitor | NumberKind::Supplier => 4,
    }
}

impl Via {
    /// Why a product was found by one of its numbers, or of a part that it replaces; `None` for its own.
    #[must_use]
    pub fn of(tier: u8, kind: NumberKind, shown: &str, brand: Option<&str>, since: Option<Timestamp>) -> Option<Self> {
        let number = shown.to_owned();
        match (tier, kind) {
            (2, _) => Some(Self::Gtin(number)),
            (3, _) => Some(Self::Replaces(number, since)),
            (4, NumberKind::Supplier) => Some(Self::Supplier(number)),
            (4, _) => Some(Self::SameAs(brand.map_or(number, |brand| format!("{brand} {shown}")))),
            (5, _) => Some(Self::Begins(number)),
            (6, _) => Some(Self::Misread(number)),
            (7, _) => Some(Self::Close(number)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_follow_its_brand_and_be_a_gtin() {
        let asked = AskedNumber::new("Mann Filter W 712").unwrap();
        assert_eq!(asked.keys, ["MANNFILTERW712"]);
        let pair = |brand: &str, key: &str| (brand.to_owned(), key.to_owned());
        let all = [pair("mann", "FILTERW712"), pair("mann filter", "W712"), pair("mann filter w", "712")];
        assert_eq!(asked.branded, all);
        assert_eq!(AskedNumber::new("036000291452").unwrap().keys, ["036000291452", "0036000291452"]);
        assert_eq!(AskedNumber::new(" - "), None);
    }

    #[test]
    fn each_kind_has_a_tier_and_a_reason_of_its_own() {
        let via = |kind| Via::of(tier_of(kind), kind, "X 1", Some("VW"), None).map(|via| via.to_string());
        let all: Vec<_> = NumberKind::ALL.into_iter().map(via).collect();
        let some = |text: &str| Some(text.to_owned());
        let interchange = some("same as VW X 1");
        assert_eq!(
            all,
            [
                None,
                some("GTIN X 1"),
                interchange.clone(),
                interchange,
                some("replaces X 1"),
                some("supplier's number X 1")
            ]
        );
        // What only resembles a number is no kind's own.
        let resembling = [5, 6, 7, 8].map(|tier| Via::of(tier, NumberKind::ALL[0], "X 1", None, None));
        let resembling = resembling.map(|via| via.map(|via| via.to_string()));
        let said = ["number begins with X 1", "perhaps you meant X 1", "close to X 1"].map(some);
        assert_eq!(resembling.as_slice(), [said.as_slice(), &[None]].concat());
    }
}

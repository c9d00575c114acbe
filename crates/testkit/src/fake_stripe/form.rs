//! `metadata[order]=7&expand[]=latest_charge&types[0]=card`: Stripe's form encoding of parameters.

use std::collections::BTreeMap;

use url::form_urlencoded;

/// How deep names may nest; Stripe's own go to five or so.
const DEPTH: usize = 10;

/// The value of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Field {
    Text(String),
    /// Lists are maps too, keyed by their indexes.
    Parts(Form),
}

/// A form with its nested names parsed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Form(BTreeMap<String, Field>);

impl Form {
    /// `None` if a name nests too deep, is not closed, or has both a text and nested names.
    pub(super) fn parse(encoded: &[u8]) -> Option<Self> {
        let mut form = Self::default();
        for (name, value) in form_urlencoded::parse(encoded) {
            let path = path(&name)?;
            form.put(&path, value.into_owned())?;
        }
        Some(form)
    }

    fn put(&mut self, path: &[&str], value: String) -> Option<()> {
        let (name, rest) = path.split_first()?;
        let name = if name.is_empty() { self.0.len().to_string() } else { (*name).to_owned() };
        if rest.is_empty() {
            return match self.0.insert(name, Field::Text(value)) {
                Some(Field::Parts(_)) => None,
                Some(Field::Text(_)) | None => Some(()),
            };
        }
        match self.0.entry(name).or_insert_with(|| Field::Parts(Self::default())) {
            Field::Parts(parts) => parts.put(rest, value),
            Field::Text(_) => None,
        }
    }

    /// Merges two forms; `other` wins.
    pub(super) fn with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name) {
            Some(Field::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn parts(&self, name: &str) -> Option<&Self> {
        match self.0.get(name) {
            Some(Field::Parts(parts)) => Some(parts),
            _ => None,
        }
    }

    /// All texts by their names; nested values are skipped.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, value)| match value {
            Field::Text(text) => Some((name.as_str(), text.as_str())),
            Field::Parts(_) => None,
        })
    }

    /// A list's texts in order.
    pub(super) fn list(&self, name: &str) -> Vec<&str> {
        let Some(parts) = self.parts(name) else { return Vec::new() };
        let mut items: Vec<(usize, &str)> =
            parts.texts().map(|(index, text)| (index.parse().unwrap_or(usize::MAX), text)).collect();
        items.sort_by_key(|(index, _)| *index);
        items.into_iter().map(|(_, text)| text).collect()
    }
}

/// `a[b][c]` as `a`, `b`, `c`.
fn path(name: &str) -> Option<Vec<&str>> {
    let Some((first, rest)) = name.split_once('[') else { return Some(vec![name]) };
    let rest = rest.strip_suffix(']')?;
    let path: Vec<&str> = std::iter::once(first).chain(rest.split("][")).collect();
    let sound = path.iter().all(|part| !part.contains(['[', ']']));
    (sound && path.len() <= DEPTH).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(encoded: &str) -> Option<Form> {
        Form::parse(encoded.as_bytes())
    }

    #[test]
    fn nested_names_lists_and_escapes_are_parsed() {
        let form =
            parse("amount=50&metadata%5Border%5D=a%26b+c&expand[]=x&expand[]=y&types[10]=z&types[9]=w&a[b][c]=d")
                .unwrap();
        assert_eq!(form.text("amount"), Some("50"));
        assert_eq!(form.parts("metadata").unwrap().text("order"), Some("a&b c"));
        assert_eq!(form.list("expand"), ["x", "y"]);
        assert_eq!(form.list("types"), ["w", "z"]);
        assert_eq!(form.parts("a").unwrap().parts("b").unwrap().text("c"), Some("d"));
        assert_eq!(form.text("metadata"), None);
        assert_eq!(form.names().collect::<Vec<_>>(), ["a", "amount", "expand", "metadata", "types"]);
    }

    #[test]
    fn a_name_with_text_and_nested_names_or_without_an_end_is_refused() {
        for wrong in ["a=1&a[b]=2", "a[b]=1&a=2", "a[b=1", "a[b]c=1", "a[[b]]=1", &format!("a{}=1", "[b]".repeat(20))] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_order_of_the_names_makes_no_difference() {
        assert_eq!(parse("a=1&b[c]=2"), parse("b[c]=2&a=1"));
        assert_ne!(parse("a=1&b[c]=2"), parse("a=1&b[c]=3"));
    }
}

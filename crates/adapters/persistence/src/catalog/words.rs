//! Which products have all words of a search.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::{PartKey, fold, wanted_words};

use crate::platform::condition::{Condition, anywhere, escaped};
use crate::schema::synonyms;

/// A word, and what stands for it as well; each of those is one or more words.
struct Wanted {
    word: String,
    others: Vec<Vec<String>>,
}

/// The words of a search, with their synonyms.
pub(crate) struct Words {
    /// All of it, folded.
    phrase: String,
    wanted: Vec<Wanted>,
}

impl Words {
    pub(crate) fn read(connection: &mut PgConnection, search: &str) -> QueryResult<Self> {
        let phrase = fold(search.trim());
        let words = wanted_words(&phrase);
        let pairs = words.windows(2).map(|pair| pair.join(" "));
        let asked: Vec<String> = words.iter().cloned().chain(pairs).collect();
        let rows: Vec<(String, String)> = synonyms::table
            .filter(synonyms::word.eq_any(asked))
            .order(synonyms::id)
            .select((synonyms::word, synonyms::means))
            .load(connection)?;
        let mut known: HashMap<String, Vec<Vec<String>>> = HashMap::new();
        for (word, means) in rows {
            let means = means.split_whitespace().map(ToOwned::to_owned).collect();
            known.entry(word).or_default().push(means);
        }
        let mut wanted = Vec::with_capacity(words.len());
        let mut rest = words.as_slice();
        while let [word, after @ ..] = rest {
            let pair = after.first().map(|next| format!("{word} {next}")).filter(|pair| known.contains_key(pair));
            if let Some((pair, next)) = pair.zip(after.first()) {
                let mut others = known.get(&pair).cloned().unwrap_or_default();
                others.push(vec![word.clone(), next.clone()]);
                // What a pair means may stand in place of both; as one word it is never found otherwise.
                wanted.push(Wanted { word: pair, others });
                rest = after.get(1..).unwrap_or_default();
            } else {
                wanted.push(Wanted { word: word.clone(), others: known.get(word).cloned().unwrap_or_default() });
                rest = after;
            }
        }
        Ok(Self { phrase, wanted })
    }

    /// Whether words can be found that are not quite as typed.
    pub(crate) fn may_have_slips(&self) -> bool {
        self.wanted.iter().any(Wanted::may_have_slips)
    }

    /// The condition on `products`. The whole phrase is enough, wherever it stands: so it was found before.
    pub(crate) fn condition(&self, forgiving: bool) -> Condition {
        let found = |pattern: String| Condition::new().sql("document LIKE ").text(pattern);
        let all = Condition::all(self.wanted.iter().map(|wanted| wanted.condition(forgiving)));
        let phrase = (!is_size(&self.phrase)).then(|| found(anywhere(&self.phrase)));
        let either = Condition::any(phrase.into_iter().chain([all]));
        Condition::new().sql("products.no IN (SELECT product_no FROM product_search WHERE ").then(either).sql(")")
    }
}

impl Wanted {
    fn may_have_slips(&self) -> bool {
        self.word.chars().count() >= 4 && !self.word.chars().any(|c| c.is_ascii_digit())
    }

    fn condition(&self, forgiving: bool) -> Condition {
        let mut ways = one_word(&self.word);
        ways.extend(
            self.others.iter().map(|words| Condition::all(words.iter().map(|word| Condition::any(one_word(word))))),
        );
        if forgiving && self.may_have_slips() {
            ways.push(Condition::new().text(self.word.clone()).sql(" <% document"));
        }
        Condition::any(ways)
    }
}

/// From three signs any part of a word or number, with less its beginning. A size is whole: 70 Ah are not in 170 Ah.
fn one_word(word: &str) -> Vec<Condition> {
    let found = |pattern: String| Condition::new().sql("document LIKE ").text(pattern);
    let beginning = |word: &str| format!("% {}%", escaped(word));
    if word.chars().count() < 3 || is_size(word) {
        return vec![found(beginning(word))];
    }
    let mut ways = vec![found(anywhere(word))];
    // Between the signs of a number people write what they like; anything else is meant.
    let compact: String = word.chars().filter(|c| !matches!(c, '-' | '/' | '.')).collect();
    if compact != word
        && compact.len() >= 3
        && let Ok(key) = PartKey::new(&compact)
        && key.as_str().len() == compact.chars().count()
    {
        ways.push(found(anywhere(&key.as_str().to_ascii_lowercase())));
    }
    ways
}

/// A number with its unit.
fn is_size(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    unit.len() < word.len() && !unit.is_empty() && unit.bytes().all(|sign| sign.is_ascii_lowercase())
}

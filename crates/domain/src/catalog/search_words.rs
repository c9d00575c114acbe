//! Which words a search asks for, in all the ways in which they may stand in a text.

use std::collections::HashMap;

use crate::catalog::wanted_words::wanted_words;
use crate::{PartKey, fold};

/// How a word may stand in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordForm {
    /// At the beginning of a word.
    Begins(String),
    /// Anywhere, also within a word.
    Anywhere(String),
}

/// A word, and what stands for it as well; each of those is one or more words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedWord {
    word: String,
    others: Vec<Vec<String>>,
}

/// The words of a search, with their synonyms. All of them are wanted, or all of the phrase as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWords {
    phrase: String,
    wanted: Vec<WantedWord>,
}

impl SearchWords {
    /// Whether anything can match: these two characters are never stored.
    #[must_use]
    pub fn can_match(search: &str) -> bool {
        !search.contains(['\0', '\u{1}'])
    }

    /// The words and pairs of words of a search that may have synonyms.
    #[must_use]
    pub fn synonyms_asked(search: &str) -> Vec<String> {
        let words = wanted_words(&fold(search.trim()));
        let pairs = words.windows(2).map(|pair| pair.join(" "));
        words.iter().cloned().chain(pairs).collect()
    }

    /// The words of a search. `synonyms` are those of [`Self::synonyms_asked`], each a word and what it means.
    #[must_use]
    pub fn new(search: &str, synonyms: impl IntoIterator<Item = (String, String)>) -> Self {
        let phrase = fold(search.trim());
        let words = wanted_words(&phrase);
        let mut known: HashMap<String, Vec<Vec<String>>> = HashMap::new();
        for (word, means) in synonyms {
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
                wanted.push(WantedWord { word: pair, others });
                rest = after.get(1..).unwrap_or_default();
            } else {
                wanted.push(WantedWord { word: word.clone(), others: known.get(word).cloned().unwrap_or_default() });
                rest = after;
            }
        }
        Self { phrase, wanted }
    }

    /// All of it, which is enough wherever it stands; `None` for a size, which has to be whole, and for a single word that is wanted
    /// anywhere as it is.
    #[must_use]
    pub fn phrase(&self) -> Option<&str> {
        let is_asked = match self.wanted.as_slice() {
            [single] => single.forms().contains(&WordForm::Anywhere(self.phrase.clone())),
            _ => false,
        };
        (!is_asked && !is_size(&self.phrase)).then_some(self.phrase.as_str())
    }

    /// The words, all of which have to be there.
    #[must_use]
    pub fn wanted(&self) -> &[WantedWord] {
        &self.wanted
    }

    /// Whether words can be found that are not quite as typed.
    #[must_use]
    pub fn may_have_slips(&self) -> bool {
        self.wanted.iter().any(|wanted| wanted.with_slips().is_some())
    }
}

impl WantedWord {
    /// The forms of which one is enough.
    #[must_use]
    pub fn forms(&self) -> Vec<WordForm> {
        one_word(&self.word)
    }

    /// What may stand in its place: of each, all words in one of their forms.
    #[must_use]
    pub fn others(&self) -> Vec<Vec<Vec<WordForm>>> {
        self.others.iter().map(|words| words.iter().map(|word| one_word(word)).collect()).collect()
    }

    /// The word, if it may be found with a slip in it.
    #[must_use]
    pub fn with_slips(&self) -> Option<&str> {
        let may = self.word.chars().count() >= 4 && !self.word.chars().any(|c| c.is_ascii_digit());
        may.then_some(self.word.as_str())
    }
}

/// From three signs any part of a word or number, with less its beginning. A size is whole: 70 Ah are not in 170 Ah.
fn one_word(word: &str) -> Vec<WordForm> {
    if word.chars().count() < 3 || is_size(word) {
        return vec![WordForm::Begins(word.to_owned())];
    }
    let mut ways = vec![WordForm::Anywhere(word.to_owned())];
    // Between the signs of a number people write what they like; anything else is meant.
    let compact: String = word.chars().filter(|c| !matches!(c, '-' | '/' | '.')).collect();
    if compact != word
        && compact.len() >= 3
        && let Ok(key) = PartKey::new(&compact)
        && key.as_str().len() == compact.chars().count()
    {
        ways.push(WordForm::Anywhere(key.as_str().to_ascii_lowercase()));
    }
    ways
}

/// A number with its unit.
fn is_size(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    unit.len() < word.len() && !unit.is_empty() && unit.bytes().all(|sign| sign.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anywhere(word: &str) -> WordForm {
        WordForm::Anywhere(word.to_owned())
    }

    #[test]
    fn words_numbers_and_sizes_have_forms_of_their_own() {
        let words = SearchWords::new("Disc 70 Ah 5W-30 oil ab", []);
        let forms: Vec<_> = words.wanted().iter().map(WantedWord::forms).collect();
        let begins = |word: &str| WordForm::Begins(word.to_owned());
        let expected = [
            vec![anywhere("disc")],
            vec![begins("70ah")],
            vec![anywhere("5w-30"), anywhere("5w30")],
            vec![anywhere("oil")],
            vec![begins("ab")],
        ];
        assert_eq!(forms, expected);
        assert_eq!((words.phrase(), words.may_have_slips()), (Some("disc 70 ah 5w-30 oil ab"), true));
        assert_eq!(SearchWords::new("70ah", []).phrase(), None);
        assert_eq!(SearchWords::new("disc", []).phrase(), None);
        assert_eq!(SearchWords::new("ab", []).phrase(), Some("ab"));
        assert!(!SearchWords::new("70ah 5w-30 abc", []).may_have_slips());
    }

    #[test]
    fn a_pair_of_words_may_mean_another_pair() {
        assert_eq!(SearchWords::synonyms_asked("Brake Rotor"), ["brake", "rotor", "brake rotor"]);
        let words = SearchWords::new("Brake rotor", [("brake rotor".to_owned(), "brake disc".to_owned())]);
        let [pair] = words.wanted() else { panic!("{words:?}") };
        let as_pair = |one, other| vec![vec![anywhere(one)], vec![anywhere(other)]];
        assert_eq!(pair.others(), [as_pair("brake", "disc"), as_pair("brake", "rotor")]);
    }

    #[test]
    fn characters_that_are_never_stored_match_nothing() {
        assert!(SearchWords::can_match("brake"));
        assert!(!SearchWords::can_match("a\0b") && !SearchWords::can_match("a\u{1}b"));
    }
}

//! Which products have all words of a search.

use diesel::prelude::*;
use domain::{SearchWords, WantedWord, WordForm};

use crate::platform::condition::{Condition, anywhere, escaped};
use crate::schema::synonyms;

/// The words of a search, with their synonyms.
pub(crate) fn read(connection: &mut PgConnection, search: &str) -> QueryResult<SearchWords> {
    let rows: Vec<(String, String)> = synonyms::table
        .filter(synonyms::word.eq_any(SearchWords::synonyms_asked(search)))
        .order(synonyms::id)
        .select((synonyms::word, synonyms::means))
        .load(connection)?;
    Ok(SearchWords::new(search, rows))
}

/// The statement that reads the numbers of the products. The whole phrase is enough, wherever it stands: so it was found before.
pub(crate) fn having(words: &SearchWords, forgiving: bool) -> Condition {
    let all = Condition::all(words.wanted().iter().map(|wanted| one(wanted, forgiving)));
    let phrase = words.phrase().map(|phrase| found(anywhere(phrase)));
    let either = Condition::any(phrase.into_iter().chain([all]));
    Condition::new().sql("SELECT product_no FROM product_search WHERE ").then(either)
}

fn one(wanted: &WantedWord, forgiving: bool) -> Condition {
    let mut ways: Vec<Condition> = wanted.forms().into_iter().map(form).collect();
    let any_form = |forms: Vec<WordForm>| Condition::any(forms.into_iter().map(form));
    ways.extend(wanted.others().into_iter().map(|words| Condition::all(words.into_iter().map(any_form))));
    if let Some(word) = wanted.with_slips().filter(|_| forgiving) {
        ways.push(Condition::new().text(word).sql(" <% document"));
    }
    Condition::any(ways)
}

fn form(form: WordForm) -> Condition {
    found(match form {
        WordForm::Begins(word) => format!("% {}%", escaped(&word)),
        WordForm::Anywhere(word) => anywhere(&word),
    })
}

fn found(pattern: String) -> Condition {
    Condition::new().sql("document LIKE ").text(pattern)
}

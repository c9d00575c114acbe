//! Statements in `.sql` files, with named parameters such as `:quantity`.
//!
//! [`sql_file!`] gives a file's parameters their values. A parameter without a value, a value without a parameter and a
//! name that is given twice do not compile. The statement is a query fragment and not a string for `sql_query`, because
//! Diesel prepares the former only once per connection and the latter every time.

use std::marker::PhantomData;
use std::mem;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::serialize::ToSql;
use diesel::sql_types::HasSqlType;

/// `sql_file!("place_order.sql", { quantity: Integer = 50, ... })`: the statement of a file beside the caller's, each
/// parameter with its SQL type and its value. Rows are read by the names of their columns (`QueryableByName`), or by
/// their positions if a SQL type follows: `sql_file!("place_order.sql" => Uuid, { ... })`.
macro_rules! sql_file {
    ($path:literal, { $($parameters:tt)* }) => {
        $crate::platform::sql_file::sql_file!($path => ::diesel::sql_types::Untyped, { $($parameters)* })
    };
    ($path:literal => $row:ty, { $($name:ident: $type:ty = $value:expr),* $(,)? }) => {{
        const SQL_TEXT: &str = include_str!($path);
        const SQL_NAMES: &[&str] = &[$(stringify!($name)),*];
        const _: () = $crate::platform::sql_file::check(SQL_TEXT, SQL_NAMES);
        struct ThisFile;
        impl $crate::platform::sql_file::SqlFile for ThisFile {
            fn parts() -> &'static $crate::platform::sql_file::Parts {
                static PARTS: std::sync::LazyLock<$crate::platform::sql_file::Parts> =
                    std::sync::LazyLock::new(|| $crate::platform::sql_file::split($path, SQL_TEXT, SQL_NAMES));
                &PARTS
            }
        }
        $crate::platform::sql_file::Statement::<ThisFile, $row>::new(vec![
            $($crate::platform::sql_file::value::<$type, _>($value)),*
        ])
    }};
}
pub(crate) use sql_file;

/// A `.sql` file; each use of [`sql_file!`] makes a type, under which Diesel finds the prepared statement.
pub(crate) trait SqlFile: 'static {
    fn parts() -> &'static Parts;
}

/// A statement, cut at each parameter's first place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// SQL, and the index of the value that follows it.
    bound: Vec<(String, usize)>,
    rest: String,
}

/// A file's statement with its values; `R` is the SQL type of its rows.
pub(crate) struct Statement<'a, F, R> {
    values: Vec<Box<dyn QueryFragment<Pg> + 'a>>,
    file: PhantomData<fn() -> (F, R)>,
}

impl<'a, F, R> Statement<'a, F, R> {
    pub(crate) fn new(values: Vec<Box<dyn QueryFragment<Pg> + 'a>>) -> Self {
        Self { values, file: PhantomData }
    }
}

impl<F: SqlFile, R> QueryFragment<Pg> for Statement<'_, F, R> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let Parts { bound, rest } = F::parts();
        for (sql, index) in bound {
            out.push_sql(sql);
            let value = self.values.get(*index).ok_or_else(|| Error::QueryBuilderError("no value".into()))?;
            value.walk_ast(out.reborrow())?;
        }
        out.push_sql(rest);
        Ok(())
    }
}

impl<F: SqlFile, R> QueryId for Statement<'_, F, R> {
    type QueryId = F;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<F, R> Query for Statement<'_, F, R> {
    type SqlType = R;
}

impl<F, R> RunQueryDsl<PgConnection> for Statement<'_, F, R> {}

struct Value<T, V>(V, PhantomData<T>);

pub(crate) fn value<'a, T, V>(value: V) -> Box<dyn QueryFragment<Pg> + 'a>
where
    T: 'a,
    V: ToSql<T, Pg> + 'a,
    Pg: HasSqlType<T>,
{
    Box::new(Value(value, PhantomData))
}

impl<T, V> QueryFragment<Pg> for Value<T, V>
where
    V: ToSql<T, Pg>,
    Pg: HasSqlType<T>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_bind_param::<T, V>(&self.0)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Sql,
    Comment,
    Parameter,
    /// A number for a parameter, a dollar quote, a backslash or a block comment.
    Refused,
}

/// The kind of the piece at an offset, and where the piece ends. A quoted text is one piece.
const fn piece(text: &[u8], at: usize) -> (Kind, usize) {
    let next = if at + 1 < text.len() { text[at + 1] } else { b' ' };
    let mut end = at + 1;
    match text[at] {
        b'-' if next == b'-' => {
            while end < text.len() && text[end] != b'\n' {
                end += 1;
            }
            (Kind::Comment, end)
        }
        quote @ (b'\'' | b'"') => {
            while end < text.len() && text[end] != quote {
                if text[end] == b'\\' {
                    return (Kind::Refused, end);
                }
                end += 1;
            }
            (Kind::Sql, if end < text.len() { end + 1 } else { end })
        }
        // A cast.
        b':' if next == b':' => (Kind::Sql, at + 2),
        b':' if next.is_ascii_lowercase() => {
            while end < text.len()
                && (text[end].is_ascii_lowercase() || text[end].is_ascii_digit() || text[end] == b'_')
            {
                end += 1;
            }
            (Kind::Parameter, end)
        }
        b'$' | b'\\' => (Kind::Refused, end),
        b'/' if next == b'*' => (Kind::Refused, end),
        _ => {
            while end < text.len() && !matches!(text[end], b'-' | b'\'' | b'"' | b':' | b'$' | b'\\' | b'/') {
                end += 1;
            }
            (Kind::Sql, end)
        }
    }
}

/// What is wrong with a file or with the values for it.
#[derive(Debug, PartialEq, Eq)]
enum Fault<'a> {
    NoValue(&'a str),
    NoParameter(&'a str),
    TwoValues(&'a str),
    Refused,
}

const fn fault<'a>(text: &'a str, names: &[&'a str]) -> Option<Fault<'a>> {
    let mut index = 0;
    while index < names.len() {
        match position(names, names[index].as_bytes()) {
            Some(first) if first < index => return Some(Fault::TwoValues(names[index])),
            _ if !has_parameter(text.as_bytes(), names[index].as_bytes()) => {
                return Some(Fault::NoParameter(names[index]));
            }
            _ => index += 1,
        }
    }
    let mut at = 0;
    while at < text.len() {
        let (kind, end) = piece(text.as_bytes(), at);
        match kind {
            Kind::Refused => return Some(Fault::Refused),
            Kind::Parameter => {
                let (_, name) = text.split_at(at + 1);
                let (name, _) = name.split_at(end - at - 1);
                if position(names, name.as_bytes()).is_none() {
                    return Some(Fault::NoValue(name));
                }
            }
            Kind::Sql | Kind::Comment => {}
        }
        at = end;
    }
    None
}

/// Runs when the crate is compiled.
#[expect(clippy::panic, reason = "this is how a constant refuses to compile")]
pub(crate) const fn check(text: &str, names: &[&str]) {
    const fn has_no_value(name: &str) {
        panic!("{}", name);
    }
    const fn is_no_parameter_of_the_file(name: &str) {
        panic!("{}", name);
    }
    const fn has_two_values(name: &str) {
        panic!("{}", name);
    }
    match fault(text, names) {
        None => {}
        Some(Fault::NoValue(name)) => has_no_value(name),
        Some(Fault::NoParameter(name)) => is_no_parameter_of_the_file(name),
        Some(Fault::TwoValues(name)) => has_two_values(name),
        Some(Fault::Refused) => {
            panic!("no numbers for parameters, no dollar quotes, no backslashes, no block comments")
        }
    }
}

const fn has_parameter(text: &[u8], name: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        let (kind, end) = piece(text, at);
        if matches!(kind, Kind::Parameter) && is_at(text, at + 1, name) && end == at + 1 + name.len() {
            return true;
        }
        at = end;
    }
    false
}

const fn position(names: &[&str], name: &[u8]) -> Option<usize> {
    let mut index = 0;
    while index < names.len() {
        if names[index].len() == name.len() && is_at(names[index].as_bytes(), 0, name) {
            return Some(index);
        }
        index += 1;
    }
    None
}

const fn is_at(text: &[u8], at: usize, part: &[u8]) -> bool {
    let mut index = 0;
    while index < part.len() {
        if at + index >= text.len() || text[at + index] != part[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Cuts a file that [`check`] has accepted. Comments go, and the file's name comes first: Postgres shows no more than the
/// first thousand characters of a running statement.
pub(crate) fn split(path: &str, text: &str, names: &[&str]) -> Parts {
    let mut bound: Vec<(String, usize)> = Vec::new();
    let mut sql = String::new();
    let mut at = 0;
    while at < text.len() {
        let (kind, end) = piece(text.as_bytes(), at);
        match kind {
            Kind::Comment => {}
            Kind::Sql | Kind::Refused => sql.push_str(&text[at..end]),
            Kind::Parameter => {
                let index = position(names, &text.as_bytes()[at + 1..end]).unwrap_or(names.len());
                match bound.iter().position(|(_, before)| *before == index) {
                    // Diesel numbers the values from one, in the order in which they are bound.
                    Some(number) => sql.extend(["$", &(number + 1).to_string()]),
                    None => bound.push((mem::take(&mut sql), index)),
                }
            }
        }
        at = end;
    }
    let first = bound.first_mut().map_or(&mut sql, |(first, _)| first);
    *first = format!("/* {path} */ {}", first.trim_start());
    let rest = sql.trim_end().trim_end_matches(';').to_owned();
    Parts { bound, rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_at_its_parameters() {
        let text = "-- Why: 'because'.\nSELECT ':no', \"a:b\", :one::text -- :two\n, :two_2 - :one;\n";
        let parts = split("a.sql", text, &["two_2", "one"]);
        let bound = vec![("/* a.sql */ SELECT ':no', \"a:b\", ".to_owned(), 1), ("::text \n, ".to_owned(), 0)];
        assert_eq!(parts, Parts { bound, rest: " - $1".to_owned() });
    }

    #[test]
    fn a_file_needs_no_parameters() {
        assert_eq!(split("a.sql", "SELECT 1;\n", &[]).rest, "/* a.sql */ SELECT 1");
    }

    #[test]
    fn each_parameter_has_one_value_and_each_value_a_parameter() {
        let text = "SELECT :one, :two, :two -- :three\n";
        assert_eq!(fault(text, &["two", "one"]), None);
        assert_eq!(fault(text, &["two"]), Some(Fault::NoValue("one")));
        assert_eq!(fault(text, &["one", "two", "three"]), Some(Fault::NoParameter("three")));
        assert_eq!(fault(text, &["one", "two", "tw"]), Some(Fault::NoParameter("tw")));
        assert_eq!(fault(text, &["one", "two", "one"]), Some(Fault::TwoValues("one")));
    }

    #[test]
    fn numbers_and_what_the_cutter_cannot_read_are_refused() {
        for text in ["SELECT $1", "SELECT $$:one$$", "SELECT E'\\''", "SELECT /* it's */ 1", "SELECT \\'"] {
            assert_eq!(fault(text, &[]), Some(Fault::Refused), "{text}");
        }
        assert_eq!(fault("SELECT 6 / 2 - 'it''s'::text", &[]), None);
    }
}

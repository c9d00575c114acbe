//! Conditions and statements that are put together from pieces of SQL and values.

use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Bool, Integer, Text, Untyped};

use crate::schema::products;

/// SQL with values in it. SQL comes from the program only; whatever a caller sent is a value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Condition(Vec<Piece>);

#[derive(Debug, Clone)]
enum Piece {
    Sql(&'static str),
    Text(String),
    Texts(Vec<String>),
    Integer(i32),
    Integers(Vec<i32>),
    Long(i64),
    Longs(Vec<i64>),
}

impl Condition {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    fn with(mut self, piece: Piece) -> Self {
        self.0.push(piece);
        self
    }

    pub(crate) fn sql(self, sql: &'static str) -> Self {
        self.with(Piece::Sql(sql))
    }

    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        self.with(Piece::Text(text.into()))
    }

    pub(crate) fn texts(self, texts: Vec<String>) -> Self {
        self.with(Piece::Texts(texts))
    }

    pub(crate) fn integer(self, integer: i32) -> Self {
        self.with(Piece::Integer(integer))
    }

    pub(crate) fn integers(self, integers: Vec<i32>) -> Self {
        self.with(Piece::Integers(integers))
    }

    pub(crate) fn long(self, long: i64) -> Self {
        self.with(Piece::Long(long))
    }

    pub(crate) fn longs(self, longs: Vec<i64>) -> Self {
        self.with(Piece::Longs(longs))
    }

    /// The pieces of another one, after these.
    pub(crate) fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// All of these conditions; true if there are none.
    pub(crate) fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(conditions, " AND ", "true")
    }

    /// One of these conditions; false if there are none.
    pub(crate) fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::joined(conditions, " OR ", "false")
    }

    fn joined(conditions: impl IntoIterator<Item = Self>, between: &'static str, none: &'static str) -> Self {
        let mut joined = Self::new().sql("(");
        for (place, condition) in conditions.into_iter().enumerate() {
            joined = if place > 0 { joined.sql(between) } else { joined };
            joined = joined.then(condition);
        }
        if joined.0.len() == 1 {
            joined = joined.sql(none);
        }
        joined.sql(")")
    }
}

impl QueryFragment<Pg> for Condition {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        for piece in &self.0 {
            match piece {
                Piece::Sql(sql) => out.push_sql(sql),
                Piece::Text(text) => out.push_bind_param::<Text, _>(text)?,
                Piece::Texts(texts) => out.push_bind_param::<Array<Text>, _>(texts)?,
                Piece::Integer(integer) => out.push_bind_param::<Integer, _>(integer)?,
                Piece::Integers(integers) => out.push_bind_param::<Array<Integer>, _>(integers)?,
                Piece::Long(long) => out.push_bind_param::<BigInt, _>(long)?,
                Piece::Longs(longs) => out.push_bind_param::<Array<BigInt>, _>(longs)?,
            }
        }
        Ok(())
    }
}

impl QueryId for Condition {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Expression for Condition {
    type SqlType = Bool;
}

impl AppearsOnTable<products::table> for Condition {}
impl SelectableExpression<products::table> for Condition {}

impl ValidGrouping<()> for Condition {
    type IsAggregate = is_aggregate::No;
}

/// A whole statement, whose rows are read by the names of their columns.
pub(crate) struct Composed(pub(crate) Condition);

impl QueryFragment<Pg> for Composed {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }
}

impl QueryId for Composed {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Composed {
    type SqlType = Untyped;
}

impl RunQueryDsl<PgConnection> for Composed {}

/// A pattern of LIKE for this text, anywhere.
pub(crate) fn anywhere(text: &str) -> String {
    format!("%{}%", escaped(text))
}

/// A text in which LIKE finds nothing special.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(sign, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use diesel::debug_query;

    use super::*;

    #[test]
    fn what_a_caller_sent_is_a_value() {
        let named = Condition::new().sql("name = ").text("'; DROP TABLE products");
        let all = Composed(Condition::all([named, Condition::new().sql("no = ANY (").integers(vec![1]).sql(")")]));
        let shown = debug_query::<Pg, _>(&all).to_string();
        assert!(shown.starts_with("(name = $1 AND no = ANY ($2)) -- binds"), "{shown}");
        assert_eq!(debug_query::<Pg, _>(&Condition::any([])).to_string(), "(false) -- binds: []");
        assert_eq!(debug_query::<Pg, _>(&Condition::all([])).to_string(), "(true) -- binds: []");
    }

    #[test]
    fn a_pattern_has_no_wildcards_of_the_caller() {
        assert_eq!(anywhere(r"100%_\"), r"%100\%\_\\%");
    }
}

//! Decodes rows into domain values. A row that the domain refuses is a defect, never left out of a list.

use std::fmt::Display;
use std::str::FromStr;

use diesel::prelude::*;
use diesel::result::Error;
use domain::{Money, Text, Timestamp};
use jiff_diesel::Timestamp as SqlTimestamp;
use thiserror::Error as ThisError;
use uuid::Uuid;

/// A stored value that the domain refuses.
#[derive(Debug, ThisError)]
#[error("{what} {id} holds a {column} that the rules refuse: {why}")]
pub(crate) struct Refused {
    what: &'static str,
    id: String,
    column: &'static str,
    why: String,
}

/// Decodes the columns of one row; its errors name the row, for the operator who has to fix it.
#[derive(Clone, Copy)]
pub(crate) struct RowDecoder<Id = Uuid> {
    pub(crate) what: &'static str,
    pub(crate) id: Id,
}

impl<Id: Display + Copy> RowDecoder<Id> {
    pub(crate) fn refuse(self, column: &'static str, why: &(impl ToString + ?Sized)) -> Error {
        Error::DeserializationError(Box::new(Refused {
            what: self.what,
            id: self.id.to_string(),
            column,
            why: why.to_string(),
        }))
    }

    pub(crate) fn parse<T>(self, column: &'static str, value: &str) -> QueryResult<T>
    where
        T: FromStr,
        T::Err: ToString,
    {
        value.parse().map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn maybe<T>(self, column: &'static str, value: Option<&str>) -> QueryResult<Option<T>>
    where
        T: FromStr,
        T::Err: ToString,
    {
        value.map(|value| self.parse(column, value)).transpose()
    }

    pub(crate) fn text<const MAX: usize>(self, column: &'static str, value: &str) -> QueryResult<Text<MAX>> {
        Text::new(value).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn maybe_text<const MAX: usize>(
        self,
        column: &'static str,
        value: Option<&str>,
    ) -> QueryResult<Option<Text<MAX>>> {
        value.map(|value| self.text(column, value)).transpose()
    }

    pub(crate) fn money(self, column: &'static str, cents: i64) -> QueryResult<Money> {
        Money::from_cents(cents).map_err(|why| self.refuse(column, &why))
    }

    /// A timestamp that the row's state requires.
    pub(crate) fn moment(self, column: &'static str, at: Option<SqlTimestamp>) -> QueryResult<Timestamp> {
        at.map(SqlTimestamp::to_jiff).ok_or_else(|| self.refuse(column, "null"))
    }
}

/// A number of units as the column's type.
pub(crate) fn to_i32(units: u32) -> QueryResult<i32> {
    i32::try_from(units).map_err(|error| Error::SerializationError(Box::new(error)))
}

/// The kinds of rows that [`readable`] reads.
const READ: [&str; 5] = ["dispute", "paid order", "refund", "return", "webhook subscription"];

/// Describes the metric of this file, and begins it at zero: of a counter that appears with its first event, no rise is
/// seen.
pub(crate) fn describe() {
    metrics::describe_counter!("rows_set_aside", "Rows that the program cannot read, by what they are.");
    for what in READ {
        metrics::counter!("rows_set_aside", "what" => what).increment(0);
    }
}

/// Every row that can be decoded, for queues: one that the domain refuses is skipped, counted and logged, and does not
/// hold up the others.
pub(crate) fn readable<R, T>(what: &'static str, rows: Vec<R>) -> Vec<T>
where
    T: TryFrom<R, Error = Error>,
{
    debug_assert!(READ.contains(&what), "{what} is not counted from the start");
    let set_aside = |error: &Error| {
        metrics::counter!("rows_set_aside", "what" => what).increment(1);
        tracing::error!(%error, what, "a row that cannot be decoded is skipped");
    };
    rows.into_iter().filter_map(|row| T::try_from(row).inspect_err(set_aside).ok()).collect()
}

/// Every row, or the first error.
pub(crate) fn decode_all<R, T>(rows: Vec<R>) -> QueryResult<Vec<T>>
where
    T: TryFrom<R, Error = Error>,
{
    rows.into_iter().map(T::try_from).collect()
}

//! Calendar days in UTC, which the shop uses for daily figures.

use std::fmt;
use std::str::FromStr;

use jiff::Span;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use thiserror::Error;

use crate::Timestamp;

/// A calendar day of the shop, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

impl Day {
    /// The day with this calendar date.
    #[must_use]
    pub const fn new(date: Date) -> Self {
        Self(date)
    }

    /// The day that contains this moment. Midnight belongs to the day that it starts.
    #[must_use]
    pub fn of(moment: Timestamp) -> Self {
        Self(moment.to_zoned(TimeZone::UTC).date())
    }

    /// The calendar's date.
    #[must_use]
    pub const fn date(self) -> Date {
        self.0
    }

    /// The first moment of the day. [`Timestamp::MAX`] if that is out of range.
    #[must_use]
    pub fn begins(self) -> Timestamp {
        self.0.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |midnight| midnight.timestamp())
    }

    /// The end of the day, exclusive: the first moment of the next day. [`Timestamp::MAX`] if that is out of range.
    #[must_use]
    pub fn ends(self) -> Timestamp {
        self.0.tomorrow().map_or(Timestamp::MAX, |next| Self(next).begins())
    }

    /// The day `days` days earlier, or the calendar's first day if that is out of range.
    #[must_use]
    pub fn earlier(self, days: u32) -> Self {
        Self(Span::new().try_days(i64::from(days)).map_or(Date::MIN, |ago| self.0.saturating_sub(ago)))
    }

    /// The last `days` days, oldest first, including this one.
    pub fn last(self, days: u32) -> impl Iterator<Item = Self> {
        (0..days).rev().map(move |ago| self.earlier(ago))
    }
}

/// Not a date of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a date, as 2026-11-21")]
pub struct InvalidDay;

impl FromStr for Day {
    type Err = InvalidDay;

    /// A date as [`Day`] is written, and no other of the forms of ISO 8601.
    fn from_str(text: &str) -> Result<Self, InvalidDay> {
        let day = text.parse().map(Self).map_err(|_| InvalidDay)?;
        if day.to_string() == text { Ok(day) } else { Err(InvalidDay) }
    }
}

impl fmt::Display for Day {
    /// ISO 8601, as in `2026-11-21`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(moment: &str) -> Timestamp {
        moment.parse().unwrap()
    }

    #[test]
    fn a_day_starts_at_midnight_utc() {
        let day = Day::of(at("2026-11-21T00:00:00Z"));
        assert_eq!(day.to_string(), "2026-11-21");
        assert_eq!(Day::of(at("2026-11-20T23:59:59.999999999Z")).to_string(), "2026-11-20");
        assert_eq!((day.begins(), day.ends()), (at("2026-11-21T00:00:00Z"), at("2026-11-22T00:00:00Z")));
    }

    #[test]
    fn the_last_days_include_this_one_and_have_no_gaps() {
        let days: Vec<String> = Day::of(at("2028-03-01T12:00:00Z")).last(3).map(|day| day.to_string()).collect();
        assert_eq!(days, ["2028-02-28", "2028-02-29", "2028-03-01"]);
    }

    #[test]
    fn a_day_is_read_as_it_is_written() {
        assert_eq!("2026-11-21".parse(), Ok(Day::of(at("2026-11-21T12:00:00Z"))));
        for text in
            ["", "2026-11", "2026-02-30", "20261121", "2026-11-21T00:00:00", "21.11.2026", "today", "+2026-11-21"]
        {
            assert_eq!(text.parse::<Day>(), Err(InvalidDay), "{text:?}");
        }
    }

    #[test]
    fn days_at_the_ends_of_the_calendar_saturate() {
        let last = Day::of(Timestamp::MAX);
        assert!(last.begins() <= last.ends());
        assert_eq!(Day::of(Timestamp::MIN).earlier(400), Day::new(Date::MIN));
        assert_eq!(last.earlier(u32::MAX), Day::new(Date::MIN));
    }
}

//! Cursors of lists whose order may change between two pages.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{Money, Timestamp, UnitPrice};
use ports::{ProductCursor, ProductKey};

/// Where a page of products ended, as one opaque token: how far down it came, the value that it was sorted by,
/// and the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProductCursorToken(pub(crate) ProductCursor);

/// A text that is not the cursor of a page of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidCursor;

impl fmt::Display for ProductCursorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProductCursor { key, id, rank } = &self.0;
        let rank = if *rank == 0 { String::new() } else { rank.to_string() };
        let plain = match key {
            ProductKey::Added(at) => format!("{id} added{rank} {at}"),
            ProductKey::Price(price) => format!("{id} price{rank} {}", price.money().cents()),
            ProductKey::Name(name) => format!("{id} name{rank} {name}"),
        };
        f.write_str(&URL_SAFE_NO_PAD.encode(plain))
    }
}

impl FromStr for ProductCursorToken {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let plain =
            URL_SAFE_NO_PAD.decode(text).ok().and_then(|plain| String::from_utf8(plain).ok()).ok_or(InvalidCursor)?;
        let mut parts = plain.splitn(3, ' ');
        let (Some(id), Some(sort), Some(value)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(InvalidCursor);
        };
        let (sort, rank) = sort.split_at(sort.trim_end_matches(|sign: char| sign.is_ascii_digit()).len());
        let rank = if rank.is_empty() { Some(0) } else { rank.parse().ok() };
        let key = match sort {
            "added" => moment(value).map(ProductKey::Added),
            "price" => price(value).map(ProductKey::Price),
            // Postgres cannot store a text with a NUL.
            "name" if !value.contains('\0') => Some(ProductKey::Name(value.to_owned())),
            _ => None,
        };
        let (key, rank) = key.zip(rank).ok_or(InvalidCursor)?;
        Ok(Self(ProductCursor { key, id: id.parse().map_err(|_| InvalidCursor)?, rank }))
    }
}

/// A time at which a product can have been added: Postgres has a smaller range than RFC 3339.
fn moment(text: &str) -> Option<Timestamp> {
    text.parse().ok().filter(|at| *at >= Timestamp::UNIX_EPOCH)
}

fn price(cents: &str) -> Option<UnitPrice> {
    UnitPrice::new(Money::from_cents(cents.parse().ok()?).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use domain::ProductId;
    use uuid::Uuid;

    use super::*;

    fn token(key: ProductKey, rank: u8) -> ProductCursorToken {
        ProductCursorToken(ProductCursor { key, id: ProductId::new(Uuid::from_u128(7)), rank })
    }

    #[test]
    fn a_cursor_round_trips_and_needs_no_escape_in_a_url() {
        let at = "2026-11-22T08:15:01.123456Z".parse().unwrap();
        for key in [
            ProductKey::Added(at),
            ProductKey::Price(UnitPrice::from_dollars(129.99).unwrap()),
            ProductKey::Name("über  räder: 5 % <b> & more".into()),
        ] {
            for rank in [0, 1, 2] {
                let text = token(key.clone(), rank).to_string();
                assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'), "{text}");
                assert_eq!(text.parse(), Ok(token(key.clone(), rank)));
            }
        }
    }

    #[test]
    fn a_cursor_that_no_page_ended_with_is_refused() {
        let id = Uuid::from_u128(7);
        for plain in [
            String::new(),
            id.to_string(),
            format!("{id} added"),
            format!("{id} added yesterday"),
            format!("{id} added -009998-01-01T00:00:00Z"),
            format!("{id} price 0"),
            format!("{id} price 1e9"),
            format!("{id} price 99999999999999999999"),
            format!("{id} name a\0b"),
            format!("{id} stock 5"),
            format!("{id} price999 5"),
            format!("{id} 1 5"),
            "7 price 5".to_owned(),
        ] {
            assert_eq!(URL_SAFE_NO_PAD.encode(&plain).parse::<ProductCursorToken>(), Err(InvalidCursor), "{plain:?}");
        }
        for text in ["", "x", "=", "%00", &id.to_string()] {
            assert_eq!(text.parse::<ProductCursorToken>(), Err(InvalidCursor), "{text:?}");
        }
    }
}

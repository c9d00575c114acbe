//! Shipments: an order leaves in one or several of them.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use thiserror::Error;

use crate::delivery::carrier::tracking_page;
use crate::orders::event::OrderEventKind;
use crate::orders::order::{Change, EventMeta};
use crate::orders::refusals::ShipRefused;
use crate::{Order, OrderId, OrderState, ShipmentId, Text, Timestamp};

/// Units of an order that left together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shipment {
    /// The shipment's id.
    pub id: ShipmentId,
    /// The order that the units belong to.
    pub order: OrderId,
    /// How many units.
    pub units: NonZeroU32,
    /// How one finds out where they are.
    pub tracking: Tracking,
    /// When they left.
    pub sent_at: Timestamp,
}

/// How one finds out where a shipment is; all of it may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tracking {
    /// Who carries it.
    pub carrier: Option<Text<60>>,
    /// The carrier's number.
    pub number: Option<Text<60>>,
    /// A page that shows it.
    pub url: Option<TrackingUrl>,
}

impl Tracking {
    /// The same with the page of a known carrier, if it has none of its own.
    #[must_use]
    pub fn with_page(self) -> Self {
        let page = || {
            let (carrier, number) = (self.carrier.as_ref()?, self.number.as_ref()?);
            tracking_page(carrier.as_str(), number.as_str())?.parse().ok()
        };
        Self { url: self.url.clone().or_else(page), ..self }
    }
}

/// An `http(s)` URL of at most 500 characters: a customer is sent there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TrackingUrl(String);

/// Not a link that a customer can be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a link that starts with https:// or http://")]
pub struct InvalidTrackingUrl;

impl TrackingUrl {
    /// The maximum length, in characters.
    pub const MAX: usize = 500;

    /// The URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TrackingUrl {
    type Err = InvalidTrackingUrl;

    fn from_str(typed: &str) -> Result<Self, InvalidTrackingUrl> {
        let address = typed.trim();
        let lower = address.to_ascii_lowercase();
        let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
        let has_host = rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['));
        let clean = address.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"'<>\\`".contains(c));
        if has_host && clean && address.chars().count() <= Self::MAX {
            Ok(Self(address.to_owned()))
        } else {
            Err(InvalidTrackingUrl)
        }
    }
}

impl fmt::Display for TrackingUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why units of an order cannot be shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ShipUnitsRefused {
    /// All of it is shipped, or it is cancelled.
    #[error(transparent)]
    Order(#[from] ShipRefused),
    /// More units than are left.
    #[error("only {left} units are left")]
    TooMany {
        /// How many units have not been shipped yet.
        left: u32,
    },
}

impl Order {
    /// How many units have not been shipped yet.
    #[must_use]
    pub const fn units_left(&self) -> u32 {
        if self.is_shipped() { 0 } else { self.item.quantity.get().saturating_sub(self.shipped_units) }
    }

    /// Whether some of its units have left and others have not: it can no longer be cancelled.
    #[must_use]
    pub const fn is_shipped_in_part(&self) -> bool {
        self.shipped_units > 0 && !self.is_shipped()
    }

    /// Ships some of its units. With the last of them the order is shipped; until then it stays what it is.
    ///
    /// # Errors
    /// [`ShipUnitsRefused`].
    pub fn ship_units(
        self,
        shipment: ShipmentId,
        units: NonZeroU32,
        meta: EventMeta,
    ) -> Result<Change, ShipUnitsRefused> {
        match self.state {
            OrderState::Shipped { .. } => return Err(ShipRefused::Shipped.into()),
            OrderState::Cancelled { .. } => return Err(ShipRefused::Cancelled.into()),
            OrderState::Placed | OrderState::Paid { .. } => {}
        }
        let left = self.units_left();
        if units.get() > left {
            return Err(ShipUnitsRefused::TooMany { left });
        }
        if units.get() == left {
            return Ok(self.ship(meta)?);
        }
        let shipped_units = self.shipped_units.saturating_add(units.get());
        let after = Self { shipped_units, ..self };
        let kind = OrderEventKind::PartShipped { shipment, units };
        // An event of a part is a note, so there is always a change.
        after.note(kind, meta).ok_or(ShipUnitsRefused::TooMany { left })
    }

    /// Its shipments, of those that are stored. An order that was shipped before there were any left in one.
    #[must_use]
    pub fn shipments(&self, stored: Vec<Shipment>) -> Vec<Shipment> {
        let units = NonZeroU32::new(self.item.quantity.get());
        match (self.state.shipped_at(), units) {
            (Some(sent_at), Some(units)) if stored.is_empty() => {
                let id = ShipmentId::new(self.id.uuid());
                vec![Shipment { id, order: self.id, units, tracking: Tracking::default(), sent_at }]
            }
            _ => stored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_web_page() {
        for address in ["https://track.example.com/?n=1", " HTTP://127.0.0.1/x "] {
            assert_eq!(address.parse::<TrackingUrl>().unwrap().as_str(), address.trim());
        }
        let long = format!("https://track.example.com/{}", "a".repeat(500));
        for address in ["", "track.example.com", "javascript:alert(1)", "https://", "https:///x", "https://a b", &long]
        {
            assert_eq!(address.parse::<TrackingUrl>(), Err(InvalidTrackingUrl), "{address}");
        }
    }

    #[test]
    fn a_known_carrier_has_a_page_unless_there_is_another() {
        let of = |carrier: &str, url: Option<&str>| {
            let tracking = Tracking {
                carrier: Some(Text::new(carrier).unwrap()),
                number: Some(Text::new("12").unwrap()),
                url: url.map(|url| url.parse().unwrap()),
            };
            tracking.with_page().url.map(|url| url.to_string())
        };
        assert_eq!(of("UPS", None).as_deref(), Some("https://www.ups.com/track?tracknum=12"));
        assert_eq!(of("UPS", Some("https://x.example")).as_deref(), Some("https://x.example"));
        assert_eq!(of("Uncle Bob", None), None);
    }

    #[test]
    fn a_link_is_up_to_500_characters_of_what_belongs_into_one() {
        let longest = format!("https://[::1]/{}", "a".repeat(486));
        assert_eq!(longest.parse::<TrackingUrl>().unwrap().to_string(), longest);
        for address in
            ["https://a/\u{7f}", "https://a/\"", "https://a/<x", "https://a/\u{a0}x", "https://-a", "ftp://a"]
        {
            assert_eq!(address.parse::<TrackingUrl>(), Err(InvalidTrackingUrl), "{address:?}");
        }
    }
}

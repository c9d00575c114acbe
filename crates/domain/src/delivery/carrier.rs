//! Carriers whose pages show where a parcel is.

use crate::platform::folding::fold;

/// A carrier's name without blanks, in small letters, and what stands before the number on its page.
const CARRIERS: [(&str, &str); 4] = [
    ("dhl", "https://www.dhl.com/global-en/home/tracking.html?tracking-id="),
    ("fedex", "https://www.fedex.com/fedextrack/?trknbr="),
    ("ups", "https://www.ups.com/track?tracknum="),
    ("usps", "https://tools.usps.com/go/TrackConfirmAction?tLabels="),
];

/// The page of a known carrier that shows where a parcel is.
#[must_use]
pub fn tracking_page(carrier: &str, number: &str) -> Option<String> {
    let named: String = fold(carrier).chars().filter(|sign| !sign.is_whitespace()).collect();
    let (_, page) = CARRIERS.into_iter().find(|(name, _)| *name == named)?;
    // Blanks and hyphens are for people. Nothing else of a number needs an encoding.
    let bare: String = number.chars().filter(|sign| !matches!(sign, ' ' | '-')).collect();
    let is_number = !bare.is_empty() && bare.chars().all(|sign| sign.is_ascii_alphanumeric());
    is_number.then(|| format!("{page}{bare}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_carriers_have_pages_for_their_numbers() {
        for (carrier, number, page) in [
            ("UPS", "1Z 999 AA1-0123456784", Some("https://www.ups.com/track?tracknum=1Z999AA10123456784")),
            (" Fed Ex ", "7777", Some("https://www.fedex.com/fedextrack/?trknbr=7777")),
            ("usps", "94", Some("https://tools.usps.com/go/TrackConfirmAction?tLabels=94")),
            ("DHL", "12", Some("https://www.dhl.com/global-en/home/tracking.html?tracking-id=12")),
            ("Uncle Bob", "12", None),
            ("UPS", "12&x=<b>", None),
            ("UPS", " - ", None),
        ] {
            assert_eq!(tracking_page(carrier, number).as_deref(), page, "{carrier} {number}");
        }
    }
}

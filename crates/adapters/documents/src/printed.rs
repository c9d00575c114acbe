//! How addresses, days and rates are printed.

use domain::{AddressField, PrintedAddress, PrintedTax, Seller, Timestamp, one_line};
use jiff::tz::TimeZone;

/// Printed lines of an address; more than these are joined, so that nobody's address takes the page.
const MOST_LINES: usize = 7;

/// The day in UTC, without doubt about which figure is the month: `26 November 2026`.
pub(crate) fn day(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%-d %B %Y").to_string()
}

/// `2026-11-26`, in UTC.
pub(crate) fn iso_day(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d").to_string()
}

/// `19%`, `8.25%`.
pub(crate) fn percent(basis_points: u32) -> String {
    let (whole, rest) = (basis_points / 100, basis_points % 100);
    match rest {
        0 => format!("{whole}%"),
        rest if rest.is_multiple_of(10) => format!("{whole}.{}%", rest / 10),
        rest => format!("{whole}.{rest:02}%"),
    }
}

/// A rate with its name: `VAT 19%`.
pub(crate) fn rate(rate: &PrintedTax) -> String {
    match (rate.reason(), one_line(&rate.name)) {
        (Some(reason), _) => one_line(reason),
        (None, name) if name.is_empty() => format!("Tax {}", percent(rate.basis_points)),
        (None, name) => format!("{name} {}", percent(rate.basis_points)),
    }
}

/// When a document on account is to be paid.
pub(crate) fn terms(seller: &Seller) -> String {
    let written = seller.terms.as_ref().map(|terms| terms.as_str().to_owned());
    written.unwrap_or_else(|| "On account. Payable within 30 days of the date of issue.".to_owned())
}

/// City, region and postcode in the order of the country's envelopes, on one line.
fn town(of: &PrintedAddress) -> String {
    let text = |text: &Option<domain::Text<120>>| text.as_ref().map(|text| one_line(text.as_str()));
    let postcode = || of.postcode.as_ref().map(|postcode| one_line(postcode.as_str()));
    let as_usual = [AddressField::City, AddressField::Region, AddressField::Postcode];
    let order: Vec<AddressField> =
        of.country.map_or_else(|| as_usual.to_vec(), |country| country.format().order().chain(as_usual).collect());
    let mut line = String::new();
    let mut seen = Vec::new();
    for field in order {
        let part = match field {
            AddressField::City => text(&of.city),
            AddressField::Region => text(&of.region),
            AddressField::Postcode => postcode(),
            _ => None,
        };
        let Some(part) = part.filter(|_| !seen.contains(&field)) else { continue };
        if !line.is_empty() {
            let comma = field == AddressField::Region || seen.last() == Some(&AddressField::City);
            line.push_str(if comma { ", " } else { " " });
        }
        line.push_str(&part);
        seen.push(field);
    }
    line
}

/// The lines of an address, from the company to the country.
pub(crate) fn address(of: &PrintedAddress) -> Vec<String> {
    let text = |text: &Option<domain::Text<120>>| text.as_ref().map(|text| one_line(text.as_str()));
    let mut lines: Vec<String> = text(&of.company).into_iter().collect();
    for line in &of.lines {
        lines.extend(line.as_str().lines().map(one_line).filter(|line| !line.is_empty()));
    }
    lines.extend(Some(town(of)).filter(|town| !town.is_empty()));
    lines.extend(of.country.map(|country| country.name().to_owned()));
    if lines.len() > MOST_LINES {
        let rest = lines.split_off(MOST_LINES - 1).join(", ");
        lines.push(rest);
    }
    lines
}

#[cfg(test)]
mod tests {
    use domain::{TaxCategory, Text};

    use super::*;

    #[test]
    fn rates_have_no_more_decimals_than_they_need() {
        assert_eq!(
            (percent(1900), percent(825), percent(550), percent(0)),
            ("19%".into(), "8.25%".into(), "5.5%".into(), "0%".into())
        );
        let vat = PrintedTax { category: TaxCategory::Standard, name: "VAT".to_owned(), basis_points: 2000 };
        assert_eq!(rate(&vat), "VAT 20%");
        assert_eq!(rate(&PrintedTax::none()), "Not subject to tax");
    }

    #[test]
    fn days_name_the_month() {
        assert_eq!(day("2026-11-03T23:59:59Z".parse().unwrap()), "3 November 2026");
        assert_eq!(iso_day("2026-11-03T23:59:59Z".parse().unwrap()), "2026-11-03");
    }

    #[test]
    fn an_address_has_the_order_of_its_countrys_envelopes() {
        let mut of = PrintedAddress {
            company: Some(Text::new("Autohaus Nord").unwrap()),
            lines: vec![Text::new("Hafenstr. 9").unwrap()],
            city: Some(Text::new("Kiel").unwrap()),
            region: None,
            postcode: Some(Text::new("24103").unwrap()),
            country: Some("DE".parse().unwrap()),
        };
        assert_eq!(address(&of), ["Autohaus Nord", "Hafenstr. 9", "24103 Kiel", "Germany"]);
        of.country = Some("US".parse().unwrap());
        of.region = Some(Text::new("OH").unwrap());
        assert_eq!(address(&of), ["Autohaus Nord", "Hafenstr. 9", "Kiel, OH 24103", "United States"]);
    }

    #[test]
    fn an_address_of_a_hundred_lines_keeps_all_of_it_on_few() {
        let typed = (0..100).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let of = PrintedAddress {
            company: None,
            lines: vec![Text::new(&typed).unwrap()],
            city: None,
            region: None,
            postcode: None,
            country: None,
        };
        let lines = address(&of);
        assert_eq!(lines.len(), MOST_LINES);
        assert!(lines[MOST_LINES - 1].ends_with("98, 99"));
    }
}

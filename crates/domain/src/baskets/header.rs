//! The first line of a list, if it names the columns.

use super::cells::{SEPARATORS, cells};

/// What a column of part numbers may be called, best first: a list may have several.
const NUMBERS: [&str; 36] = [
    "partnumber",
    "partno",
    "partnr",
    "partnum",
    "mpn",
    "sku",
    "itemnumber",
    "itemno",
    "itemnr",
    "articlenumber",
    "articleno",
    "articlenr",
    "artno",
    "artnr",
    "artikelnummer",
    "teilenummer",
    "productnumber",
    "productcode",
    "productno",
    "materialnumber",
    "material",
    "oenumber",
    "oemnumber",
    "oe",
    "oem",
    "gtin",
    "ean",
    "upc",
    "part",
    "article",
    "reference",
    "ref",
    "code",
    "item",
    "number",
    "product",
];
const QUANTITIES: [&str; 15] = [
    "quantity",
    "qty",
    "orderquantity",
    "orderqty",
    "quantityordered",
    "qtyordered",
    "pcs",
    "pieces",
    "units",
    "count",
    "amount",
    "menge",
    "anzahl",
    "stk",
    "ordered",
];
const BRANDS: [&str; 9] = ["brand", "brandname", "manufacturer", "maker", "make", "mfr", "mfg", "marke", "hersteller"];

/// What the first line of a list is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FirstLine {
    /// It names columns that a sign separates.
    Columns(Columns),
    /// It names number and quantity with blanks between them.
    Words { quantity_first: bool },
    /// It is a line like any other.
    Line,
}

/// Where the cells of a line are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) separator: char,
    pub(super) number: usize,
    pub(super) quantity: Option<usize>,
    pub(super) brand: Option<usize>,
    pub(super) count: usize,
}

/// Reads the first line of a list, which may be its only one.
pub(super) fn first_line(line: &str, is_only: bool) -> FirstLine {
    for separator in SEPARATORS {
        if let Some(columns) = columns(line, separator) {
            return FirstLine::Columns(columns);
        }
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let named = |words: &[&str], names: &[&str]| names.contains(&bare(&words.concat()).as_str());
    for at in 1..words.len().min(4) {
        let (first, second) = words.split_at(at);
        if named(first, &NUMBERS) && named(second, &QUANTITIES) {
            return FirstLine::Words { quantity_first: false };
        }
        if named(first, &QUANTITIES) && named(second, &NUMBERS) {
            return FirstLine::Words { quantity_first: true };
        }
    }
    if !is_only && words.len() <= 3 && named(&words, &NUMBERS) {
        return FirstLine::Words { quantity_first: false };
    }
    FirstLine::Line
}

fn columns(line: &str, separator: char) -> Option<Columns> {
    if !line.contains(separator) {
        return None;
    }
    let names: Vec<String> = cells(line, separator).iter().map(|name| bare(name)).collect();
    let place = |wanted: &[&str]| wanted.iter().find_map(|wanted| names.iter().position(|name| name == wanted));
    let (number, quantity, brand) = (place(&NUMBERS)?, place(&QUANTITIES), place(&BRANDS));
    // A line of data may have one cell that is called like a column.
    (quantity.is_some() || brand.is_some()).then_some(Columns {
        separator,
        number,
        quantity,
        brand,
        count: names.len(),
    })
}

/// `Part No.` as `partno`.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_stand_in_any_order() {
        let columns = |separator, number, quantity, brand, count| {
            FirstLine::Columns(Columns { separator, number, quantity, brand, count })
        };
        for (line, expected) in [
            ("Part number,Qty", columns(',', 0, Some(1), None, 2)),
            ("qty;sku", columns(';', 1, Some(0), None, 2)),
            ("Brand\tPart No.\tDescription\tQuantity", columns('\t', 1, Some(3), Some(0), 4)),
            ("\"Item\",\"Part #\",\"Order Qty\"", columns(',', 1, Some(2), None, 3)),
            ("Manufacturer,MPN", columns(',', 1, None, Some(0), 2)),
            ("Part number  Quantity", FirstLine::Words { quantity_first: false }),
            ("Qty Part Number", FirstLine::Words { quantity_first: true }),
            ("SKU", FirstLine::Words { quantity_first: false }),
            ("DL-1,50", FirstLine::Line),
            ("item,50", FirstLine::Line),
            ("DL-1 50", FirstLine::Line),
            ("Bosch part", FirstLine::Line),
            ("", FirstLine::Line),
        ] {
            assert_eq!(first_line(line, false), expected, "{line}");
        }
        assert_eq!(first_line("SKU", true), FirstLine::Line, "the only line is what is wanted");
    }
}

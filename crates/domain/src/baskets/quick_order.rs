//! Lists of part numbers and quantities, as people type, paste and export them.

use thiserror::Error;

use super::header::{FirstLine, first_line};
use super::line::QuickLine;
use super::reading;

/// How many lines are ordered at once.
pub const QUICK_LINES_MAX: usize = 1_000;
/// How much of a line is shown again, in characters.
const SHOWN_MAX: usize = 200;

/// There are more lines than are ordered at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be at most 1,000 lines")]
pub struct TooManyLines;

/// Reads a list: per line a part number and a quantity, between them blanks, a tab, a comma, a semicolon or `x`; or the cells of
/// a spreadsheet, whose first line may name them. Blank lines and a header are no lines of the order.
///
/// # Errors
/// [`TooManyLines`] beyond [`QUICK_LINES_MAX`].
pub fn read(text: &str) -> Result<Vec<QuickLine>, TooManyLines> {
    let text = text.trim_start_matches('\u{feff}');
    let mut written = lines(text).filter(|(_, line)| !is_blank(line)).peekable();
    let Some((_, first)) = written.peek().copied() else { return Ok(Vec::new()) };
    let is_only = lines(text).filter(|(_, line)| !is_blank(line)).nth(1).is_none();
    let first = first_line(first, is_only);
    if first != FirstLine::Line {
        written.next();
    }
    let mut read = Vec::new();
    for (line, text) in written {
        if read.len() == QUICK_LINES_MAX {
            return Err(TooManyLines);
        }
        let text = text.trim_matches(|c: char| c != '\t' && c.is_whitespace());
        read.push(QuickLine { line, text: shown(text), readings: reading::read(text, &first) });
    }
    Ok(read)
}

/// Whether nothing is on a line: separators alone are the empty rows of a spreadsheet.
fn is_blank(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '"'))
}

/// The lines of a text, each with its number, however they end.
fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut rest = Some(text);
    let parts = std::iter::from_fn(move || {
        let text = rest.take()?;
        let Some(end) = text.find(['\n', '\r']) else { return Some(text) };
        let after = &text[end..];
        rest = Some(after.strip_prefix("\r\n").unwrap_or(&after[1..]));
        Some(&text[..end])
    });
    (1..).zip(parts)
}

fn shown(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::baskets::line::{AskedUnits, LineFault, Reading};
    use crate::baskets::units::{Units, UnitsFault};

    fn units(units: i64) -> AskedUnits {
        Units::new(units).map_or_else(AskedUnits::Refused, AskedUnits::Units)
    }

    fn only(text: &str) -> Vec<Reading> {
        let mut lines = read(text).unwrap();
        assert_eq!(lines.len(), 1, "{text:?}");
        lines.pop().unwrap().readings.unwrap_or_default()
    }

    fn first(text: &str) -> (String, AskedUnits) {
        let reading = only(text).into_iter().next().unwrap_or_else(|| panic!("{text:?} is not read"));
        (reading.number, reading.quantity)
    }

    #[test]
    fn a_line_is_read_as_people_write_it() {
        for (text, number, quantity) in [
            ("DL-1001 50", "DL-1001", 50),
            ("  DL-1001   50  ", "DL-1001", 50),
            ("DL-1001\t50", "DL-1001", 50),
            ("DL-1001,50", "DL-1001", 50),
            ("DL-1001, 50", "DL-1001", 50),
            ("DL-1001;50", "DL-1001", 50),
            ("\"DL-1001\";\"50\"", "DL-1001", 50),
            ("DL-1001;;50", "DL-1001", 50),
            ("DL-1001;50;", "DL-1001", 50),
            ("DL-1001 50;", "DL-1001", 50),
            ("DL-1001 x 50", "DL-1001", 50),
            ("DL-1001 x50", "DL-1001", 50),
            ("DL-1001 × 50", "DL-1001", 50),
            ("DL-1001 50x", "DL-1001", 50),
            ("DL-1001 * 50", "DL-1001", 50),
            ("DL-1001 - 50", "DL-1001", 50),
            ("DL-1001: 50", "DL-1001", 50),
            ("DL-1001 = 50", "DL-1001", 50),
            ("DL-1001 qty 50", "DL-1001", 50),
            ("DL-1001 Qty: 50", "DL-1001", 50),
            ("DL-1001 50 pcs", "DL-1001", 50),
            ("DL-1001 50pcs", "DL-1001", 50),
            ("DL-1001 50 Stück", "DL-1001", 50),
            ("50 x DL-1001", "DL-1001", 50),
            ("50x DL-1001", "DL-1001", 50),
            ("50 pcs DL-1001", "DL-1001", 50),
            ("50 DL-1001", "DL-1001", 50),
            ("50,DL-1001", "DL-1001", 50),
            ("50 x 0 986 479 612", "0 986 479 612", 50),
            ("0 986 479 612 50", "0 986 479 612", 50),
            ("Bosch 0 986 479 B12 50", "Bosch 0 986 479 B12", 50),
            ("Bosch;0 986 479 B12;50", "Bosch 0 986 479 B12", 50),
            ("0012345 60", "0012345", 60),
            ("='0012345',60", "0012345", 60),
            ("1E10 50", "1E10", 50),
            ("DL-1001 1,000", "DL-1001", 1_000),
            ("DL-1001 1 000", "DL-1001", 1_000),
            ("\"DL-1001\",\"1,000\"", "DL-1001", 1_000),
            ("DL-1001\t1,000", "DL-1001", 1_000),
            ("DL-1001 50.00", "DL-1001", 50),
        ] {
            assert_eq!(first(text), (number.to_owned(), units(quantity)), "{text:?}");
        }
    }

    #[test]
    fn a_line_without_a_quantity_says_so() {
        for (text, number) in [
            ("DL-1001", "DL-1001"),
            ("DL-1001\t", "DL-1001"),
            ("DL-1001,", "DL-1001"),
            ("Bosch,0986479B12", "Bosch 0986479B12"),
            ("Bosch 0 986 479 B12", "Bosch 0 986 479 B12"),
            ("0986479612", "0986479612"),
            ("1E10", "1E10"),
        ] {
            assert_eq!(first(text), (number.to_owned(), AskedUnits::Missing), "{text:?}");
        }
    }

    #[test]
    fn what_can_be_read_in_several_ways_is_decided_by_what_is_found() {
        let all = |text: &str| -> Vec<String> {
            let written = |reading: Reading| match reading.quantity {
                AskedUnits::Units(units) => format!("{} x {}", reading.number, units.get()),
                other => format!("{} x {other:?}", reading.number),
            };
            only(text).into_iter().map(written).collect()
        };
        assert_eq!(all("0 986 479 612"), ["0 986 479 x 612", "0 986 479 612 x Missing"]);
        assert_eq!(all("DL-1001x50"), ["DL-1001x50 x Missing", "DL-1001 x 50"]);
        assert_eq!(all("60 50"), ["60 x 50", "50 x 60", "60 50 x Missing"]);
        assert_eq!(all("60,50"), ["60 x 50", "50 x 60"]);
        assert_eq!(all("DL-1001,50"), ["DL-1001 x 50"]);
        assert_eq!(all("0986479B12,Bosch"), ["0986479B12 Bosch x Missing", "Bosch 0986479B12 x Missing"]);
        assert_eq!(
            all("Bosch,DL-1 1,500"),
            ["Bosch,DL-1 x 1500", "Bosch,DL-1 1,500 x Missing", "Bosch DL-1 1 x 500", "DL-1 1 Bosch x 500"],
            "the four likeliest ones",
        );
    }

    #[test]
    fn what_cannot_be_ordered_has_its_own_reason() {
        for (text, fault) in [
            ("DL-1001 0", UnitsFault::Zero),
            ("DL-1001 -5", UnitsFault::Negative),
            ("DL-1001 1.5", UnitsFault::Fraction),
            ("DL-1001;1,5", UnitsFault::Fraction),
            ("DL-1001 1.000", UnitsFault::Unclear),
            ("DL-1001 99999999999", UnitsFault::TooLarge),
            ("part,qty\nDL-1001,many", UnitsFault::Unreadable),
            ("part,qty\nDL-1001,1E10", UnitsFault::Unreadable),
        ] {
            assert_eq!(first(text), ("DL-1001".to_owned(), AskedUnits::Refused(fault)), "{text:?}");
        }
        let long = format!("{} 50", "A".repeat(49));
        let wide = |bytes: usize| format!("DL-1001{:>1$}", 50, bytes - "DL-1001".len());
        assert_eq!(first(&wide(500)), ("DL-1001".to_owned(), units(50)));
        for (text, fault) in [
            ("---", LineFault::NoNumber),
            ("=;=", LineFault::NoNumber),
            (long.as_str(), LineFault::LongNumber),
            ("a,b,c,d", LineFault::ManyColumns),
            ("DL-1001,1,000", LineFault::Thousands),
            ("part,qty\nDL-1001,1,000", LineFault::TooManyCells),
            ("part,qty\n,50", LineFault::NoNumber),
            (&"A ".repeat(300), LineFault::TooLong),
            (&wide(501), LineFault::TooLong),
        ] {
            assert_eq!(read(text).unwrap()[0].readings, Err(fault), "{text:?}");
        }
        for text in ["Bosch,1234,50", "Bosch,12,50", "Bosch,123,5000", "Bosch,AB3,500"] {
            assert!(read(text).unwrap()[0].readings.is_ok(), "{text:?} has no comma between thousands");
        }
    }

    #[test]
    fn a_header_names_columns_in_any_order() {
        for text in [
            "Part number,Qty\nBosch 12,50",
            "qty;sku\n50;Bosch 12",
            "Quantity\tBrand\tMPN\n50\tBosch\t12",
            "brand,part no.,description,quantity\n\"Bosch\",\"12\",\"Disc, front\",\"50\"",
            "\u{feff}Part number,Qty\r\nBosch 12,50\r\n",
            "Part number Quantity\nBosch 12 50",
            "Qty Part number\n50 Bosch 12",
            "SKU\nBosch 12 50",
            "SKU,Qty\nBosch 12 50",
        ] {
            let lines = read(text).unwrap();
            assert_eq!(lines.len(), 1, "{text:?}");
            assert_eq!(lines[0].line, 2);
            let reading = &lines[0].readings.as_ref().unwrap()[0];
            assert_eq!((reading.number.as_str(), reading.quantity), ("Bosch 12", units(50)), "{text:?}");
        }
    }

    #[test]
    fn a_line_is_shown_as_it_was_written_up_to_two_hundred_characters() {
        let shown = |text: &str| read(text).unwrap().remove(0).text;
        assert_eq!(shown("  DL-1001\t50 "), "DL-1001\t50");
        assert_eq!(shown(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(shown(&"é".repeat(201)), format!("{}…", "é".repeat(200)));
    }

    #[test]
    fn lines_keep_their_numbers_however_they_end_and_blank_ones_are_skipped() {
        let numbers = |text: &str| -> Vec<u32> { read(text).unwrap().iter().map(|line| line.line).collect() };
        assert_eq!(numbers("a1 50\n\nb2 50\n"), [1, 3]);
        assert_eq!(numbers("\r\na1 50\r\nb2 50\r\n\r\n"), [2, 3]);
        assert_eq!(numbers("a1 50\rb2 50\r"), [1, 2]);
        assert_eq!(numbers("a1,50\n,\n;;\n\t\nb2,50"), [1, 5]);
        assert_eq!(numbers(""), [] as [u32; 0]);
        assert_eq!(numbers("\u{feff}\n \n"), [] as [u32; 0]);
    }

    #[test]
    fn a_thousand_lines_are_read_and_no_more() {
        let most = "DL-1 50\n\n".repeat(1_000);
        assert_eq!(read(&most).unwrap().len(), 1_000);
        assert_eq!(read(&format!("sku,qty\n{most}")).unwrap().len(), 1_000);
        assert_eq!(read(&format!("{most}DL-1 50")), Err(TooManyLines));
    }

    proptest! {
        #[test]
        fn every_line_that_is_not_blank_is_one_line(
            lines in prop::collection::vec("[ -~\t]{0,40}|\\PC{0,20}", 0..20),
            end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        ) {
            let text = lines.join(end);
            let read = read(&text).unwrap();
            let filled = (1..).zip(&lines).filter(|(_, line)| !is_blank(line.trim_start_matches('\u{feff}')));
            let numbers: Vec<u32> = filled.map(|(line, _)| line).collect();
            // The first one may be a header.
            let skipped = numbers.len() - read.len();
            prop_assert!(skipped <= 1);
            let kept: Vec<u32> = read.iter().map(|line| line.line).collect();
            prop_assert_eq!(&kept[..], &numbers[skipped..]);
            for line in &read {
                if let Ok(readings) = &line.readings {
                    prop_assert!((1..=4).contains(&readings.len()));
                    prop_assert!(readings.iter().all(|reading| crate::PartKey::new(&reading.number).is_ok()));
                }
            }
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = read(&text);
        }

        #[test]
        fn what_was_read_is_read_again_from_its_canonical_line(
            line in "[A-Z]{0,6}[ ]?[0-9A-Z./-]{1,8}[ ]{0,1}[0-9A-Z\"'=]{0,5}[ ,;\tx]{1,3}[0-9]{1,6}( pcs)?",
        ) {
            for read_first in read(&line).unwrap() {
                for reading in read_first.readings.unwrap_or_default() {
                    let again = read(&reading.canonical()).unwrap();
                    prop_assert_eq!(again.len(), 1);
                    let quantity = match reading.quantity {
                        AskedUnits::Refused(_) => AskedUnits::Missing,
                        other => other,
                    };
                    let expected = Reading { quantity, ..reading.clone() };
                    prop_assert_eq!(&again[0].readings.as_ref().unwrap()[0], &expected, "{:?}", reading.canonical());
                }
            }
        }
    }
}

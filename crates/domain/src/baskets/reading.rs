//! The ways in which one line can be read.

use super::cells::{SEPARATORS, cells};
use super::header::{Columns, FirstLine};
use super::line::{AskedUnits, LineFault, Reading};
use super::units::{UnitsFault, is_pieces, written};
use crate::PartKey;
use crate::catalog::part_number::PartKeyError;
use crate::platform::cells::unguarded;

/// How many ways to read a line are kept.
const READINGS_MAX: usize = 4;
/// The longest line that is read, in bytes.
const LINE_MAX: usize = 500;

/// The ways in which a line can be read, likeliest first.
pub(super) fn read(line: &str, first: &FirstLine) -> Result<Vec<Reading>, LineFault> {
    if line.len() > LINE_MAX {
        return Err(LineFault::TooLong);
    }
    let mut readings = Readings::default();
    match first {
        FirstLine::Columns(columns) if line.contains(columns.separator) => {
            in_columns(&mut readings, line, columns)?;
        }
        FirstLine::Columns(_) | FirstLine::Line => free(&mut readings, line, false)?,
        FirstLine::Words { quantity_first } => free(&mut readings, line, *quantity_first)?,
    }
    readings.all()
}

#[derive(Default)]
struct Readings {
    kept: Vec<Reading>,
    is_long: bool,
}

impl Readings {
    fn add(&mut self, number: &str, quantity: AskedUnits) {
        let number = clean(number);
        match PartKey::new(&number) {
            Ok(_) if self.kept.len() < READINGS_MAX => {
                let reading = Reading { number, quantity };
                if !self.kept.contains(&reading) {
                    self.kept.push(reading);
                }
            }
            Err(PartKeyError::TooLong) => self.is_long = true,
            _ => {}
        }
    }

    fn all(self) -> Result<Vec<Reading>, LineFault> {
        match (self.kept.is_empty(), self.is_long) {
            (false, _) => Ok(self.kept),
            (true, true) => Err(LineFault::LongNumber),
            (true, false) => Err(LineFault::NoNumber),
        }
    }
}

/// A number without what spreadsheets put around it, and with single blanks.
fn clean(number: &str) -> String {
    let mut number = number.split_whitespace().collect::<Vec<_>>().join(" ");
    loop {
        let bare = unguarded(&number);
        let bare = bare.trim_matches(|c: char| matches!(c, '"' | '\'' | '=' | ',' | ';' | ':') || c.is_whitespace());
        if bare == number {
            return number;
        }
        number = String::from(bare);
    }
}

fn asked(word: &str) -> Option<AskedUnits> {
    written(word).map(|written| written.units.map_or_else(AskedUnits::Refused, AskedUnits::Units))
}

fn in_columns(readings: &mut Readings, line: &str, columns: &Columns) -> Result<(), LineFault> {
    let cells = cells(line, columns.separator);
    if cells.iter().skip(columns.count).any(|cell| !cell.is_empty()) {
        return Err(LineFault::TooManyCells);
    }
    let cell = |place: Option<usize>| place.and_then(|place| cells.get(place)).map_or("", String::as_str);
    let quantity = match cell(columns.quantity) {
        "" => AskedUnits::Missing,
        typed => asked(typed).unwrap_or(AskedUnits::Refused(UnitsFault::Unreadable)),
    };
    let number = cell(Some(columns.number));
    if clean(number).is_empty() {
        return Err(LineFault::NoNumber);
    }
    readings.add(&format!("{} {number}", cell(columns.brand)), quantity);
    Ok(())
}

/// A line without a header: cells if a sign separates them, else words.
fn free(readings: &mut Readings, line: &str, quantity_first: bool) -> Result<(), LineFault> {
    let Some(separator) = SEPARATORS.into_iter().find(|separator| line.contains(*separator)) else {
        in_words(readings, line, quantity_first);
        return Ok(());
    };
    let all = cells(line, separator);
    let filled: Vec<&str> = all.iter().map(String::as_str).filter(|cell| !clean(cell).is_empty()).collect();
    let last_word = line.split_whitespace().next_back().unwrap_or_default();
    if separator == ',' && last_word.contains(',') && line.trim() != last_word && written(last_word).is_some() {
        // A comma between thousands.
        in_words(readings, line, quantity_first);
    }
    match filled[..] {
        [] => {}
        [only] => {
            // Nothing behind the number is no quantity.
            if separator == '\t' && all.first().is_some_and(|cell| cell == only) {
                readings.add(only, AskedUnits::Missing);
            }
            in_words(readings, only, quantity_first);
        }
        [first, second] => in_pair(readings, first, second, quantity_first),
        [_, thousands, rest] if separator == ',' && is_cut_in_thousands(thousands, rest) => {
            return Err(LineFault::Thousands);
        }
        [first, second, third] => in_three(readings, first, second, third),
        _ => return Err(LineFault::ManyColumns),
    }
    Ok(())
}

/// Whether two cells are a number with a comma between its thousands.
fn is_cut_in_thousands(thousands: &str, rest: &str) -> bool {
    let are_digits = |cell: &str| cell.bytes().all(|digit| digit.is_ascii_digit());
    are_digits(thousands) && thousands.len() <= 3 && are_digits(rest) && rest.len() == 3
}

fn in_pair(readings: &mut Readings, first: &str, second: &str, quantity_first: bool) {
    let behind = asked(second).map(|quantity| (first, quantity));
    let before = asked(first).map(|quantity| (second, quantity));
    let both = if quantity_first { [before, behind] } else { [behind, before] };
    for (number, quantity) in both.into_iter().flatten() {
        readings.add(number, quantity);
    }
    if behind.is_none() && before.is_none() {
        // A brand and its number, either way.
        readings.add(&format!("{first} {second}"), AskedUnits::Missing);
        readings.add(&format!("{second} {first}"), AskedUnits::Missing);
    }
}

fn in_three(readings: &mut Readings, first: &str, second: &str, third: &str) {
    if let Some(quantity) = asked(third) {
        readings.add(&format!("{first} {second}"), quantity);
        readings.add(&format!("{second} {first}"), quantity);
        readings.add(first, quantity);
        readings.add(second, quantity);
    } else if let Some(quantity) = asked(first) {
        readings.add(&format!("{second} {third}"), quantity);
        readings.add(second, quantity);
    } else if let Some(quantity) = asked(second) {
        readings.add(first, quantity);
        readings.add(&format!("{third} {first}"), quantity);
    } else {
        readings.add(&format!("{first} {second} {third}"), AskedUnits::Missing);
    }
}

/// Words with blanks between them. A number may have blanks inside, so that the quantity is the last word, unless the first
/// one says that it is the quantity.
fn in_words(readings: &mut Readings, text: &str, quantity_first: bool) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (behind, before) = (quantity_behind(&words), quantity_before(&words));
    let is_first = before.as_ref().is_some_and(|(_, is_marked)| *is_marked || quantity_first);
    let may_be_first = is_first || behind.is_none() || words.len() == 2;
    let before = before.filter(|_| may_be_first).map(|(reading, _)| reading);
    let both = if is_first { [before, behind.clone()] } else { [behind.clone(), before] };
    if let Some((number, quantity)) = thousands_with_a_blank(&words) {
        readings.add(&number, quantity);
    }
    for (number, quantity) in both.into_iter().flatten() {
        readings.add(&number, quantity);
    }
    readings.add(&words.join(" "), AskedUnits::Missing);
    if behind.is_none()
        && let Some((number, quantity)) = glued(&words)
    {
        readings.add(&number, quantity);
    }
}

type Read = (String, AskedUnits);

/// Whether a word only stands between number and quantity.
fn is_between(word: &str) -> bool {
    let bare = word.trim_end_matches([':', '.', '=']).to_lowercase();
    matches!(bare.as_str(), "" | "x" | "×" | "*" | "-" | "–" | "qty" | "quantity" | "menge" | "@")
}

/// `number 50`, `number x 50`, `number 50 pcs`, `number qty 50`.
fn quantity_behind(words: &[&str]) -> Option<Read> {
    let (last, rest) = words.split_last()?;
    let (word, mut number) = match rest.split_last() {
        Some((counted, rest)) if is_pieces(last) && written(counted).is_some() => (*counted, rest),
        _ => (*last, rest),
    };
    let quantity = asked(word)?;
    while let Some((_, rest)) = number.split_last().filter(|(word, _)| is_between(word)) {
        number = rest;
    }
    (!number.is_empty()).then(|| (number.join(" "), quantity))
}

/// `50 number`, `50 x number`, `50x number`, `50 pcs number`; and whether a word says so.
fn quantity_before(words: &[&str]) -> Option<(Read, bool)> {
    let (first, mut number) = words.split_first()?;
    let mut is_marked = written(first)?.is_marked;
    let quantity = asked(first)?;
    while let Some((_, rest)) = number.split_first().filter(|(word, _)| is_between(word) || is_pieces(word)) {
        is_marked = true;
        number = rest;
    }
    (!number.is_empty()).then(|| ((number.join(" "), quantity), is_marked))
}

/// `number 50 000`: as a quantity of its own the last word would be none.
fn thousands_with_a_blank(words: &[&str]) -> Option<Read> {
    let [number @ .., thousands, "000"] = words else { return None };
    let quantity = asked(&format!("{thousands},000")).filter(|_| !number.is_empty())?;
    is_cut_in_thousands(thousands, "000").then(|| (number.join(" "), quantity))
}

/// `numberx50`, `number*50`, `number=50`.
fn glued(words: &[&str]) -> Option<Read> {
    let (last, rest) = words.split_last()?;
    let at = last.rfind(['x', 'X', '×', '*', '=', ':'])?;
    let (number, marked) = last.split_at(at);
    let quantity = asked(marked.trim_start_matches(['x', 'X', '×', '*', '=', ':']))?;
    (!number.is_empty()).then(|| ([rest, &[number]].concat().join(" "), quantity))
}

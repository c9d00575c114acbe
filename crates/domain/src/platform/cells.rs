//! Cells of files that spreadsheets read and write.
//!
//! Wherever a spreadsheet could see the beginning of a formula, an apostrophe is added on export and removed on import:
//! at the beginning of a cell, and after semicolons, tabs and line breaks, at which spreadsheets of other locales split
//! cells. A cell that begins with apostrophes and would then be a formula gets another one, so that every text
//! round-trips.

/// What a spreadsheet takes for the beginning of a formula, also as Japanese keyboards type it.
pub const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Where a reader may see a cell begin although none does: spreadsheets of other locales split cells at semicolons or
/// tabs, and a reader that does not know quotation marks ends them at line breaks.
const BREAKS: [char; 4] = [';', '\t', '\n', '\r'];

/// Whether a spreadsheet would take this text for a formula, once it has removed what it takes for quoting.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches(['\'', '"', ' ']).starts_with(SIGNS)
}

/// The same for a whole cell, which must not begin with a tab or a line break either (OWASP, "CSV Injection").
fn begins_formula(cell: &str) -> bool {
    is_formula(cell) || cell.trim_start_matches('\'').starts_with(['\t', '\r', '\n'])
}

/// The parts of a cell that a reader might take for cells, each with the separator before it.
fn parts(cell: &str) -> impl Iterator<Item = (Option<char>, &str)> {
    let mut rest = Some((None, cell));
    std::iter::from_fn(move || {
        let (first, part) = rest.take()?;
        let Some(at) = part.find(BREAKS) else { return Some((first, part)) };
        let (part, next) = part.split_at(at);
        let mut characters = next.chars();
        rest = characters.next().map(|sign| (Some(sign), characters.as_str()));
        Some((first, part))
    })
}

/// A cell with an apostrophe wherever a formula could begin.
#[must_use]
pub fn guarded(cell: &str) -> String {
    let mut guarded = String::with_capacity(cell.len() + 1);
    for (first, part) in parts(cell) {
        guarded.extend(first);
        if is_formula(part) || first.is_none() && begins_formula(cell) {
            guarded.push('\'');
        }
        guarded.push_str(part);
    }
    guarded
}

/// The cell without the apostrophes that [`guarded`] added.
#[must_use]
pub fn unguarded(cell: &str) -> String {
    let mut bare = String::with_capacity(cell.len());
    for (first, part) in parts(cell) {
        bare.extend(first);
        let guard = part.strip_prefix('\'');
        let guard = guard
            .filter(|rest| is_formula(rest) || first.is_none() && cell.strip_prefix('\'').is_some_and(begins_formula));
        bare.push_str(guard.unwrap_or(part));
    }
    bare
}

/// A number of dollars; where semicolons separate the cells, a comma may separate dollars from cents.
///
/// # Errors
/// What it has to be, for anything else: also for a number that only a program writes, such as `1E3`.
pub fn dollars(cell: &str, semicolons: bool) -> Result<f64, &'static str> {
    let cents = cell.split_once(',').map(|(_, cents)| cents);
    let has_comma = semicolons && !cell.contains('.') && cents.is_some_and(|cents| matches!(cents.len(), 1..=2));
    let cell = if has_comma { cell.replacen(',', ".", 1) } else { cell.to_owned() };
    let plain = cell.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    cell.parse().ok().filter(|_| plain).ok_or("must be a number such as 129.50")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_cell_begins_a_formula_and_every_text_comes_back() {
        for (cell, written) in [
            ("Brake disc", "Brake disc"),
            ("=1+1", "'=1+1"),
            ("'=1", "''=1"),
            (" @SUM", "' @SUM"),
            ("\tplain", "'\tplain"),
            ("'\nplain", "''\nplain"),
            ("a;=1", "a;'=1"),
            ("a\n＝1;b", "a\n'＝1;b"),
            ("it's", "it's"),
            ("'quoted'", "'quoted'"),
        ] {
            assert_eq!(guarded(cell), written, "{cell:?}");
            assert_eq!(unguarded(written), cell, "{written:?}");
        }
    }

    #[test]
    fn a_price_is_a_plain_number_and_a_decimal_comma_needs_semicolons() {
        for (cell, semicolons, expected) in [
            ("129.5", false, Some(129.5)),
            ("129,50", true, Some(129.5)),
            ("129.50", true, Some(129.5)),
            ("-3", false, Some(-3.0)),
            ("129,50", false, None),
            ("1,299", true, None),
            ("1.299,50", true, None),
            ("1e3", false, None),
            ("NaN", false, None),
            ("inf", false, None),
            ("$5", false, None),
        ] {
            assert_eq!(dollars(cell, semicolons).ok(), expected, "{cell}");
        }
    }
}

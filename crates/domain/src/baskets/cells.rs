//! Cells of one line, as spreadsheets write them.

/// What may separate cells, in the order in which it is looked for.
pub(super) const SEPARATORS: [char; 3] = ['\t', ';', ','];

/// The cells of a line, without the blanks around them. A quoted cell may contain the separator; a quotation mark that is
/// never closed is one of an inch.
pub(super) fn cells(line: &str, separator: char) -> Vec<String> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, next) = quoted(rest, separator).unwrap_or_else(|| plain(rest, separator));
        cells.push(cell);
        match next {
            Some(next) => rest = next,
            None => return cells,
        }
    }
}

fn plain(rest: &str, separator: char) -> (String, Option<&str>) {
    match rest.split_once(separator) {
        Some((cell, next)) => (cell.trim().to_owned(), Some(next)),
        None => (rest.trim().to_owned(), None),
    }
}

/// A cell in quotation marks, up to the separator behind it; `None` if it is none.
fn quoted(rest: &str, separator: char) -> Option<(String, Option<&str>)> {
    let mut inside = rest.trim_start_matches(' ').strip_prefix('"')?;
    let mut cell = String::new();
    loop {
        let (part, after) = inside.split_once('"')?;
        cell.push_str(part);
        if let Some(escaped) = after.strip_prefix('"') {
            cell.push('"');
            inside = escaped;
            continue;
        }
        let after = after.trim_start_matches(' ');
        let cell = cell.trim().to_owned();
        if after.is_empty() {
            return Some((cell, None));
        }
        return after.strip_prefix(separator).map(|next| (cell, Some(next)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_cells_may_contain_separators_and_inches_stay() {
        for (line, expected) in [
            ("DL-1,50", vec!["DL-1", "50"]),
            (" DL-1 , 50 ", vec!["DL-1", "50"]),
            ("\"DL,1\",\"1,000\"", vec!["DL,1", "1,000"]),
            ("\"say \"\"12\"\"\", 5", vec!["say \"12\"", "5"]),
            ("12\" disc,5", vec!["12\" disc", "5"]),
            ("\"open,5", vec!["\"open", "5"]),
            ("\"a\"b,5", vec!["\"a\"b", "5"]),
            ("a,,", vec!["a", "", ""]),
            ("", vec![""]),
        ] {
            assert_eq!(cells(line, ','), expected, "{line}");
        }
    }
}

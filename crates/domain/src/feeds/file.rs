//! What is noted of a file while its pieces come.

use sha2::{Digest, Sha256};

/// Tells a file's length, hash and encoding, and what is no file of ours.
#[derive(Debug, Clone, Default)]
pub struct FileWatch {
    bytes: u64,
    hash: Sha256,
    /// The first bytes.
    begins: Vec<u8>,
    /// The beginning of a character whose end is in the next piece.
    open: Vec<u8>,
    not_utf8: bool,
}

impl FileWatch {
    /// Notes the next piece.
    pub fn see(&mut self, piece: &[u8]) {
        self.bytes += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.hash.update(piece);
        let room = 4_usize.saturating_sub(self.begins.len());
        self.begins.extend(piece.iter().take(room));
        if self.not_utf8 {
            return;
        }
        let mut text = std::mem::take(&mut self.open);
        text.extend_from_slice(piece);
        if let Err(error) = std::str::from_utf8(&text) {
            self.not_utf8 = error.error_len().is_some();
            self.open = text.split_off(error.valid_up_to());
        }
    }

    /// How many bytes have come.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether all of it is UTF-8; asked at its end.
    #[must_use]
    pub const fn is_utf8(&self) -> bool {
        !self.not_utf8 && self.open.is_empty()
    }

    /// The hash of all that has come.
    #[must_use]
    pub fn sha256(self) -> [u8; 32] {
        self.hash.finalize().into()
    }

    /// What to do about a file that is no text, by its first bytes.
    #[must_use]
    pub fn is_no_text(&self) -> Option<&'static str> {
        match self.begins.as_slice() {
            [0x1f, 0x8b, ..] | [b'B', b'Z', b'h', b'1'..=b'9'] | [0x28, 0xb5, 0x2f, 0xfd] => {
                Some("This file is compressed. Send it unpacked.")
            }
            b"PK\x03\x04" => Some("This is a zip archive or a spreadsheet. Save it as CSV and send that."),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("This file is UTF-16 text. Save it as CSV in UTF-8."),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(pieces: &[&[u8]]) -> FileWatch {
        let mut watch = FileWatch::default();
        for piece in pieces {
            watch.see(piece);
        }
        watch
    }

    #[test]
    fn utf_8_is_known_however_the_pieces_cut_it() {
        let text = "Bremsscheibe für Škoda – 12 € 🚗".as_bytes();
        for at in 0..text.len() {
            assert!(seen(&[&text[..at], &text[at..]]).is_utf8(), "{at}");
        }
        assert!(seen(&text.chunks(1).collect::<Vec<_>>()).is_utf8());
        for other in [&b"B\xe4rlin"[..], b"\xff", "cut off: 🚗".as_bytes().split_last().unwrap().1] {
            assert!(!seen(&other.chunks(1).collect::<Vec<_>>()).is_utf8());
            assert!(!seen(&[other]).is_utf8());
        }
        assert!(seen(&[]).is_utf8());
    }

    #[test]
    fn what_is_no_text_is_known_by_its_first_bytes() {
        let compressed: [&[u8]; 4] = [b"\x1f\x8b\x08\x00", b"BZh1", b"BZh9", b"\x28\xb5\x2f\xfd"];
        for file in compressed {
            let why = seen(&file.chunks(1).collect::<Vec<_>>()).is_no_text();
            assert_eq!(why, Some("This file is compressed. Send it unpacked."), "{file:?}");
        }
        for file in [&b"PK\x03\x04"[..], b"\xff\xfeb\0"] {
            assert!(seen(&file.chunks(1).collect::<Vec<_>>()).is_no_text().is_some());
        }
        assert_eq!(seen(&[b"brand,part_number"]).is_no_text(), None);
    }

    #[test]
    fn a_file_has_its_length_and_its_hash_however_the_pieces_cut_it() {
        let file = b"brand,part_number\nBosch,0 986 479 099\n";
        let hash: [u8; 32] = Sha256::digest(file).into();
        for size in [1, 7, file.len()] {
            let watch = seen(&file.chunks(size).collect::<Vec<_>>());
            assert_eq!((watch.bytes(), watch.sha256()), (38, hash), "in pieces of {size}");
        }
    }
}

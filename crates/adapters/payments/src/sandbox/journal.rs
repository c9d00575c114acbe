//! The sandbox's journal on disk: one JSON document per line, append-only.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use domain::{Money, Payable, ProviderRefundId, RefundId, Timestamp, TransactionId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::cards::Course;

/// Why the sandbox's journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It can be neither created nor written.
    #[error("cannot write to {}: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// Another process has it open.
    #[error("{} is already in use; stop that one first", path.display())]
    InUse { path: PathBuf },
    /// It holds something that no sandbox wrote. A torn last line, which a crash can leave, is dropped instead.
    #[error("{} is damaged{}: move it out of the way", path.display(), at(*line))]
    Damaged {
        path: PathBuf,
        /// The damaged line, from 1; `None` if the entries contradict each other.
        line: Option<usize>,
    },
    /// The system cannot start a thread for the ledger.
    #[error("cannot start the sandbox's ledger: {0}")]
    NoThread(#[source] io::Error),
}

fn at(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(" in line {line}"))
}

impl JournalError {
    pub(super) fn contradicts_itself(path: &Path) -> Self {
        Self::Damaged { path: path.to_owned(), line: None }
    }
}

/// Something that happened to a payment. It cannot hold card data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Opened { id: TransactionId, secret: String, order: Payable, attempt: u32, amount: Money },
    Succeeded { id: TransactionId, course: Course },
    Cancelled { id: TransactionId },
    Refunded { id: TransactionId, back: Back },
}

/// A refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Back {
    /// The id that the sandbox issued.
    pub(super) id: ProviderRefundId,
    /// The shop's refund and its attempt number.
    pub(super) refund: Option<(RefundId, u32)>,
    /// `None` in journals from before amounts were recorded: the full amount.
    pub(super) amount: Option<Money>,
    /// When it was made; with a card whose refunds fail, it fails some time after this.
    pub(super) at: Timestamp,
}

/// The serialised form of an entry.
#[derive(Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
enum Line {
    Opened {
        id: String,
        secret: String,
        order: String,
        attempt: u32,
        cents: i64,
    },
    Succeeded {
        id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        course: Option<String>,
    },
    Cancelled {
        id: String,
    },
    Refunded {
        id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        back: Option<BackLine>,
    },
}

/// The serialised form of a refund.
#[derive(Serialize, Deserialize)]
struct BackLine {
    id: String,
    refund: Option<String>,
    attempt: u32,
    cents: Option<i64>,
    at: i64,
}

const REFUND_FAILS: &str = "refund_fails";
const DISPUTED: &str = "disputed";

impl From<&Entry> for Line {
    fn from(entry: &Entry) -> Self {
        match entry {
            Entry::Opened { id, secret, order, attempt, amount } => Self::Opened {
                id: id.to_string(),
                secret: secret.clone(),
                order: order.to_string(),
                attempt: *attempt,
                cents: amount.cents(),
            },
            Entry::Succeeded { id, course } => Self::Succeeded {
                id: id.to_string(),
                course: match course {
                    Course::Plain => None,
                    Course::RefundFails => Some(REFUND_FAILS.to_owned()),
                    Course::Disputed => Some(DISPUTED.to_owned()),
                },
            },
            Entry::Cancelled { id } => Self::Cancelled { id: id.to_string() },
            Entry::Refunded { id, back } => Self::Refunded {
                id: id.to_string(),
                back: Some(BackLine {
                    id: back.id.to_string(),
                    refund: back.refund.map(|(id, _)| id.to_string()),
                    attempt: back.refund.map_or(0, |(_, attempt)| attempt),
                    cents: back.amount.map(Money::cents),
                    at: back.at.as_second(),
                }),
            },
        }
    }
}

impl Line {
    fn understand(self) -> Option<Entry> {
        let entry = match self {
            Self::Opened { id, secret, order, attempt, cents } => Entry::Opened {
                id: id.parse().ok()?,
                secret,
                order: order.parse().ok()?,
                attempt,
                amount: Money::from_cents(cents).ok()?,
            },
            Self::Succeeded { id, course } => Entry::Succeeded {
                id: id.parse().ok()?,
                course: match course.as_deref() {
                    None => Course::Plain,
                    Some(REFUND_FAILS) => Course::RefundFails,
                    Some(DISPUTED) => Course::Disputed,
                    Some(_) => return None,
                },
            },
            Self::Cancelled { id } => Entry::Cancelled { id: id.parse().ok()? },
            Self::Refunded { id, back: None } => {
                // From before there could be several refunds: the only one is named after the payment.
                let back = Back {
                    id: format!("re_of_{id}").parse().ok()?,
                    refund: None,
                    amount: None,
                    at: Timestamp::UNIX_EPOCH,
                };
                Entry::Refunded { id: id.parse().ok()?, back }
            }
            Self::Refunded { id, back: Some(back) } => {
                let refund = match back.refund {
                    Some(refund) => Some((refund.parse().ok()?, back.attempt)),
                    None => None,
                };
                let back = Back {
                    id: back.id.parse().ok()?,
                    refund,
                    amount: back.cents.map(Money::from_cents).transpose().ok()?,
                    at: Timestamp::from_second(back.at).ok()?,
                };
                Entry::Refunded { id: id.parse().ok()?, back }
            }
        };
        Some(entry)
    }
}

fn parse(line: &[u8]) -> Option<Entry> {
    serde_json::from_slice::<Line>(line).ok()?.understand()
}

/// An open journal, locked against other processes as long as it lives.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// How many bytes of the file are known to be on disk.
    synced: u64,
}

impl Journal {
    /// Opens or creates a journal, and reads its entries. A torn last line is cut off.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<Entry>), JournalError> {
        let unwritable = |source| JournalError::Unwritable { path: path.to_owned(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(unwritable)?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            // It contains client secrets.
            .mode(0o600)
            .open(path)
            .map_err(unwritable)?;
        // A device has no end of file.
        if !file.metadata().map_err(unwritable)?.is_file() {
            return Err(unwritable(io::Error::other("it is not a regular file")));
        }
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse { path: path.to_owned() },
            TryLockError::Error(source) => unwritable(source),
        })?;
        // The file's directory entry has to survive a crash as well.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritable)?;
        let mut journal = Self { path: path.to_owned(), file, synced: 0 };
        let entries = journal.read_all()?;
        Ok((journal, entries))
    }

    /// A journal whose disk is full.
    #[cfg(test)]
    pub(super) fn that_cannot_grow(path: &Path) -> Self {
        Self { path: path.to_owned(), file: File::open(path).unwrap(), synced: fs::metadata(path).unwrap().len() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends entries; once it returns, they survive a crash. After an error, [`Journal::reread`] returns what was
    /// stored.
    pub(super) fn append(&mut self, entries: &[Entry]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut bytes, &Line::from(entry))?;
            bytes.push(b'\n');
        }
        self.file.write_all(&bytes)?;
        self.file.sync_data()?;
        self.synced += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off whatever was not acknowledged and reads the rest.
    pub(super) fn reread(&mut self) -> Result<Vec<Entry>, JournalError> {
        self.cut(self.synced)?;
        self.read_all()
    }

    fn read_all(&mut self) -> Result<Vec<Entry>, JournalError> {
        let unreadable = |path: &Path, source| JournalError::Unreadable { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.read_to_end(&mut bytes))
            .map_err(|source| unreadable(&self.path, source))?;
        let mut entries = Vec::new();
        let mut sound = 0;
        for (number, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            // A crash tears only the last line, and a line's newline is written last.
            let Some(whole) = line.strip_suffix(b"\n") else {
                tracing::warn!("the last line of the sandbox's journal is incomplete and is dropped");
                break;
            };
            entries.push(
                parse(whole)
                    .ok_or_else(|| JournalError::Damaged { path: self.path.clone(), line: Some(number + 1) })?,
            );
            sound += line.len();
        }
        self.cut(sound as u64)?;
        Ok(entries)
    }

    fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        let cut = |file: &mut File| {
            if file.metadata()?.len() != length {
                file.set_len(length)?;
                file.sync_all()?;
            }
            file.seek(SeekFrom::Start(length))
        };
        cut(&mut self.file).map_err(|source| JournalError::Unwritable { path: self.path.clone(), source })?;
        self.synced = length;
        Ok(())
    }
}

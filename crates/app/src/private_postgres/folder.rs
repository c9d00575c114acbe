//! The contents of the data folder, and the lock that makes sure that it is used once.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::rand::{GetRandomFlags, getrandom};

use super::error::StartError;

/// The file of the password, readable by its owner only.
pub(super) const PASSWORD_FILE: &str = "password";

/// A log longer than this is rotated at the next start, in bytes.
const LOG_LIMIT: u64 = 4 * 1024 * 1024;

/// How long to wait for the holder of the lock, which may be dying.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// How much of a log is read for its last lines, in bytes.
const TAIL_BYTES: i64 = 8 * 1024;

/// How many of a log's last lines an error repeats.
const TAIL_LINES: usize = 12;

/// The part of the data folder that belongs to the private Postgres, protected by a lock.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// Locked for as long as this value lives; the kernel releases the lock when the process dies in any way.
    _lock: File,
}

impl Folder {
    /// Creates the folder if it is missing, and locks it.
    pub(super) fn claim(data_dir: &Path) -> Result<Self, StartError> {
        let root = data_dir.join("postgres");
        // A new folder is private to its owner: its contents grant access. An existing one stays as it is.
        DirBuilder::new().recursive(true).mode(0o700).create(data_dir).map_err(unwritable(data_dir))?;
        fs::create_dir_all(&root).map_err(unwritable(data_dir))?;
        let root = fs::canonicalize(&root).map_err(unreadable(&root))?;
        let path = root.join("lock");
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(unwritable(&path))?;
        match lock_patiently(&lock) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // The holder's id is optional: the message works without it.
                let _ = lock.read_to_string(&mut holder);
                return Err(StartError::InUse { path: data_dir.to_owned(), pid: holder.trim().parse().ok() });
            }
            Err(TryLockError::Error(source)) => {
                return Err(StartError::Unwritable { path, source });
            }
        }
        lock.set_len(0).and_then(|()| write!(lock, "{}", std::process::id())).map_err(unwritable(&path))?;
        Ok(Self { root, _lock: lock })
    }

    /// The cluster. It is there completely or not at all.
    pub(super) fn cluster(&self) -> PathBuf {
        self.root.join("cluster")
    }

    /// Where a cluster is created before it is moved to its place.
    pub(super) fn unfinished_cluster(&self) -> PathBuf {
        self.root.join("cluster.new")
    }

    /// The folder of the Unix socket.
    pub(super) fn sockets(&self) -> PathBuf {
        self.root.join("run")
    }

    /// The output of Postgres and its programs.
    pub(super) fn log(&self) -> PathBuf {
        self.root.join("log")
    }

    /// The folder of all files of the private Postgres.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The stored password, if there is one.
    pub(super) fn stored_password(&self) -> Result<Option<Password>, StartError> {
        let path = self.password_file();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Password::parse(text.trim())),
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(StartError::Unreadable { path, source }),
        }
    }

    /// Stores a password, readable by its owner only.
    pub(super) fn store(&self, password: &Password) -> Result<(), StartError> {
        let path = self.password_file();
        let fresh = self.root.join("password.new");
        let _ = fs::remove_file(&fresh);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&fresh)
            .and_then(|mut file| {
                file.write_all(password.as_str().as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&fresh, &path))
            .map_err(unwritable(&path))
    }

    /// Opens the log for appending, after rotating a long one. Returns where the new part begins, in bytes.
    pub(super) fn open_log(&self) -> Result<(File, u64), StartError> {
        let path = self.log();
        let log = OpenOptions::new().append(true).create(true).mode(0o600).open(&path).map_err(unwritable(&path))?;
        let mut begin = log.metadata().map_err(unreadable(&path))?.len();
        if begin > LOG_LIMIT {
            // Copied and truncated, not renamed: the file keeps its owner, which may be another account at the next
            // start. Failing to keep old lines is no reason not to start.
            let _ = fs::copy(&path, self.root.join("log.old"));
            log.set_len(0).map_err(unwritable(&path))?;
            begin = 0;
        }
        Ok((log, begin))
    }

    /// The last lines of the log from byte `begin` on.
    pub(super) fn log_tail(&self, begin: u64) -> String {
        let mut text = Vec::new();
        let read = File::open(self.log()).and_then(|mut log| {
            let length = log.metadata()?.len();
            let from_end = length.saturating_sub(TAIL_BYTES.unsigned_abs());
            log.seek(SeekFrom::Start(begin.max(from_end)))?;
            log.read_to_end(&mut text)
        });
        match read {
            Ok(_) => last_lines(&String::from_utf8_lossy(&text)),
            Err(source) => source.to_string(),
        }
    }

    fn password_file(&self) -> PathBuf {
        self.root.join(PASSWORD_FILE)
    }
}

/// Takes the lock, and waits for a holder that was just killed: the kernel releases its lock a little later.
fn lock_patiently(lock: &File) -> Result<(), TryLockError> {
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(20));
            }
            settled => return settled,
        }
    }
}

/// The last lines of `text` that are not blank.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}

/// Creates an empty folder that only its owner may enter, whatever was there before.
pub(super) fn fresh_folder(path: &Path) -> io::Result<()> {
    remove(path)?;
    DirBuilder::new().mode(0o700).create(path)
}

/// Removes a folder and its contents; a missing one is no error.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> StartError {
    let path = path.to_owned();
    move |source| StartError::Unwritable { path, source }
}

pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> StartError {
    let path = path.to_owned();
    move |source| StartError::Unreadable { path, source }
}

/// 128 random bits in lower-case hexadecimal digits, so that neither SQL nor a URL needs them escaped.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Password(String);

impl Password {
    pub(super) fn generate() -> Result<Self, StartError> {
        let mut bits = [0_u8; 16];
        getrandom(&mut bits, GetRandomFlags::empty())
            .map_err(|source| StartError::System { what: "get random bits", source: source.into() })?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bits))))
    }

    /// A text that is not a password of ours counts as missing, and is replaced.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let ours = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        ours.then(|| Self(text.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Password(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_second_claim_names_the_first_holder_and_works_once_it_is_gone() {
        let data = tempfile::tempdir().unwrap();
        let first = Folder::claim(data.path()).unwrap();
        let Err(StartError::InUse { pid, .. }) = Folder::claim(data.path()) else {
            panic!("claimed twice");
        };
        assert_eq!(pid, Some(std::process::id()));
        drop(first);
        Folder::claim(data.path()).unwrap();
    }

    #[test]
    fn a_data_folder_that_is_a_file_is_reported_clearly() {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("data");
        fs::write(&file, "").unwrap();
        let refused = Folder::claim(&file).unwrap_err();
        assert!(matches!(refused, StartError::Unwritable { .. }), "{refused}");
        assert!(refused.to_string().contains(file.to_str().unwrap()));
    }

    #[test]
    fn the_password_is_readable_by_its_owner_only() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::claim(data.path()).unwrap();
        assert_eq!(folder.stored_password().unwrap(), None);
        let made = Password::generate().unwrap();
        folder.store(&made).unwrap();
        assert_eq!(folder.stored_password().unwrap(), Some(made.clone()));
        let permissions = fs::metadata(folder.password_file()).unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, 0o600);
        assert_ne!(made, Password::generate().unwrap());
        assert!(!format!("{made:?}").contains(made.as_str()));
    }

    #[test]
    fn a_password_file_with_anything_else_in_it_counts_as_lost() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::claim(data.path()).unwrap();
        for text in ["", "short", "'; DROP ROLE driveline; -- 0123456", "0123456789ABCDEF0123456789ABCDEF"] {
            fs::write(folder.password_file(), text).unwrap();
            assert_eq!(folder.stored_password().unwrap(), None, "{text}");
        }
    }

    #[test]
    fn a_long_log_is_rotated() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::claim(data.path()).unwrap();
        File::create(folder.log()).unwrap().set_len(LOG_LIMIT + 1).unwrap();
        let (mut log, begin) = folder.open_log().unwrap();
        assert_eq!(begin, 0);
        assert_eq!(fs::metadata(data.path().join("postgres/log.old")).unwrap().len(), LOG_LIMIT + 1);
        writeln!(log, "one\n\ntwo").unwrap();
        assert_eq!(folder.log_tail(begin), "one\ntwo");
        let (_, later) = folder.open_log().unwrap();
        assert_eq!(folder.log_tail(later), "");
    }

    #[test]
    fn only_the_last_lines_are_repeated() {
        let lines: Vec<String> = (0..40).map(|number| number.to_string()).collect();
        assert_eq!(last_lines(&lines.join("\n")), lines[28..].join("\n"));
    }
}

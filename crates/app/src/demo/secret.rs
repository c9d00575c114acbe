//! The secret that the demo signs tokens with: created once, and stored, so that tokens survive a restart.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use identity::TokenKeys;
use rustix::rand::{GetRandomFlags, getrandom};
use tempfile::NamedTempFile;

use crate::startup_error::StartupError;

/// The secret in the data folder; created if there is none. Only its owner can read it.
pub(super) fn kept_in(data_dir: &Path) -> Result<TokenKeys, StartupError> {
    let path = data_dir.join("token-secret");
    let secret = match fs::read_to_string(&path) {
        Ok(secret) => secret,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let secret =
                random().map_err(|error| StartupError::internal(format!("cannot get random bits: {error}")))?;
            keep(data_dir, &path, &secret)
                .map_err(|error| StartupError::refused(format!("cannot write to {}: {error}", path.display())))?;
            secret
        }
        Err(error) => return Err(StartupError::refused(format!("cannot read {}: {error}", path.display()))),
    };
    TokenKeys::new(secret.trim().as_bytes(), None)
        .map_err(|short| StartupError::refused(format!("{} holds no secret ({short}): remove it", path.display())))
}

/// 256 random bits in hexadecimal digits.
fn random() -> io::Result<String> {
    let mut bits = [0_u8; 32];
    getrandom(&mut bits, GetRandomFlags::empty())?;
    Ok(bits.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Written completely or not at all: half a secret would be refused at the next start.
fn keep(data_dir: &Path, path: &PathBuf, secret: &str) -> io::Result<()> {
    // A temporary file is readable by its owner only (0600), and stays so under its new name.
    let mut file = NamedTempFile::new_in(data_dir)?;
    file.write_all(secret.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_created_once_and_readable_by_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        kept_in(folder.path()).unwrap();
        let path = folder.path().join("token-secret");
        let first = fs::read_to_string(&path).unwrap();
        assert_eq!(first.len(), 64);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        kept_in(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_invalid_secret_is_reported_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token-secret");
        fs::write(&path, "short").unwrap();
        let Err(StartupError::Refused(lines)) = kept_in(folder.path()) else { panic!("a short secret was accepted") };
        assert!(lines.iter().any(|line| line.contains("token-secret") && !line.contains('\n')), "{lines:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "short");
    }
}

//! Finds the server that another process runs in a data folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::folder::{PASSWORD_FILE, Password};
use super::server::Endpoint;

/// The URL of a database of the server that runs in this data folder; `None` if there is none. Its process may be dying.
pub(crate) fn url(data_dir: &Path, database: &str) -> Option<String> {
    let root = fs::canonicalize(data_dir.join("postgres")).ok()?;
    // Postgres' own file: process, data folder, start, port, socket folder.
    let running = fs::read_to_string(root.join("cluster").join("postmaster.pid")).ok()?;
    let mut lines = running.lines().skip(3);
    let (port, sockets) = (lines.next()?.trim(), lines.next().unwrap_or_default().trim());
    let endpoint = if sockets.is_empty() {
        Endpoint::Loopback(port.parse().ok()?)
    } else {
        Endpoint::Socket(PathBuf::from(sockets))
    };
    let password = Password::parse(fs::read_to_string(root.join(PASSWORD_FILE)).ok()?.trim())?;
    Some(endpoint.url(password.as_str(), database))
}

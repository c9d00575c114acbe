//! Why a command failed.

/// Why a command failed. Each line is a sentence for the user at the terminal.
#[derive(Debug)]
pub(crate) enum StartupError {
    /// An error that the user can fix: a setting, a port, a folder, a database. Exit code 2.
    Refused(Vec<String>),
    /// Anything else. Exit code 1.
    Internal(String),
}

impl StartupError {
    /// One line about an error that the user can fix.
    pub(crate) fn refused(line: impl Into<String>) -> Self {
        Self::Refused(vec![line.into()])
    }

    /// One line about an internal error, ours or the machine's.
    pub(crate) fn internal(line: impl Into<String>) -> Self {
        Self::Internal(line.into())
    }
}

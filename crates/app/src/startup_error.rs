//! How a command reports that it failed.

use std::io::Write as _;
use std::process::ExitCode;

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
    pub(crate) fn broken(line: impl Into<String>) -> Self {
        Self::Internal(line.into())
    }

    /// Prints it on standard error, and returns the exit code.
    pub(crate) fn tell(self) -> ExitCode {
        let (lines, code) = match self {
            Self::Refused(lines) => (lines, 2),
            Self::Internal(line) => (vec![line], 1),
        };
        let mut stderr = std::io::stderr().lock();
        for line in lines {
            // There is no other place to report it.
            let _ = writeln!(stderr, "driveline: {line}");
        }
        ExitCode::from(code)
    }
}

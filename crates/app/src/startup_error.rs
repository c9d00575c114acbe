//! How a command says that it did not do its work.

use std::io::Write as _;
use std::process::ExitCode;

/// Why a command ended without having done its work. Each line is a sentence for the person at the terminal.
#[derive(Debug)]
pub(crate) enum StartupError {
    /// Something that whoever typed the command can put right: a setting, a port, a folder, a database. Exit code 2.
    Refused(Vec<String>),
    /// Anything else. Exit code 1.
    Internal(String),
}

impl StartupError {
    /// One line about something that can be put right.
    pub(crate) fn refused(line: impl Into<String>) -> Self {
        Self::Refused(vec![line.into()])
    }

    /// One line about a defect, ours or the machine's.
    pub(crate) fn broken(line: impl Into<String>) -> Self {
        Self::Internal(line.into())
    }

    /// Says it on standard error, and answers the exit code.
    pub(crate) fn tell(self) -> ExitCode {
        let (lines, code) = match self {
            Self::Refused(lines) => (lines, 2),
            Self::Internal(line) => (vec![line], 1),
        };
        let mut stderr = std::io::stderr().lock();
        for line in lines {
            // There is no other place to say it.
            let _ = writeln!(stderr, "driveline: {line}");
        }
        ExitCode::from(code)
    }
}

/// An error and everything behind it, as one line: `the database does not answer: connection refused`.
///
/// A cause that its effect has quoted already is not told twice.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !line.contains(&said) {
            line.push_str(": ");
            line.push_str(&said);
        }
        cause = error.source();
    }
    // Postgres' client library ends its sentences with line breaks, and writes one per address that it tried.
    line.lines().map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

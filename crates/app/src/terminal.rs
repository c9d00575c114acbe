//! What commands print for the user at the terminal.

use std::io::Write as _;
use std::process::ExitCode;

use crate::startup_error::StartupError;

/// Writes a line to standard output.
pub(crate) fn say(line: &str) -> Result<(), StartupError> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| StartupError::internal(format!("cannot write to standard output: {error}")))
}

/// Writes why a command failed to standard error, and returns its exit code.
pub(crate) fn report(error: StartupError) -> ExitCode {
    let (lines, code) = match error {
        StartupError::Refused(lines) => (lines, 2),
        StartupError::Internal(line) => (vec![line], 1),
    };
    let mut stderr = std::io::stderr().lock();
    for line in lines {
        // There is no other place to report it.
        let _ = writeln!(stderr, "driveline: {line}");
    }
    ExitCode::from(code)
}

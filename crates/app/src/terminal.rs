//! What commands print for the user at the terminal.

use std::io::Write as _;

use crate::startup_error::StartupError;

/// Writes a line to standard output.
pub(crate) fn say(line: &str) -> Result<(), StartupError> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| StartupError::internal(format!("cannot write to standard output: {error}")))
}

/// Writes why a command failed to standard error, and returns its exit code.
pub(crate) fn report(error: StartupError) -> u8 {
    let (lines, code) = match error {
        StartupError::Refused(lines) => (lines, 2),
        StartupError::Internal(line) => (vec![line], 1),
    };
    let mut stderr = std::io::stderr().lock();
    for line in lines {
        // There is no other place to report it.
        let _ = writeln!(stderr, "driveline: {line}");
    }
    code
}

/// Ends the process with an exit code, and at once: what libraries do when a process ends, above all OpenSSL, which frees what it
/// has, takes it from under a thread that is just opening a connection to the database, and the process ended by a fault.
pub(crate) fn leave(code: u8) -> ! {
    // There is nobody left to tell.
    let _ = std::io::stdout().flush();
    let _ = std::io::stderr().flush();
    signal_hook::low_level::exit(code.into())
}

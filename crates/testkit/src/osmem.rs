//! A server that speaks OpenSearch and keeps everything in memory, which others wrote.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};

/// A running server; ends when it is dropped.
pub struct Osmem {
    process: Child,
    url: String,
    /// It ends when this closes, however this process ends.
    _input: Option<ChildStdin>,
}

impl Osmem {
    /// Starts the program that `OSMEM_SERVER_BIN` names, on a free port.
    ///
    /// # Panics
    /// If there is none, or it does not start.
    #[must_use]
    pub fn start() -> Self {
        Self::on("127.0.0.1:0")
    }

    /// Starts it on a port that a former one had.
    ///
    /// # Panics
    /// As [`Osmem::start`].
    #[must_use]
    pub fn on(address: &str) -> Self {
        #[expect(clippy::disallowed_methods, reason = "tests have no configuration but this variable")]
        let program = std::env::var("OSMEM_SERVER_BIN").expect("OSMEM_SERVER_BIN: use `make test-search`");
        let mut process = Command::new(program)
            .args(["-addr", address, "-no-ja"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("osmem-server starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("an output");
        BufReader::new(output).read_line(&mut line).expect("a line about where it listens");
        let ready: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let url = ready["url"].as_str().expect("its address").to_owned();
        let input = process.stdin.take();
        Self { process, url, _input: input }
    }

    /// Its address, without a trailing slash.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its host and port.
    #[must_use]
    pub fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// Kills it, and all that it knew.
    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Osmem {
    fn drop(&mut self) {
        self.kill();
    }
}

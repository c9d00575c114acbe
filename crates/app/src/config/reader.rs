//! Reads variables of the environment and collects the complaints about them.

use std::ffi::OsString;
use std::str::FromStr;

use secrecy::SecretString;
use url::Url;

/// Looks up a variable of the environment.
pub(crate) type Environment = dyn Fn(&str) -> Option<OsString>;

/// Reads variables and collects the complaints about them.
pub(super) struct EnvReader<'a> {
    environment: &'a Environment,
    pub(super) complaints: Vec<String>,
}

impl<'a> EnvReader<'a> {
    pub(super) fn of(environment: &'a Environment) -> Self {
        Self { environment, complaints: Vec::new() }
    }

    /// A variable's text without surrounding space. An empty one counts as not set, because unfilled lines of
    /// `.env.example` are empty.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let Ok(text) = (self.environment)(name)?.into_string() else {
            self.complain(format!("{name} is not text"));
            return None;
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    pub(super) fn secret(&mut self, name: &str) -> Option<SecretString> {
        self.text(name).map(SecretString::from)
    }

    /// A variable that is not secret: its value may be repeated in the complaint.
    pub(super) fn parsed<T>(
        &mut self,
        name: &str,
        wanted: impl Into<String>,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let typed = self.text(name)?;
        let parsed = parse(&typed);
        if parsed.is_none() {
            self.complain(format!("{name} is {typed:?}, and has to be {}", wanted.into()));
        }
        parsed
    }

    /// A list separated by commas; not set is an empty list.
    pub(super) fn list<T>(&mut self, name: &str, wanted: &str, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let parse = |typed: &str| -> Option<Vec<T>> {
            typed.split(',').map(str::trim).filter(|part| !part.is_empty()).map(&parse).collect()
        };
        self.parsed(name, wanted, parse).unwrap_or_default()
    }

    pub(super) fn complain(&mut self, line: impl Into<String>) {
        self.complaints.push(line.into());
    }

    /// Reports that a variable is missing, unless there is a complaint about it already.
    pub(super) fn missing(&mut self, name: &str, wanted: &str) {
        if !self.complaints.iter().any(|line| line.starts_with(&format!("{name} "))) {
            self.complain(format!("{name} is not set: {wanted}"));
        }
    }
}

pub(super) fn has_more_than(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty())
}

pub(super) fn is_web(address: &str) -> bool {
    Url::from_str(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

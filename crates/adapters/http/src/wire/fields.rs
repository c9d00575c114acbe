//! Parses a payload field by field, so that all invalid fields are reported together.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::problem::{FieldError, Problem};

/// Collects the errors of a payload's fields.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    errors: Vec<FieldError>,
}

impl Fields {
    /// A required field.
    pub(crate) fn required<T, U, E: Display>(
        &mut self,
        field: &str,
        label: &str,
        sent: Option<T>,
        parse: impl FnOnce(T) -> Result<U, E>,
    ) -> Option<U> {
        if let Some(value) = sent {
            return self.parsed(field, label, parse(value));
        }
        self.refuse(field, format!("{label} is required"));
        None
    }

    /// An optional field; `None` only if it is present and invalid.
    #[expect(
        clippy::option_option,
        reason = "the outer one says whether it is valid, the inner one whether it is present"
    )]
    pub(crate) fn optional<T, U, E: Display>(
        &mut self,
        field: &str,
        label: &str,
        sent: Option<T>,
        parse: impl FnOnce(T) -> Result<U, E>,
    ) -> Option<Option<U>> {
        match sent {
            Some(value) => self.parsed(field, label, parse(value)).map(Some),
            None => Some(None),
        }
    }

    /// Records the error of a field.
    pub(crate) fn refuse(&mut self, field: &str, message: String) {
        self.errors.push(FieldError { field: field.to_owned(), message });
    }

    /// The whole payload, if every field is valid.
    pub(crate) fn all<T>(self, whole: Option<T>) -> Result<T, Problem> {
        self.or_errors(whole).map_err(Problem::invalid)
    }

    /// The whole payload, or the errors of its fields.
    pub(crate) fn or_errors<T>(self, whole: Option<T>) -> Result<T, Vec<FieldError>> {
        match whole {
            Some(whole) if self.errors.is_empty() => Ok(whole),
            _ => Err(self.errors),
        }
    }

    /// A field that has been parsed.
    pub(crate) fn parsed<U, E: Display>(&mut self, field: &str, label: &str, parsed: Result<U, E>) -> Option<U> {
        match parsed {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(field, sentence(label, &error));
                None
            }
        }
    }
}

/// A rule's error as a sentence: "is required" needs the label in front, "Please enter a valid email" does not.
fn sentence(label: &str, error: &impl Display) -> String {
    let text = error.to_string();
    if text.starts_with(char::is_lowercase) { format!("{label} {text}") } else { text }
}

/// A field that may be left out, or be null.
pub(crate) type Sent<T> = Option<Option<T>>;

/// A field that was sent, even if it is `null`.
pub(crate) fn sent<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Sent<T>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A field that is present and not blank: a blank one is reported as required, not as malformed.
pub(crate) fn filled(sent: Option<&str>) -> Option<&str> {
    sent.filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use domain::{Email, Text};

    use super::*;

    #[test]
    fn all_invalid_fields_are_reported_together_each_in_its_own_sentence() {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", Some(" "), Text::<10>::new);
        let email = fields.required("email", "Email", Some("nobody"), str::parse::<Email>);
        let phone = fields.required("phone", "Phone", None::<&str>, Text::<10>::new);
        assert!(name.is_none() && email.is_none() && phone.is_none());
        let messages: Vec<_> = fields.errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages, ["Name is required", "Please enter a valid email", "Phone is required"]);
    }
}

//! Parsing a payload field by field, so that every field that is wrong is told at once.

use std::fmt::Display;

use crate::problem::{FieldError, Problem};

/// Collects what is wrong with a payload's fields.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    errors: Vec<FieldError>,
}

impl Fields {
    /// A field that has to be there.
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

    /// A field that may be left out; `None` only if it is there and wrong.
    #[expect(
        clippy::option_option,
        reason = "the outer one says whether it is fine, the inner one whether it is there"
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

    /// Notes that a field is wrong.
    pub(crate) fn refuse(&mut self, field: &str, message: String) {
        self.errors.push(FieldError { field: field.to_owned(), message });
    }

    /// The whole payload, if every field is fine.
    pub(crate) fn all<T>(self, whole: Option<T>) -> Result<T, Problem> {
        self.judge(whole).map_err(Problem::invalid)
    }

    /// The whole payload, or what is wrong with its fields.
    pub(crate) fn judge<T>(self, whole: Option<T>) -> Result<T, Vec<FieldError>> {
        match whole {
            Some(whole) if self.errors.is_empty() => Ok(whole),
            _ => Err(self.errors),
        }
    }

    fn parsed<U, E: Display>(&mut self, field: &str, label: &str, parsed: Result<U, E>) -> Option<U> {
        match parsed {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(field, sentence(label, &error));
                None
            }
        }
    }
}

/// A rule's refusal as a sentence: "is required" wants its subject, "Please enter a valid email" has none.
fn sentence(label: &str, error: &impl Display) -> String {
    let told = error.to_string();
    if told.starts_with(char::is_lowercase) { format!("{label} {told}") } else { told }
}

#[cfg(test)]
mod tests {
    use domain::{Email, Text};

    use super::*;

    #[test]
    fn every_wrong_field_is_told_at_once_each_in_its_own_sentence() {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", Some(" "), Text::<10>::new);
        let email = fields.required("email", "Email", Some("nobody"), str::parse::<Email>);
        let phone = fields.required("phone", "Phone", None::<&str>, Text::<10>::new);
        assert!(name.is_none() && email.is_none() && phone.is_none());
        let messages: Vec<_> = fields.errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages, ["Name is required", "Please enter a valid email", "Phone is required"]);
    }
}

//! The content security policy: everything is loaded from this shop, except pictures, which an admin may link from
//! elsewhere, and what the payment provider's card form uses.

use actix_web::http::header::{HeaderValue, InvalidHeaderValue};
use ports::CardFormOrigins;

/// The policy of every response, and the start of each page's own.
#[derive(Debug, Clone)]
pub(crate) struct ContentPolicy {
    text: String,
    header: HeaderValue,
}

impl ContentPolicy {
    /// Allows a card form its origins.
    ///
    /// # Errors
    /// If an origin has a character that no header may.
    pub(crate) fn allowing(origins: &CardFormOrigins) -> Result<Self, InvalidHeaderValue> {
        let with = |directive: &str, sources: &[&str]| {
            sources.iter().fold(directive.to_owned(), |policy, source| format!("{policy} {source}"))
        };
        let frames = if origins.frames.is_empty() { String::new() } else { with("frame-src", origins.frames) + "; " };
        let text = format!(
            "default-src 'none'; {}; style-src 'self'; img-src 'self' data: https: http:; font-src 'self'; {}; \
            {frames}form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'",
            with("script-src 'self'", origins.scripts),
            with("connect-src 'self'", origins.calls),
        );
        let header = HeaderValue::from_str(&text)?;
        Ok(Self { text, header })
    }

    pub(crate) fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// The policy of a page, with the digests (`sha256-...`) of its one inline style and its one inline script.
    pub(crate) fn of_page(&self, style: &str, script: &str) -> String {
        self.text.replacen("style-src 'self'", &format!("style-src 'self' '{style}'"), 1).replacen(
            "script-src 'self'",
            &format!("script-src 'self' '{script}'"),
            1,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITH_A_PROVIDER: CardFormOrigins = CardFormOrigins {
        scripts: &["https://js.example.com"],
        calls: &["https://api.example.com"],
        frames: &["https://js.example.com", "https://3ds.example.com"],
    };

    #[test]
    fn without_a_card_form_from_elsewhere_everything_comes_from_the_shop() {
        let policy = ContentPolicy::allowing(&CardFormOrigins::default()).unwrap();
        assert_eq!(
            policy.header(),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; \
            font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
            manifest-src 'self'"
        );
    }

    #[test]
    fn a_card_forms_origins_are_allowed_for_what_it_uses_them_for() {
        let policy = ContentPolicy::allowing(&WITH_A_PROVIDER).unwrap();
        assert_eq!(
            policy.header(),
            "default-src 'none'; script-src 'self' https://js.example.com; style-src 'self'; \
            img-src 'self' data: https: http:; font-src 'self'; connect-src 'self' https://api.example.com; \
            frame-src https://js.example.com https://3ds.example.com; form-action 'self'; base-uri 'none'; \
            frame-ancestors 'none'; manifest-src 'self'"
        );
    }

    #[test]
    fn a_page_is_also_allowed_its_own_inline_style_and_script() {
        let policy = ContentPolicy::allowing(&WITH_A_PROVIDER).unwrap().of_page("sha256-a", "sha256-b");
        assert!(policy.contains("style-src 'self' 'sha256-a';"), "{policy}");
        assert!(policy.contains("script-src 'self' 'sha256-b' https://js.example.com;"), "{policy}");
    }

    #[test]
    fn an_origin_that_no_header_can_hold_is_refused() {
        let origins = CardFormOrigins { calls: &["https://api.example.com\r\n"], ..CardFormOrigins::default() };
        assert!(ContentPolicy::allowing(&origins).is_err());
    }
}

//! The cookies of the way to Google and back.

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};

use crate::app_state::Settings;

/// A cookie of the way to Google and back. If the shop is served over https, no sub-domain may plant one: it could sign
/// visitors in to another account.
#[derive(Clone, Copy)]
pub(super) struct GoogleCookie {
    plain: &'static str,
    /// The name on https, with a prefix that no sub-domain can plant. It requires the path `/`.
    on_https: &'static str,
}

/// Holds the attempt while the browser is at Google.
pub(super) const ATTEMPT: GoogleCookie = GoogleCookie { plain: "google-attempt", on_https: "__Host-google-attempt" };

/// Held by a browser whose sign-in waits for the link in an e-mail.
pub(super) const PENDING: GoogleCookie = GoogleCookie { plain: "google-pending", on_https: "__Host-google-pending" };

impl GoogleCookie {
    pub(super) fn name(self, settings: &Settings) -> &'static str {
        if settings.is_https() { self.on_https } else { self.plain }
    }

    pub(super) fn with(self, value: String, settings: &Settings) -> actix_web::cookie::CookieBuilder<'static> {
        let path = if settings.is_https() { "/" } else { GOOGLE_PATH };
        // Lax, because the browser comes back from another site.
        let cookie = Cookie::build(self.name(settings), value).path(path).http_only(true);
        cookie.same_site(SameSite::Lax).secure(settings.is_https())
    }

    pub(super) fn removal(self, settings: &Settings) -> Cookie<'static> {
        let mut removed = self.with(String::new(), settings).finish();
        removed.make_removal();
        removed
    }
}

/// The cookies are of no use on any other path.
const GOOGLE_PATH: &str = "/auth/google";

/// How long the browser may stay at Google.
pub(super) const ATTEMPT_LIFE: CookieDuration = CookieDuration::minutes(10);

/// How long a sign-in waits for the link in its e-mail, as the e-mail says.
pub(super) const PENDING_LIFE: CookieDuration = CookieDuration::hours(1);

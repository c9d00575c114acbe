//! The state of a sign-in with Google: a sealed cookie in the browser, so that the shop has nothing to store.

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use ports::{Clock, SignInAttempt};
use serde::{Deserialize, Serialize};

use crate::keys::{Derived, Purpose};
use crate::{TokenKeys, entropy, sealed_box};

const LABEL: &[u8] = b"sign-in attempt";

/// How long a user may take at Google.
const LIFETIME: Duration = Duration::from_mins(10);

/// Browsers drop a cookie above 4,096 bytes; sealed and encoded this leaves half of that free.
const DESTINATION_MAX: usize = 1_024;

#[derive(Serialize, Deserialize)]
struct Packed {
    state: String,
    nonce: String,
    verifier: String,
    destination: String,
    /// The account to link; none for a sign-in, nor in cookies of earlier versions.
    #[serde(default)]
    link_to: Option<String>,
    /// Seconds since 1970.
    until: i64,
}

/// Creates attempts, and packs them for a cookie. Sealed, not only signed: the PKCE verifier inside has to stay unknown
/// to an attacker who can read the browser's cookies but not call this shop.
#[derive(Clone)]
pub struct AttemptSeal {
    keys: Derived,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for AttemptSeal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AttemptSeal(…)")
    }
}

impl AttemptSeal {
    /// A seal under the shop's secret; the previous secret still opens.
    #[must_use]
    pub fn new(keys: &TokenKeys, clock: Arc<dyn Clock>) -> Self {
        Self { keys: keys.derive(Purpose::SignInAttempt), clock }
    }

    /// A new attempt; each part holds 256 random bits.
    #[must_use]
    pub fn begin(&self) -> SignInAttempt {
        SignInAttempt { state: entropy::word(), nonce: entropy::word(), verifier: entropy::word(), link_to: None }
    }

    /// Packs an attempt and a destination into a string of letters, digits, `-` and `_`, valid for ten minutes.
    ///
    /// A destination of more than 1,024 bytes, which no page of the shop has, becomes `/`: the browser would drop the
    /// cookie. If the cipher fails, the result is empty and does not open.
    #[must_use]
    pub fn seal(&self, attempt: &SignInAttempt, destination: &str) -> String {
        self.try_seal(attempt, destination).unwrap_or_default()
    }

    fn try_seal(&self, attempt: &SignInAttempt, destination: &str) -> Option<String> {
        let until = self.clock.now().checked_add(LIFETIME).ok()?;
        let fits = destination.len() <= DESTINATION_MAX;
        let packed = serde_json::to_vec(&Packed {
            state: attempt.state.clone(),
            nonce: attempt.nonce.clone(),
            verifier: attempt.verifier.clone(),
            destination: if fits { destination } else { "/" }.to_owned(),
            link_to: attempt.link_to.map(|account| account.to_string()),
            until: until.as_second(),
        })
        .ok()?;
        let sealed = sealed_box::seal(self.keys.current()?, LABEL, packed)?;
        Some(URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Unpacks what [`AttemptSeal::seal`] packed; `None` if it is not ours, was changed or has expired.
    #[must_use]
    pub fn open(&self, sealed: &str) -> Option<(SignInAttempt, String)> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let packed = self.keys.all().find_map(|key| sealed_box::open(key, LABEL, &sealed))?;
        let packed: Packed = serde_json::from_slice(&packed).ok()?;
        let until = Timestamp::from_second(packed.until).ok()?;
        let link_to = packed.link_to.map(|account| account.parse()).transpose().ok()?;
        let attempt = SignInAttempt { state: packed.state, nonce: packed.nonce, verifier: packed.verifier, link_to };
        (self.clock.now() < until).then_some((attempt, packed.destination))
    }
}

/// PKCE's S256 (RFC 7636, section 4.2).
pub(crate) fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_clock::TestClock;

    fn seal_at(clock: &Arc<TestClock>, current: u8, previous: Option<u8>) -> AttemptSeal {
        let previous = previous.map(|byte| [byte; 32]);
        let keys = TokenKeys::new(&[current; 32], previous.as_ref().map(|p| &p[..])).unwrap();
        AttemptSeal::new(&keys, clock.clone())
    }

    #[test]
    fn an_attempt_comes_back_from_its_cookie_with_its_destination() {
        let seal = seal_at(&TestClock::new(), 1, None);
        let attempt = seal.begin();
        let cookie = seal.seal(&attempt, "/dashboard/myOrders?x=ä");
        assert_eq!(seal.open(&cookie), Some((attempt, "/dashboard/myOrders?x=ä".to_owned())));
    }

    #[test]
    fn the_challenge_matches_the_example_of_rfc_7636() {
        assert_eq!(
            challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn the_parts_of_an_attempt_are_long_enough_and_never_the_same() {
        let seal = seal_at(&TestClock::new(), 1, None);
        let (one, two) = (seal.begin(), seal.begin());
        let parts = [one.state, one.nonce, one.verifier, two.state, two.nonce, two.verifier];
        for (place, part) in parts.iter().enumerate() {
            assert_eq!(part.len(), 43);
            assert!(!parts[..place].contains(part));
        }
    }

    #[test]
    fn a_cookie_is_valid_for_exactly_ten_minutes() {
        let clock = TestClock::new();
        let seal = seal_at(&clock, 1, None);
        let cookie = seal.seal(&seal.begin(), "/");
        clock.advance(599);
        assert!(seal.open(&cookie).is_some());
        clock.advance(1);
        assert_eq!(seal.open(&cookie), None);
    }

    #[test]
    fn a_cookie_reveals_nothing_of_its_attempt() {
        let seal = seal_at(&TestClock::new(), 1, None);
        let attempt = seal.begin();
        let cookie = seal.seal(&attempt, "/shop");
        let bytes = URL_SAFE_NO_PAD.decode(&cookie).unwrap();
        for secret in [&attempt.verifier, &attempt.state, &attempt.nonce] {
            assert!(!cookie.contains(secret.as_str()));
            assert!(!bytes.windows(43).any(|part| part == secret.as_bytes()));
        }
    }

    #[test]
    fn a_cookie_of_the_previous_secret_opens_and_one_of_a_dropped_secret_does_not() {
        let clock = TestClock::new();
        let old = seal_at(&clock, 1, None);
        let cookie = old.seal(&old.begin(), "/");
        assert!(seal_at(&clock, 2, Some(1)).open(&cookie).is_some());
        assert_eq!(seal_at(&clock, 2, None).open(&cookie), None);
    }

    #[test]
    fn a_changed_or_forged_cookie_does_not_open() {
        let seal = seal_at(&TestClock::new(), 1, None);
        let cookie = seal.seal(&seal.begin(), "/");
        let last = if cookie.ends_with('A') { 'Q' } else { 'A' };
        let changed = format!("{}{last}", &cookie[..cookie.len() - 1]);
        for made_up in ["", "a", "ä", "AAAA", changed.as_str()] {
            assert_eq!(seal.open(made_up), None, "{made_up:?}");
        }
    }

    #[test]
    fn a_cookie_stays_small_enough_for_a_browser() {
        let seal = seal_at(&TestClock::new(), 1, None);
        let longest = format!("/{}", "\u{1}".repeat(1_023));
        let attempt = seal.begin();
        assert!(seal.seal(&attempt, &format!("/{}", "a".repeat(1_023))).len() < 2_200);
        let (_, destination) = seal.open(&seal.seal(&attempt, &format!("{longest}a"))).unwrap();
        assert_eq!(destination, "/");
    }
}

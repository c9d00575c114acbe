//! Randomness from the operating system.

use aws_lc_rs::rand;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Cryptographically secure random bytes.
///
/// Aborts the program if the system has no randomness: every secret created after that would be insecure, and a caller
/// could do nothing instead.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if rand::fill(&mut bytes).is_err() {
        std::process::abort();
    }
    bytes
}

/// 256 random bits in URL-safe base64 without padding: 43 characters, each allowed in a cookie, a URL and as a PKCE
/// verifier (RFC 7636, section 4.1).
pub(crate) fn word() -> String {
    URL_SAFE_NO_PAD.encode(bytes::<32>())
}

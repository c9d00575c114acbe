//! The system's randomness.

use aws_lc_rs::rand;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Bytes that nobody can guess.
///
/// Ends the program if the system has no randomness to give: every secret made from then on would be a wrong one, and
/// there is nothing that a caller could do instead.
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

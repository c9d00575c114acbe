//! Secrets of session cookies and e-mail links.

use aws_lc_rs::digest;
use ports::{AccountToken, AccountTokens, SecretHash, SessionSecret, SessionSecrets};

use crate::entropy;

/// Secrets of 256 random bits. A plain SHA-256 is enough to store them: a value that cannot be guessed needs no slow
/// hash.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomSecrets;

impl SessionSecrets for RandomSecrets {
    fn fresh(&self) -> SessionSecret {
        SessionSecret::new(entropy::word())
    }

    fn hash(&self, secret: &SessionSecret) -> SecretHash {
        sha_256(secret.expose())
    }
}

impl AccountTokens for RandomSecrets {
    fn fresh(&self) -> AccountToken {
        AccountToken::new(entropy::word())
    }

    fn hash(&self, token: &AccountToken) -> SecretHash {
        sha_256(token.expose())
    }
}

fn sha_256(secret: &str) -> SecretHash {
    let digest = digest::digest(&digest::SHA256, secret.as_bytes());
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest.as_ref());
    SecretHash(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    #[test]
    fn a_secret_is_thirty_two_bytes_that_fit_into_a_cookie() {
        let secret = SessionSecrets::fresh(&RandomSecrets);
        assert_eq!(secret.expose().len(), 43);
        assert_eq!(URL_SAFE_NO_PAD.decode(secret.expose()).unwrap().len(), 32);
    }

    #[test]
    fn secrets_never_repeat() {
        let cookies = (0..1_000).map(|_| SessionSecrets::fresh(&RandomSecrets).expose().to_owned());
        let links = (0..1_000).map(|_| AccountTokens::fresh(&RandomSecrets).expose().to_owned());
        let secrets: HashSet<String> = cookies.chain(links).collect();
        assert_eq!(secrets.len(), 2_000);
    }

    #[test]
    fn the_hash_is_sha_256_of_the_secrets_characters() {
        // The example of FIPS 180-4.
        let cookies = SessionSecrets::hash(&RandomSecrets, &SessionSecret::new("abc".to_owned()));
        let links = AccountTokens::hash(&RandomSecrets, &AccountToken::new("abc".to_owned()));
        for hash in [cookies, links] {
            assert_eq!(hash.0[..8], [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea]);
        }
    }
}

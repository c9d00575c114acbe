//! Authenticated encryption: AES-256-GCM with a random nonce, which is prepended.

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};

/// Seals `plain` under a key; `label` has to be the same when it is opened. `None` only if the cipher itself fails.
///
/// Random nonces are safe for 2^32 seals under one key (NIST SP 800-38D, section 8.3).
pub(crate) fn seal(key: &[u8; 32], label: &[u8], plain: Vec<u8>) -> Option<Vec<u8>> {
    let key = RandomizedNonceKey::new(&AES_256_GCM, key).ok()?;
    let mut text = plain;
    let nonce = key.seal_in_place_append_tag(Aad::from(label), &mut text).ok()?;
    let mut sealed = Vec::with_capacity(NONCE_LEN + text.len());
    sealed.extend_from_slice(nonce.as_ref());
    sealed.append(&mut text);
    Some(sealed)
}

/// Opens what [`seal`] sealed; `None` for another key, another label, or a changed byte.
pub(crate) fn open(key: &[u8; 32], label: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, text) = sealed.split_first_chunk::<NONCE_LEN>()?;
    let key = RandomizedNonceKey::new(&AES_256_GCM, key).ok()?;
    let mut text = text.to_vec();
    let length = key.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(label), &mut text).ok()?.len();
    text.truncate(length);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_box_opens_only_under_the_same_key_and_label() {
        let sealed = seal(&[1; 32], b"label", b"plain".to_vec()).unwrap();
        assert_eq!(open(&[1; 32], b"label", &sealed).as_deref(), Some(&b"plain"[..]));
        assert_eq!(open(&[2; 32], b"label", &sealed), None);
        assert_eq!(open(&[1; 32], b"other", &sealed), None);
    }

    #[test]
    fn a_changed_or_truncated_box_does_not_open() {
        let sealed = seal(&[1; 32], b"label", b"plain".to_vec()).unwrap();
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(open(&[1; 32], b"label", &changed), None, "byte {place}");
            assert_eq!(open(&[1; 32], b"label", &sealed[..place]), None);
        }
    }

    #[test]
    fn sealing_the_same_text_twice_gives_different_boxes() {
        let seal = || seal(&[1; 32], b"label", b"plain".to_vec()).unwrap();
        assert_ne!(seal(), seal());
    }
}

//! The cryptography of stored responses: the database can recognise a repeated request, and learns nothing that a
//! reader of its disk could use.

use domain::AccountId;
use ports::{Fingerprint, KeyDigest, ResponseSeal, SealedResponse};

use crate::keys::{Derived, Purpose, mac};
use crate::{TokenKeys, sealed_box};

const KEY_LABEL: &[u8] = b"driveline/1/once-key";
const FINGERPRINT_LABEL: &[u8] = b"driveline/1/request-fingerprint";
const ANSWER_LABEL: &[u8] = b"remembered answer";

/// Computes key digests and fingerprints with HMAC-SHA-256, and seals responses with AES-256-GCM.
///
/// Key digests and fingerprints depend only on the caller and the request, so that a rotation of the shop's secret lets
/// no request happen twice. The seal needs the shop's secret as well; a response sealed under a secret that was dropped
/// cannot be returned again.
#[derive(Debug, Clone)]
pub struct ResponseSealer {
    keys: Derived,
}

impl ResponseSealer {
    /// A sealer under the shop's secret; the previous secret still opens.
    #[must_use]
    pub fn new(keys: &TokenKeys) -> Self {
        Self { keys: keys.derive(Purpose::StoredResponse) }
    }
}

/// The key of one response: it cannot be computed without the shop's secret, the sent key and the request.
fn answer_key(shop: &[u8; 32], sent: &str, request: &[u8]) -> [u8; 32] {
    mac(shop, &[sent.as_bytes(), request])
}

impl ResponseSeal for ResponseSealer {
    fn key(&self, caller: Option<AccountId>, sent: &str) -> KeyDigest {
        // An anonymous visitor's part is empty, an account's has sixteen bytes: the two cannot collide.
        let caller = caller.map(|account| account.uuid().into_bytes());
        let caller = caller.as_ref().map_or(&[][..], |bytes| &bytes[..]);
        KeyDigest(mac(KEY_LABEL, &[caller, sent.as_bytes()]))
    }

    fn fingerprint(&self, sent: &str, request: &[u8]) -> Fingerprint {
        Fingerprint(mac(sent.as_bytes(), &[FINGERPRINT_LABEL, request]))
    }

    fn seal(&self, sent: &str, request: &[u8], response: &[u8]) -> Option<SealedResponse> {
        let key = answer_key(self.keys.current()?, sent, request);
        sealed_box::seal(&key, ANSWER_LABEL, response.to_vec()).map(SealedResponse)
    }

    fn open(&self, sent: &str, request: &[u8], sealed: &SealedResponse) -> Option<Vec<u8>> {
        self.keys.all().find_map(|shop| sealed_box::open(&answer_key(shop, sent, request), ANSWER_LABEL, &sealed.0))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn sealer(current: u8, previous: Option<u8>) -> ResponseSealer {
        let previous = previous.map(|byte| [byte; 32]);
        let keys = TokenKeys::new(&[current; 32], previous.as_ref().map(|p| &p[..])).unwrap();
        ResponseSealer::new(&keys)
    }

    /// A response, as the caller of the seal writes it.
    const RESPONSE: &[u8] = b"\x00\xc9\x00\x03\
        \x00\x00\x00\x0aset-cookie\x00\x00\x00\x0bsession=abc\
        \x00\x00\x00\x0aset-cookie\x00\x00\x00\x02\xff\x00\
        \x00\x00\x00\x00\x00\x00\x00\x00{\"insertedId\":\"1\"}";

    /// [`RESPONSE`], sealed for `POST /orders` under `key` when the seal still knew what a response is.
    const SEALED_BEFORE: &[u8] =
        b"\x0a\xb5\x58\x91\x99\x58\x36\x76\x55\xbe\x7b\x82\x46\x7b\x76\xc2\x42\x0a\x78\x7c\x75\x06\x6e\x42\
        \x8a\x55\x6b\x2c\x4c\x29\xa6\x43\x4b\x30\xe9\xbc\x8d\xbb\x4e\x61\x43\x52\x3a\x89\xb9\xee\x6b\xff\
        \xda\xd2\x7c\x10\xa4\x50\xc0\xb9\x91\x20\xfc\x50\x7a\x37\x56\x4a\x6d\xf4\xff\x5f\xc4\xed\x69\xf7\
        \xa1\x98\xee\x74\x70\xc5\x2b\x21\x5f\xce\x8f\xe8\xc1\x5a\xc6\xf1\x35\xac\xe7\x93\x13\x55\x03\x2f\
        \x6e\x2e\xd3\xd5\x25\xe0\x21\x58\x1d\x07\x52";

    fn account(number: u128) -> AccountId {
        AccountId::new(Uuid::from_u128(number))
    }

    #[test]
    fn the_same_request_opens_its_response_unchanged() {
        let shop = sealer(1, None);
        for response in [RESPONSE, b""] {
            let sealed = shop.seal("key", b"POST /orders", response).unwrap();
            assert_eq!(shop.open("key", b"POST /orders", &sealed).as_deref(), Some(response));
        }
    }

    #[test]
    fn another_request_key_or_shop_cannot_open_a_response() {
        let sealed = sealer(1, None).seal("key", b"POST /orders", RESPONSE).unwrap();
        assert_eq!(sealer(1, None).open("key", b"POST /other", &sealed), None);
        assert_eq!(sealer(1, None).open("yek", b"POST /orders", &sealed), None);
        assert_eq!(sealer(1, None).open("keyP", b"OST /orders", &sealed), None);
        assert_eq!(sealer(2, None).open("key", b"POST /orders", &sealed), None);
    }

    #[test]
    fn a_response_that_an_earlier_version_sealed_still_opens() {
        let sealed = SealedResponse(SEALED_BEFORE.to_vec());
        assert_eq!(sealer(1, None).open("key", b"POST /orders", &sealed).as_deref(), Some(RESPONSE));
    }

    #[test]
    fn a_response_of_the_previous_secret_still_opens() {
        let sealed = sealer(1, None).seal("key", b"request", RESPONSE).unwrap();
        assert_eq!(sealer(2, Some(1)).open("key", b"request", &sealed), Some(RESPONSE.to_vec()));
    }

    #[test]
    fn a_sealed_response_reveals_nothing() {
        let sealed = sealer(1, None).seal("key", b"request", RESPONSE).unwrap();
        for secret in [&b"session=abc"[..], b"insertedId", b"set-cookie"] {
            assert!(!sealed.0.windows(secret.len()).any(|part| part == secret));
        }
    }

    #[test]
    fn a_changed_or_truncated_response_does_not_open() {
        let shop = sealer(1, None);
        let sealed = shop.seal("key", b"request", RESPONSE).unwrap();
        for place in 0..sealed.0.len() {
            let mut changed = sealed.clone();
            changed.0[place] ^= 0x80;
            assert_eq!(shop.open("key", b"request", &changed), None);
            let shortened = SealedResponse(sealed.0[..place].to_vec());
            assert_eq!(shop.open("key", b"request", &shortened), None);
        }
    }

    #[test]
    fn a_key_digest_depends_on_the_caller_and_not_on_the_shops_secret() {
        let shop = sealer(1, None);
        let named = shop.key(Some(account(1)), "key");
        assert_eq!(named, shop.key(Some(account(1)), "key"));
        assert_eq!(named, sealer(2, None).key(Some(account(1)), "key"));
        for (caller, sent) in [(Some(account(2)), "key"), (Some(account(1)), "kez"), (None, "key")] {
            assert_ne!(named, shop.key(caller, sent));
        }
    }

    #[test]
    fn a_visitors_key_cannot_collide_with_an_accounts() {
        let shop = sealer(1, None);
        let account = AccountId::new(Uuid::from_bytes(*b"0123456789abcdef"));
        assert_ne!(shop.key(Some(account), "key"), shop.key(None, "0123456789abcdefkey"));
    }

    #[test]
    fn a_fingerprint_depends_on_the_request_and_the_key() {
        let shop = sealer(1, None);
        let print = shop.fingerprint("key", b"request");
        assert_eq!(print, shop.fingerprint("key", b"request"));
        assert_ne!(print, shop.fingerprint("key", b"requesu"));
        assert_ne!(print, shop.fingerprint("kez", b"request"));
    }
}

//! The cryptography of stored responses: the database can recognise a repeated request, and learns nothing that a
//! reader of its disk could use.

use domain::AccountId;
use ports::{Fingerprint, KeyDigest, ResponseSeal, SealedResponse, StoredResponse};

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

    fn seal(&self, sent: &str, request: &[u8], answer: &StoredResponse) -> Option<SealedResponse> {
        let key = answer_key(self.keys.current()?, sent, request);
        sealed_box::seal(&key, ANSWER_LABEL, pack(answer)?).map(SealedResponse)
    }

    fn open(&self, sent: &str, request: &[u8], sealed: &SealedResponse) -> Option<StoredResponse> {
        self.keys
            .all()
            .find_map(|shop| sealed_box::open(&answer_key(shop, sent, request), ANSWER_LABEL, &sealed.0))
            .and_then(|packed| unpack(&packed))
    }
}

/// Status (2 bytes), number of headers (2), then per header its name and value, each preceded by its length (4); the
/// rest is the body. Numbers are big-endian.
fn pack(answer: &StoredResponse) -> Option<Vec<u8>> {
    let headers: usize = answer.headers.iter().map(|(name, value)| 8 + name.len() + value.len()).sum();
    let mut packed = Vec::with_capacity(4 + headers + answer.body.len());
    packed.extend_from_slice(&answer.status.to_be_bytes());
    packed.extend_from_slice(&u16::try_from(answer.headers.len()).ok()?.to_be_bytes());
    for (name, value) in &answer.headers {
        for part in [name.as_bytes(), value.as_slice()] {
            packed.extend_from_slice(&u32::try_from(part.len()).ok()?.to_be_bytes());
            packed.extend_from_slice(part);
        }
    }
    packed.extend_from_slice(&answer.body);
    Some(packed)
}

fn unpack(packed: &[u8]) -> Option<StoredResponse> {
    let mut rest = packed;
    let status = u16::from_be_bytes(take(&mut rest)?);
    let count = u16::from_be_bytes(take(&mut rest)?);
    let headers = (0..count)
        .map(|_| {
            let name = take_part(&mut rest)?;
            let value = take_part(&mut rest)?;
            Some((String::from_utf8(name).ok()?, value))
        })
        .collect::<Option<_>>()?;
    Some(StoredResponse { status, headers, body: rest.to_vec() })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(*taken)
}

fn take_part(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u32::from_be_bytes(take(rest)?)).ok()?;
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken.to_vec())
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

    fn answer() -> StoredResponse {
        StoredResponse {
            status: 201,
            headers: vec![
                ("set-cookie".to_owned(), b"session=abc".to_vec()),
                ("set-cookie".to_owned(), vec![0xff, 0x00]),
                (String::new(), Vec::new()),
            ],
            body: b"{\"insertedId\":\"1\"}".to_vec(),
        }
    }

    fn account(number: u128) -> AccountId {
        AccountId::new(Uuid::from_u128(number))
    }

    #[test]
    fn the_same_request_opens_its_response_unchanged() {
        let shop = sealer(1, None);
        let empty = StoredResponse { status: 204, headers: Vec::new(), body: Vec::new() };
        for answer in [answer(), empty] {
            let sealed = shop.seal("key", b"POST /orders", &answer).unwrap();
            assert_eq!(shop.open("key", b"POST /orders", &sealed), Some(answer));
        }
    }

    #[test]
    fn another_request_key_or_shop_cannot_open_a_response() {
        let sealed = sealer(1, None).seal("key", b"POST /orders", &answer()).unwrap();
        assert_eq!(sealer(1, None).open("key", b"POST /other", &sealed), None);
        assert_eq!(sealer(1, None).open("yek", b"POST /orders", &sealed), None);
        assert_eq!(sealer(1, None).open("keyP", b"OST /orders", &sealed), None);
        assert_eq!(sealer(2, None).open("key", b"POST /orders", &sealed), None);
    }

    #[test]
    fn a_response_of_the_previous_secret_still_opens() {
        let sealed = sealer(1, None).seal("key", b"request", &answer()).unwrap();
        assert_eq!(sealer(2, Some(1)).open("key", b"request", &sealed), Some(answer()));
    }

    #[test]
    fn a_sealed_response_reveals_nothing() {
        let sealed = sealer(1, None).seal("key", b"request", &answer()).unwrap();
        for secret in [&b"session=abc"[..], b"insertedId", b"set-cookie"] {
            assert!(!sealed.0.windows(secret.len()).any(|part| part == secret));
        }
    }

    #[test]
    fn a_changed_or_truncated_response_does_not_open() {
        let shop = sealer(1, None);
        let sealed = shop.seal("key", b"request", &answer()).unwrap();
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

    #[test]
    fn truncated_responses_do_not_unpack() {
        let packed = pack(&answer()).unwrap();
        let body = answer().body.len();
        for length in 0..packed.len() - body {
            assert_eq!(unpack(&packed[..length]), None, "{length} bytes");
        }
        assert_eq!(unpack(&[0, 200, 0, 1, 0xff, 0xff, 0xff, 0xff]), None);
    }
}

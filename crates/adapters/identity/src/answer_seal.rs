//! The cryptography behind remembered answers: the database can tell a repeated request from another, and learns
//! nothing that a reader of its disk could use.

use domain::AccountId;
use ports::{Answer, AnswerSeal, Fingerprint, OnceKey, SealedAnswer};

use crate::keys::{Derived, Purpose, mac};
use crate::{TokenKeys, sealed_box};

const KEY_LABEL: &[u8] = b"driveline/1/once-key";
const FINGERPRINT_LABEL: &[u8] = b"driveline/1/request-fingerprint";
const ANSWER_LABEL: &[u8] = b"remembered answer";

/// Names, compares and seals under HMAC-SHA-256 and AES-256-GCM.
///
/// Names and fingerprints depend on the caller and the request alone, so that a change of the shop's secret makes no
/// request happen twice. The seal needs the shop's secret as well; an answer sealed under a secret that is forgotten
/// cannot be told again.
#[derive(Debug, Clone)]
pub struct AnswerSealer {
    keys: Derived,
}

impl AnswerSealer {
    /// A sealer under the shop's secret; the one before still opens.
    #[must_use]
    pub fn new(keys: &TokenKeys) -> Self {
        Self { keys: keys.derive(Purpose::RememberedAnswer) }
    }
}

/// The key of one answer: whoever lacks the shop's secret, the sent key or the request cannot compute it.
fn answer_key(shop: &[u8; 32], sent: &str, request: &[u8]) -> [u8; 32] {
    mac(shop, &[sent.as_bytes(), request])
}

impl AnswerSeal for AnswerSealer {
    fn key(&self, caller: Option<AccountId>, sent: &str) -> OnceKey {
        // A visitor's part is empty, an account's has sixteen bytes: the two cannot meet.
        let caller = caller.map(|account| account.uuid().into_bytes());
        let caller = caller.as_ref().map_or(&[][..], |bytes| &bytes[..]);
        OnceKey(mac(KEY_LABEL, &[caller, sent.as_bytes()]))
    }

    fn fingerprint(&self, sent: &str, request: &[u8]) -> Fingerprint {
        Fingerprint(mac(sent.as_bytes(), &[FINGERPRINT_LABEL, request]))
    }

    fn seal(&self, sent: &str, request: &[u8], answer: &Answer) -> Option<SealedAnswer> {
        let key = answer_key(self.keys.current()?, sent, request);
        sealed_box::seal(&key, ANSWER_LABEL, pack(answer)?).map(SealedAnswer)
    }

    fn open(&self, sent: &str, request: &[u8], sealed: &SealedAnswer) -> Option<Answer> {
        self.keys
            .all()
            .find_map(|shop| sealed_box::open(&answer_key(shop, sent, request), ANSWER_LABEL, &sealed.0))
            .and_then(|packed| unpack(&packed))
    }
}

/// Status (2 bytes), number of headers (2), then per header its name and value, each behind its length (4); the rest is
/// the body. Numbers are big-endian.
fn pack(answer: &Answer) -> Option<Vec<u8>> {
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

fn unpack(packed: &[u8]) -> Option<Answer> {
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
    Some(Answer { status, headers, body: rest.to_vec() })
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

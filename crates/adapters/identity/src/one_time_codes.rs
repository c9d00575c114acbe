//! Codes of authenticator apps (RFC 6238), and recovery codes.

use aws_lc_rs::digest;
use domain::accounts::second_factor::RECOVERY_CODES;
use domain::{AccountId, Email, Timestamp};
use ports::{AppSecret, AppSetup, OneTimeCodes, RecoveryCode, SealedAppSecret, SecretHash};
use qrcodegen::{QrCode, QrCodeEcc};
use totp_rs::{Builder, Secret, Totp};

use crate::keys::{Derived, Purpose};
use crate::{TokenKeys, entropy, sealed_box};

/// How the shop is called in an app, beside the account's address.
const ISSUER: &str = "Driveline";
/// Seconds that a code is shown; every app knows this and six digits of SHA-1 only (RFC 6238, section 5.2).
const STEP: u64 = 30;
/// How many steps the clocks may differ by (section 5.2 recommends one).
const SKEW: u16 = 1;
/// Digits and capitals that are not mistaken for each other when read from paper: no I, L, O and U.
const RECOVERY_ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// How many signs a recovery code has: five bits each.
const RECOVERY_LENGTH: usize = 16;
const RECOVERY_GROUP: usize = 4;

/// Makes and checks codes. The secrets of apps are sealed with AES-256-GCM, each for its account, under a key that is derived
/// from the shop's secret.
#[derive(Debug, Clone)]
pub struct TimeBasedCodes {
    keys: Derived,
}

impl TimeBasedCodes {
    /// Under the shop's secret; the previous secret still opens.
    #[must_use]
    pub fn new(keys: &TokenKeys) -> Self {
        Self { keys: keys.derive(Purpose::AppSecret) }
    }
}

impl OneTimeCodes for TimeBasedCodes {
    fn set_up(&self, email: &Email) -> Option<AppSetup> {
        let secret = Secret::new(Box::new(entropy::bytes::<20>()));
        // A colon, which an address may have between quotation marks, separates the issuer from it in a link.
        let name = email.as_str().replace(':', "_");
        let totp = builder(&secret).with_account_name(name).with_issuer(Some(ISSUER)).build().ok()?;
        let link = totp.to_url().ok()?;
        let qr = QrCode::encode_text(&link, QrCodeEcc::Medium).ok()?;
        let rows = (0..qr.size()).map(|y| (0..qr.size()).map(|x| qr.get_module(x, y)).collect()).collect();
        Some(AppSetup { secret: AppSecret::new(secret.to_base32()), link, qr: rows })
    }

    fn seal(&self, account: AccountId, secret: &AppSecret) -> Option<SealedAppSecret> {
        let plain = secret.expose().as_bytes().to_vec();
        sealed_box::seal(self.keys.current()?, account.uuid().as_bytes(), plain).map(SealedAppSecret)
    }

    fn open(&self, account: AccountId, sealed: &SealedAppSecret) -> Option<AppSecret> {
        let plain = self.keys.all().find_map(|key| sealed_box::open(key, account.uuid().as_bytes(), &sealed.0))?;
        String::from_utf8(plain).ok().map(AppSecret::new)
    }

    fn step_of(&self, secret: &AppSecret, code: &str, now: Timestamp) -> Option<i64> {
        let secret = Secret::try_from_base32(secret.expose()).ok()?;
        let step = totp(&secret).check(code, u64::try_from(now.as_second()).ok()?)?;
        i64::try_from(step).ok()
    }

    fn recovery_codes(&self) -> Vec<RecoveryCode> {
        (0..RECOVERY_CODES).map(|_| recovery_code()).collect()
    }

    fn hash(&self, typed: &str) -> SecretHash {
        let plain: Vec<u8> = typed
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|sign| match sign.to_ascii_uppercase() {
                'O' => b'0',
                'I' | 'L' => b'1',
                // It is ASCII: it was filtered above.
                sign => u8::try_from(sign).unwrap_or(b'?'),
            })
            .collect();
        let mut hash = [0; 32];
        hash.copy_from_slice(digest::digest(&digest::SHA256, &plain).as_ref());
        SecretHash(hash)
    }
}

fn builder(secret: &Secret) -> Builder {
    Builder::new().with_step_duration(STEP).with_skew(SKEW).with_secret(secret.clone())
}

fn totp(secret: &Secret) -> Totp {
    builder(secret).build_noncompliant()
}

fn recovery_code() -> RecoveryCode {
    let random = entropy::bytes::<RECOVERY_LENGTH>();
    let signs: Vec<char> = random.iter().map(|byte| char::from(RECOVERY_ALPHABET[usize::from(byte % 32)])).collect();
    let groups: Vec<String> = signs.chunks(RECOVERY_GROUP).map(|group| group.iter().collect()).collect();
    RecoveryCode::new(groups.join("-"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use uuid::Uuid;

    use super::*;

    fn codes(current: u8, previous: Option<u8>) -> TimeBasedCodes {
        let previous = previous.map(|byte| [byte; 32]);
        TimeBasedCodes::new(&TokenKeys::new(&[current; 32], previous.as_ref().map(|p| &p[..])).unwrap())
    }

    fn account(number: u128) -> AccountId {
        AccountId::new(Uuid::from_u128(number))
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, SHA-1, the last six of the eight digits; the secret is "12345678901234567890".
        let secret = AppSecret::new("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".into());
        for (second, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(codes(1, None).step_of(&secret, code, at(second)), Some(second / 30), "{second}");
        }
    }

    #[test]
    fn a_code_is_right_half_a_minute_early_and_late_and_no_more() {
        let secret = AppSecret::new("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".into());
        let step = 59 / 30;
        for (now, found) in [(-1, None), (0, Some(step)), (59, Some(step)), (89, Some(step)), (90, None), (1_000, None)]
        {
            assert_eq!(codes(1, None).step_of(&secret, "287082", at(now)), found, "{now}");
        }
        for wrong in ["", "287083", "28708", "2870820", "ä87082", "94287082"] {
            assert_eq!(codes(1, None).step_of(&secret, wrong, at(59)), None, "{wrong:?}");
        }
    }

    #[test]
    fn an_app_is_set_up_with_a_fresh_secret_and_a_link_that_names_shop_and_account() {
        let email = "nia+parts@example.com".parse().unwrap();
        let (one, two) = (codes(1, None).set_up(&email).unwrap(), codes(1, None).set_up(&email).unwrap());
        assert_ne!(one.secret, two.secret);
        assert_eq!(one.secret.expose().len(), 32, "160 bits");
        let link = url::Url::parse(&one.link).unwrap();
        assert_eq!((link.scheme(), link.host_str()), ("otpauth", Some("totp")));
        assert_eq!(link.path(), "/Driveline:nia%2Bparts%40example.com");
        let fields: Vec<_> = link.query_pairs().collect();
        assert!(fields.contains(&("secret".into(), one.secret.expose().into())));
        assert!(fields.contains(&("issuer".into(), "Driveline".into())));
        let quoted = "\"a:b\"@example.com".parse::<Email>();
        assert!(quoted.map_or(true, |quoted| codes(1, None).set_up(&quoted).is_some()));
    }

    #[test]
    fn the_picture_is_square_and_has_the_three_finders_of_a_qr_code() {
        let setup = codes(1, None).set_up(&"nia@example.com".parse().unwrap()).unwrap();
        let size = setup.qr.len();
        assert!(setup.qr.iter().all(|row| row.len() == size));
        for (x, y) in [(0, 0), (size - 7, 0), (0, size - 7)] {
            let ring = (0..7).all(|at| setup.qr[y][x + at] && setup.qr[y + 6][x + at] && setup.qr[y + at][x]);
            assert!(ring && !setup.qr[y + 1][x + 1] && setup.qr[y + 3][x + 3], "{x} {y}");
        }
    }

    #[test]
    fn a_sealed_secret_opens_only_for_its_account_and_its_shop() {
        let secret = AppSecret::new("GEZDGNBVGY3TQOJQ".into());
        let sealed = codes(1, None).seal(account(1), &secret).unwrap();
        assert!(!sealed.0.windows(8).any(|part| part == b"GEZDGNBV"));
        assert_eq!(codes(1, None).open(account(1), &sealed).as_ref(), Some(&secret));
        assert_eq!(codes(2, Some(1)).open(account(1), &sealed), Some(secret));
        assert_eq!(codes(1, None).open(account(2), &sealed), None);
        assert_eq!(codes(2, None).open(account(1), &sealed), None);
    }

    #[test]
    fn recovery_codes_never_repeat_and_are_recognised_however_they_are_typed() {
        let made: Vec<RecoveryCode> = (0..100).flat_map(|_| codes(1, None).recovery_codes()).collect();
        let texts: HashSet<&str> = made.iter().map(RecoveryCode::expose).collect();
        assert_eq!(texts.len(), 100 * RECOVERY_CODES);
        for code in texts {
            let shape = code.len() == 19 && code.split('-').all(|group| group.len() == 4);
            assert!(shape, "{code}");
            let hash = codes(1, None).hash(code);
            let sloppy = code.to_lowercase().replace('-', " ").replace('0', "o").replace('1', "l");
            assert_eq!(codes(1, None).hash(&sloppy), hash, "{sloppy}");
        }
        assert_ne!(codes(1, None).hash("AAAA-BBBB-CCCC-DDDD"), codes(1, None).hash("AAAA-BBBB-CCCC-DDDE"));
    }
}

//! Cookies that mark a device as one that has signed in to an account before.

use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{DeviceId, Timestamp};
use ports::{DeviceAccount, DeviceCookies, PasswordHash};

use crate::keys::{Derived, Purpose, mac};
use crate::{TokenKeys, entropy};

/// How long a device stays known.
const LIFE: Duration = Duration::from_hours(365 * 24);
/// How many accounts stay known on one device.
const ACCOUNTS: usize = 4;
/// Bytes of one account's entry: device id, time of issue, MAC.
const ENTRY: usize = 16 + 8 + 32;

/// Signs device cookies with a key derived from the shop's secret; cookies under the previous secret are still
/// recognised.
///
/// A cookie holds an entry for each of the last accounts that signed in on the device: the device's id, the time of
/// issue, and a MAC over both and the account's address and password. So it reveals nothing about an account that its holder has
/// no entry for, and nobody stays known who signed in before the password was another: they may have been somebody else.
#[derive(Debug, Clone)]
pub struct DeviceSigner(Derived);

impl DeviceSigner {
    /// A signer under the shop's secret.
    #[must_use]
    pub fn new(keys: &TokenKeys) -> Self {
        Self(keys.derive(Purpose::Device))
    }

    fn entry(&self, device: DeviceId, issued: i64, account: &DeviceAccount) -> Option<[u8; ENTRY]> {
        let mut entry = [0; ENTRY];
        let (id, rest) = entry.split_at_mut(16);
        let (moment, code) = rest.split_at_mut(8);
        id.copy_from_slice(&device.0);
        moment.copy_from_slice(&issued.to_be_bytes());
        code.copy_from_slice(&code_of(self.0.current()?, account, id, moment));
        Some(entry)
    }

    /// The device of an entry, if the entry belongs to the account and has not expired.
    fn read(&self, entry: &[u8; ENTRY], account: &DeviceAccount, now: Timestamp) -> Option<DeviceId> {
        let (id, rest) = entry.split_at(16);
        let (moment, code) = rest.split_at(8);
        let is_of = |key: &[u8; 32]| verify_slices_are_equal(&code_of(key, account, id, moment), code).is_ok();
        if !self.0.all().any(is_of) {
            return None;
        }
        let issued = Timestamp::from_second(i64::from_be_bytes(moment.try_into().ok()?)).ok()?;
        let is_fresh = issued.checked_add(LIFE).is_ok_and(|until| now < until);
        is_fresh.then_some(DeviceId(id.try_into().ok()?))
    }
}

fn code_of(key: &[u8; 32], account: &DeviceAccount, device: &[u8], moment: &[u8]) -> [u8; 32] {
    let password = account.password.as_ref().map_or("", PasswordHash::expose);
    mac(key, &[account.email.as_str().as_bytes(), device, moment, password.as_bytes()])
}

/// The well-formed entries of a cookie.
fn entries(cookie: &str) -> impl Iterator<Item = [u8; ENTRY]> {
    cookie.split('.').take(ACCOUNTS).filter_map(|entry| URL_SAFE_NO_PAD.decode(entry).ok()?.try_into().ok())
}

impl DeviceCookies for DeviceSigner {
    fn issue(&self, account: &DeviceAccount, held: &str, now: Timestamp) -> String {
        // Keeps the device's id: its earlier failed logins still count against it.
        let device = self.recognise(held, account, now).unwrap_or_else(|| DeviceId(entropy::bytes()));
        let fresh = self.entry(device, now.as_second(), account);
        let others = entries(held).filter(|entry| self.read(entry, account, now).is_none());
        let kept: Vec<String> =
            fresh.into_iter().chain(others).take(ACCOUNTS).map(|entry| URL_SAFE_NO_PAD.encode(entry)).collect();
        kept.join(".")
    }

    fn recognise(&self, cookie: &str, account: &DeviceAccount, now: Timestamp) -> Option<DeviceId> {
        entries(cookie).find_map(|entry| self.read(&entry, account, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(current: u8, previous: Option<u8>) -> DeviceSigner {
        let previous = previous.map(|byte| [byte; 32]);
        DeviceSigner::new(&TokenKeys::new(&[current; 32], previous.as_ref().map(<[u8; 32]>::as_slice)).unwrap())
    }

    fn account(name: &str) -> DeviceAccount {
        let email = format!("{name}@example.com").parse().unwrap();
        DeviceAccount { email, password: Some(PasswordHash::new("$argon2id$first".into())) }
    }

    fn day(day: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + day * 86_400).unwrap()
    }

    #[test]
    fn a_device_is_known_only_to_the_account_that_signed_in_on_it() {
        let signer = signer(1, None);
        let cookie = signer.issue(&account("ada"), "", day(0));
        assert!(signer.recognise(&cookie, &account("ada"), day(0)).is_some());
        assert_eq!(signer.recognise(&cookie, &account("bob"), day(0)), None);
    }

    #[test]
    fn a_device_keeps_its_id_and_knows_the_last_few_accounts() {
        let signer = signer(1, None);
        let first = signer.issue(&account("ada"), "", day(0));
        let id = signer.recognise(&first, &account("ada"), day(0));
        let both = signer.issue(&account("bob"), &first, day(1));
        assert_eq!(signer.recognise(&both, &account("ada"), day(1)), id);
        let again = signer.issue(&account("ada"), &both, day(2));
        assert_eq!(again.split('.').count(), 2);
        assert_eq!(signer.recognise(&again, &account("ada"), day(366)), id);
        let many = (0..9).fold(again, |held, n| signer.issue(&account(&format!("n{n}")), &held, day(2)));
        assert!(many.split('.').count() == ACCOUNTS && many.len() < 400, "{many}");
        assert_eq!(signer.recognise(&many, &account("ada"), day(2)), None);
        assert!(signer.recognise(&many, &account("n8"), day(2)).is_some());
    }

    #[test]
    fn a_device_is_unknown_to_an_account_with_another_password() {
        let signer = signer(1, None);
        let cookie = signer.issue(&account("ada"), "", day(0));
        for other in [None, Some(PasswordHash::new("$argon2id$second".into()))] {
            let changed = DeviceAccount { password: other, ..account("ada") };
            assert_eq!(signer.recognise(&cookie, &changed, day(0)), None);
            let again = signer.issue(&changed, &cookie, day(1));
            assert!(signer.recognise(&again, &changed, day(1)).is_some());
        }
    }

    #[test]
    fn a_device_is_unknown_after_a_year() {
        let signer = signer(1, None);
        let cookie = signer.issue(&account("ada"), "", day(0));
        assert!(signer.recognise(&cookie, &account("ada"), day(364)).is_some());
        assert_eq!(signer.recognise(&cookie, &account("ada"), day(365)), None);
    }

    #[test]
    fn a_cookie_of_the_previous_key_is_recognised_and_one_of_a_dropped_key_is_not() {
        let cookie = signer(1, None).issue(&account("ada"), "", day(0));
        assert!(signer(2, Some(1)).recognise(&cookie, &account("ada"), day(0)).is_some());
        assert_eq!(signer(2, None).recognise(&cookie, &account("ada"), day(0)), None);
    }

    #[test]
    fn nothing_of_a_cookie_can_be_changed() {
        let signer = signer(1, None);
        let cookie = signer.issue(&account("ada"), "", day(0));
        for place in 0..cookie.len() - 1 {
            for other in ["A", "g", "."] {
                let mut tampered = cookie.clone();
                tampered.replace_range(place..=place, other);
                if tampered != cookie {
                    assert_eq!(signer.recognise(&tampered, &account("ada"), day(0)), None, "{other} at {place}");
                }
            }
        }
        for garbage in ["", ".", "a.b.c", "ä", "\0"] {
            assert_eq!(signer.recognise(garbage, &account("ada"), day(0)), None);
        }
    }
}

//! Cookies that mark a device as one that has signed in to an account before.

use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{DeviceId, Email, Timestamp};
use ports::DeviceCookies;

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
/// issue, and a MAC over both and the account's address. So it reveals nothing about an account that its holder has no
/// entry for.
#[derive(Debug, Clone)]
pub struct DeviceSigner(Derived);

impl DeviceSigner {
    /// A signer under the shop's secret.
    #[must_use]
    pub fn new(keys: &TokenKeys) -> Self {
        Self(keys.derive(Purpose::Device))
    }

    fn entry(&self, device: DeviceId, issued: i64, email: &Email) -> Option<[u8; ENTRY]> {
        let mut entry = [0; ENTRY];
        let (id, rest) = entry.split_at_mut(16);
        let (moment, code) = rest.split_at_mut(8);
        id.copy_from_slice(&device.0);
        moment.copy_from_slice(&issued.to_be_bytes());
        code.copy_from_slice(&mac(self.0.current()?, &[email.as_str().as_bytes(), id, moment]));
        Some(entry)
    }

    /// The device of an entry, if the entry belongs to the account and has not expired.
    fn read(&self, entry: &[u8; ENTRY], email: &Email, now: Timestamp) -> Option<DeviceId> {
        let (id, rest) = entry.split_at(16);
        let (moment, code) = rest.split_at(8);
        let expected = |key| mac(key, &[email.as_str().as_bytes(), id, moment]);
        if !self.0.all().any(|key| verify_slices_are_equal(&expected(key), code).is_ok()) {
            return None;
        }
        let issued = Timestamp::from_second(i64::from_be_bytes(moment.try_into().ok()?)).ok()?;
        let is_fresh = issued.checked_add(LIFE).is_ok_and(|until| now < until);
        is_fresh.then_some(DeviceId(id.try_into().ok()?))
    }
}

/// The well-formed entries of a cookie.
fn entries(cookie: &str) -> impl Iterator<Item = [u8; ENTRY]> {
    cookie.split('.').take(ACCOUNTS).filter_map(|entry| URL_SAFE_NO_PAD.decode(entry).ok()?.try_into().ok())
}

impl DeviceCookies for DeviceSigner {
    fn issue(&self, email: &Email, held: &str, now: Timestamp) -> String {
        // Keeps the device's id: its earlier failed logins still count against it.
        let device = self.recognise(held, email, now).unwrap_or_else(|| DeviceId(entropy::bytes()));
        let fresh = self.entry(device, now.as_second(), email);
        let others = entries(held).filter(|entry| self.read(entry, email, now).is_none());
        let kept: Vec<String> =
            fresh.into_iter().chain(others).take(ACCOUNTS).map(|entry| URL_SAFE_NO_PAD.encode(entry)).collect();
        kept.join(".")
    }

    fn recognise(&self, cookie: &str, email: &Email, now: Timestamp) -> Option<DeviceId> {
        entries(cookie).find_map(|entry| self.read(&entry, email, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(current: u8, previous: Option<u8>) -> DeviceSigner {
        let previous = previous.map(|byte| [byte; 32]);
        DeviceSigner::new(&TokenKeys::new(&[current; 32], previous.as_ref().map(<[u8; 32]>::as_slice)).unwrap())
    }

    fn email(name: &str) -> Email {
        format!("{name}@example.com").parse().unwrap()
    }

    fn day(day: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + day * 86_400).unwrap()
    }

    #[test]
    fn a_device_is_known_only_to_the_account_that_signed_in_on_it() {
        let signer = signer(1, None);
        let cookie = signer.issue(&email("ada"), "", day(0));
        assert!(signer.recognise(&cookie, &email("ada"), day(0)).is_some());
        assert_eq!(signer.recognise(&cookie, &email("bob"), day(0)), None);
    }

    #[test]
    fn a_device_keeps_its_id_and_knows_the_last_few_accounts() {
        let signer = signer(1, None);
        let first = signer.issue(&email("ada"), "", day(0));
        let id = signer.recognise(&first, &email("ada"), day(0));
        let both = signer.issue(&email("bob"), &first, day(1));
        assert_eq!(signer.recognise(&both, &email("ada"), day(1)), id);
        let again = signer.issue(&email("ada"), &both, day(2));
        assert_eq!(again.split('.').count(), 2);
        assert_eq!(signer.recognise(&again, &email("ada"), day(366)), id);
        let many = (0..9).fold(again, |held, n| signer.issue(&email(&format!("n{n}")), &held, day(2)));
        assert!(many.split('.').count() == ACCOUNTS && many.len() < 400, "{many}");
        assert_eq!(signer.recognise(&many, &email("ada"), day(2)), None);
        assert!(signer.recognise(&many, &email("n8"), day(2)).is_some());
    }

    #[test]
    fn a_device_is_unknown_after_a_year() {
        let signer = signer(1, None);
        let cookie = signer.issue(&email("ada"), "", day(0));
        assert!(signer.recognise(&cookie, &email("ada"), day(364)).is_some());
        assert_eq!(signer.recognise(&cookie, &email("ada"), day(365)), None);
    }

    #[test]
    fn a_cookie_of_the_previous_key_is_recognised_and_one_of_a_dropped_key_is_not() {
        let cookie = signer(1, None).issue(&email("ada"), "", day(0));
        assert!(signer(2, Some(1)).recognise(&cookie, &email("ada"), day(0)).is_some());
        assert_eq!(signer(2, None).recognise(&cookie, &email("ada"), day(0)), None);
    }

    #[test]
    fn nothing_of_a_cookie_can_be_changed() {
        let signer = signer(1, None);
        let cookie = signer.issue(&email("ada"), "", day(0));
        for place in 0..cookie.len() - 1 {
            for other in ["A", "g", "."] {
                let mut tampered = cookie.clone();
                tampered.replace_range(place..=place, other);
                if tampered != cookie {
                    assert_eq!(signer.recognise(&tampered, &email("ada"), day(0)), None, "{other} at {place}");
                }
            }
        }
        for garbage in ["", ".", "a.b.c", "ä", "\0"] {
            assert_eq!(signer.recognise(garbage, &email("ada"), day(0)), None);
        }
    }
}

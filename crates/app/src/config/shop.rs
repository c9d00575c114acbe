//! Who runs the shop and how to reach them. Everybody reads it, so it is checked as what customers type is.

use domain::{Email, Text};
use http_adapter::ShopContact;

use super::reader::EnvReader;

/// What the shop calls itself on its pages.
const NAME: &str = "Driveline";

impl EnvReader<'_> {
    pub(super) fn contact(&mut self) -> ShopContact {
        ShopContact {
            name: Some(NAME.to_owned()),
            company: self.line::<120>("SHOP_COMPANY"),
            email: self.parsed("SHOP_EMAIL", "an email address such as support@shop.example.com", |typed| {
                typed.parse::<Email>().ok().map(|email| email.as_str().to_owned())
            }),
            phone: self.parsed("SHOP_PHONE", "a phone number such as +1 202 555 0143", phone),
            address: self.line::<300>("SHOP_ADDRESS"),
            support_hours: self.line::<120>("SHOP_HOURS"),
        }
    }

    /// Text for a single line of a page.
    fn line<const MAX: usize>(&mut self, name: &str) -> Option<String> {
        self.parsed(name, format!("one line of at most {MAX} characters"), |typed| {
            let text = Text::<MAX>::new(typed).ok()?.into_string();
            (!text.contains(char::is_control)).then_some(text)
        })
    }
}

/// A number that can be dialed: the client makes a link of its digits.
fn phone(typed: &str) -> Option<String> {
    const LONGEST: usize = 40;
    let digits = typed.chars().filter(char::is_ascii_digit).count();
    let known = |character: char| character.is_ascii_digit() || " ()-./".contains(character);
    let sound = typed.len() <= LONGEST && (5..=15).contains(&digits);
    (sound && typed.strip_prefix('+').unwrap_or(typed).chars().all(known)).then(|| typed.to_owned())
}

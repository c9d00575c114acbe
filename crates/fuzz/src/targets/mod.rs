//! The targets, by what they read.

mod files;
mod headers;
mod pictures;
mod texts;
mod tokens;
mod webhooks;

use crate::target::Target;

/// All of them.
pub static TARGETS: [Target; 22] = [
    webhooks::EVENT,
    webhooks::SIGNATURE,
    webhooks::SUBSCRIPTION,
    tokens::ACCESS_TOKEN,
    tokens::CLAIMS,
    tokens::DEVICE_COOKIE,
    tokens::CURSOR,
    files::PRODUCTS,
    files::TAX_RATES,
    files::FEEDS,
    files::QUICK_ORDER,
    texts::PRODUCT_QUERY,
    texts::NUMBERS,
    texts::ORDER,
    texts::VIN,
    texts::VEHICLE,
    pictures::UPLOAD,
    pictures::FORM,
    headers::FORWARDED_FOR,
    headers::TRACEPARENT,
    headers::KEYS,
    headers::MEDIA_TYPE,
];

/// The target of a name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Texts as samples.
fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

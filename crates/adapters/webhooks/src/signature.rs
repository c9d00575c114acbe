//! Signatures of Standard Webhooks: HMAC-SHA-256 over the message's id, the attempt's time and the body.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ports::WebhookSecret;

/// Signs a body; `None` if the secret is not in the `whsec_` format, or its key is empty.
pub(crate) fn sign(secret: &WebhookSecret, id: &str, seconds: i64, body: &[u8]) -> Option<String> {
    let key = STANDARD.decode(secret.expose().strip_prefix("whsec_")?).ok().filter(|key| !key.is_empty())?;
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, &key));
    for part in [id.as_bytes(), b".", seconds.to_string().as_bytes(), b".", body] {
        context.update(part);
    }
    Some(format!("v1,{}", STANDARD.encode(context.sign())))
}

#[cfg(test)]
mod tests {
    use standardwebhooks::Webhook;

    use super::*;

    #[test]
    fn the_reference_library_computes_the_same_signature() {
        let secret = format!("whsec_{}", STANDARD.encode([7; 32]));
        let theirs = Webhook::new(&secret).unwrap();
        for (id, seconds, body) in [("msg_1", 1_800_000_000, "{}"), ("a.b", 1, "{\"name\":\"Zoë\"}")] {
            let ours = sign(&WebhookSecret::new(secret.clone()), id, seconds, body.as_bytes()).unwrap();
            assert_eq!(ours, theirs.sign(id, seconds, body.as_bytes()).unwrap());
        }
    }

    #[test]
    fn a_secret_in_another_format_signs_nothing() {
        for secret in ["", "whsec_", "MfKQ9r8G", "whsec_!"] {
            assert_eq!(sign(&WebhookSecret::new(secret.to_owned()), "id", 1, b"{}"), None, "{secret}");
        }
    }
}

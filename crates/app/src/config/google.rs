//! The settings of sign-in with Google.

use secrecy::SecretString;

use super::reader::{EnvReader, is_web};

/// Google's issuer URL.
const GOOGLE: &str = "https://accounts.google.com";

/// A client at Google, or at another `OpenID` provider.
#[derive(Debug)]
pub(crate) struct Google {
    pub(crate) client_id: String,
    pub(crate) client_secret: SecretString,
    /// The issuer URL.
    pub(crate) issuer: String,
}

impl EnvReader<'_> {
    pub(super) fn google(&mut self) -> Option<Google> {
        let client_id = self.text("GOOGLE_CLIENT_ID");
        let client_secret = self.secret("GOOGLE_CLIENT_SECRET");
        let issuer = self.parsed("GOOGLE_ISSUER", "an http(s) address", |typed| {
            is_web(typed).then(|| typed.trim_end_matches('/').to_owned())
        });
        match (client_id, client_secret) {
            (Some(client_id), Some(client_secret)) => {
                Some(Google { client_id, client_secret, issuer: issuer.unwrap_or_else(|| GOOGLE.to_owned()) })
            }
            (Some(_), None) => {
                self.complain("GOOGLE_CLIENT_ID is set, and GOOGLE_CLIENT_SECRET is not");
                None
            }
            (None, Some(_)) => {
                self.complain("GOOGLE_CLIENT_SECRET is set, and GOOGLE_CLIENT_ID is not");
                None
            }
            (None, None) => {
                if issuer.is_some() {
                    self.complain("GOOGLE_ISSUER is set, and GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not");
                }
                None
            }
        }
    }
}

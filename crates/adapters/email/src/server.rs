//! The mail server's address, and how to connect to it.

use std::net::IpAddr;
use std::str::FromStr;

use lettre::transport::smtp::authentication::Credentials;
use percent_encoding::percent_decode_str;
use thiserror::Error;
use url::{Host, Url};

/// A mail server, by an address such as `smtp://user:password@mail.example.com`.
///
/// `smtps` is encrypted from the first byte (RFC 8314). `smtp` begins in plain text and must switch to TLS before
/// anything is sent; only a server on this machine is used without encryption.
#[derive(Clone)]
pub struct MailServer {
    /// Without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) privacy: Privacy,
    pub(crate) credentials: Option<Credentials>,
}

/// When a connection becomes encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Privacy {
    /// Never.
    None,
    /// After EHLO, by STARTTLS (RFC 3207).
    Upgraded,
    /// From the first byte.
    Whole,
}

/// Not a valid mail server address. Its value may hold a password and is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a mail server's address, such as smtp://user:password@mail.example.com or smtps://mail.example.com:465")]
pub struct InvalidServer;

impl FromStr for MailServer {
    type Err = InvalidServer;

    fn from_str(typed: &str) -> Result<Self, InvalidServer> {
        let url = Url::parse(typed).map_err(|_| InvalidServer)?;
        let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        // The url crate knows neither scheme, so it does not normalise the host.
        let host = url.host_str().filter(|host| bare && !host.is_empty()).ok_or(InvalidServer)?;
        let host = match Host::parse(host).map_err(|_| InvalidServer)? {
            Host::Domain(name) => name,
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        };
        let (port, privacy) = match url.scheme() {
            "smtps" => (465, Privacy::Whole),
            "smtp" if is_this_machine(&host) => (25, Privacy::None),
            "smtp" => (587, Privacy::Upgraded),
            _ => return Err(InvalidServer),
        };
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            ("", Some(_)) | (_, None) => return Err(InvalidServer),
            (user, Some(password)) => Some(Credentials::new(decoded(user)?, decoded(password)?)),
        };
        Ok(Self { host, port: url.port().unwrap_or(port), privacy, credentials })
    }
}

impl std::fmt::Debug for MailServer {
    /// Host, port and privacy; never the credentials.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { host, port, privacy, credentials: _ } = self;
        f.debug_struct("MailServer")
            .field("host", host)
            .field("port", port)
            .field("privacy", privacy)
            .finish_non_exhaustive()
    }
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn decoded(text: &str) -> Result<String, InvalidServer> {
    percent_decode_str(text).decode_utf8().map(Into::into).map_err(|_| InvalidServer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gives_the_host_the_port_and_the_privacy() {
        for (typed, host, port, privacy) in [
            ("smtp://mail.example.com", "mail.example.com", 587, Privacy::Upgraded),
            ("smtp://mail.example.com:2525/", "mail.example.com", 2525, Privacy::Upgraded),
            ("smtps://user:secret@mail.example.com", "mail.example.com", 465, Privacy::Whole),
            ("smtp://localhost:1025", "localhost", 1025, Privacy::None),
            ("smtp://127.0.0.1", "127.0.0.1", 25, Privacy::None),
            ("smtp://[::1]:1025", "::1", 1025, Privacy::None),
            ("smtps://127.0.0.1", "127.0.0.1", 465, Privacy::Whole),
            ("smtp://10.0.0.7", "10.0.0.7", 587, Privacy::Upgraded),
        ] {
            let server: MailServer = typed.parse().unwrap();
            assert_eq!((server.host.as_str(), server.port, server.privacy), (host, port, privacy), "{typed}");
            assert_eq!(server.credentials.is_some(), typed.contains('@'), "{typed}");
        }
    }

    #[test]
    fn percent_encoded_credentials_in_an_address_are_decoded() {
        let server: MailServer = "smtps://a%40b.example:s%2Fe%3Ac+r%25t@mail.example.com".parse().unwrap();
        assert_eq!(server.credentials, Some(Credentials::new("a@b.example".into(), "s/e:c+r%t".into())));
    }

    #[test]
    fn an_address_that_is_not_a_mail_servers_is_refused() {
        for typed in [
            "",
            "mail.example.com",
            "http://mail.example.com",
            "smtp://",
            "smtp://user@mail.example.com",
            "smtp://:secret@mail.example.com",
            "smtp://mail.example.com/queue",
            "smtp://mail.example.com?tls=none",
            "smtp://mail.example.com#x",
            "smtp://mail.example.com:99999",
        ] {
            assert_eq!(typed.parse::<MailServer>().err(), Some(InvalidServer), "{typed}");
        }
    }

    #[test]
    fn the_debug_output_hides_the_credentials() {
        let server: MailServer = "smtps://user:s3cr3t@mail.example.com".parse().unwrap();
        assert!(!format!("{server:?}").contains("s3cr3t") && !format!("{server:?}").contains("user"));
    }
}

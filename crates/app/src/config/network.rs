//! Who may reach the shop under which address, and what it may reach.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use url::Url;
use webhooks::NetworkPolicy;

use super::reader::EnvReader;

impl EnvReader<'_> {
    pub(super) fn public_url(&mut self) -> Option<String> {
        const WANTED: &str = "what browsers call the shop, such as https://shop.example.com, without a path";
        let url = self.parsed("PUBLIC_URL", WANTED, origin);
        if url.is_none() {
            self.missing("PUBLIC_URL", WANTED);
        }
        url
    }

    /// Origins as browsers send them (RFC 6454, section 6.2). One with a path would match no browser, and a `*` every
    /// one.
    pub(super) fn cors_origins(&mut self) -> Vec<String> {
        const WANTED: &str = "origins such as https://partner.example.com, without a path, separated by commas";
        self.list("CORS_ORIGINS", WANTED, |typed| origin(typed).filter(|_| !typed.ends_with('/')))
    }

    /// Private networks are allowed only if the operator says so: otherwise an account that may add a webhook
    /// subscription could make the shop call any host there.
    pub(super) fn webhook_network(&mut self) -> NetworkPolicy {
        let private = self.parsed("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", "true or false", |typed| typed.parse().ok());
        if private == Some(true) { NetworkPolicy::Anywhere } else { NetworkPolicy::Public }
    }
}

/// A network, or an address as a network of its own. Both are normalised for comparison: IPv4 mapped into IPv6 is IPv4.
pub(super) fn network(typed: &str) -> Option<IpNet> {
    const MAPPED: u8 = 96;
    let network = typed.parse().ok().or_else(|| typed.parse::<IpAddr>().ok().map(IpNet::from))?;
    match (network.addr().to_canonical(), network.prefix_len().checked_sub(MAPPED)) {
        (address @ IpAddr::V4(_), Some(prefix)) if network.addr().is_ipv6() => IpNet::new(address, prefix).ok(),
        _ => Some(network),
    }
}

/// Scheme, host and, unless it is the default, port of an http(s) address that has no other parts.
fn origin(address: &str) -> Option<String> {
    let url = Url::from_str(address).ok()?;
    let web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    (web && bare).then(|| url.origin().ascii_serialization())
}

//! The network address that a request comes from.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Once;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, X_FORWARDED_FOR};
use domain::ClientNetwork;
use ipnet::IpNet;

use crate::app_state::Settings;

/// The client's address: the peer's, unless the peer is a trusted proxy that names the client.
pub(crate) fn client_address(request: &HttpRequest, settings: &Settings) -> IpAddr {
    let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let headers = request.headers();
    if settings.trusted_proxies.is_empty() && settings.is_https() && headers.contains_key(X_FORWARDED_FOR) {
        warn_once(peer);
    }
    behind_proxies(peer, headers, &settings.trusted_proxies)
}

/// The network that rate limits and failed logins are counted by.
pub(crate) fn client_network(request: &HttpRequest, settings: &Settings) -> ClientNetwork {
    ClientNetwork::of(client_address(request, settings))
}

/// A proxy in front of the shop that is not in `TRUSTED_PROXIES` makes all visitors one client: they share every limit,
/// and one visitor's failed logins count for all.
fn warn_once(peer: IpAddr) {
    static WARNED: Once = Once::new();
    WARNED.call_once(|| {
        tracing::warn!(
            %peer,
            "requests carry X-Forwarded-For and TRUSTED_PROXIES is empty: all visitors behind that proxy count as one; \
            name its address or network in TRUSTED_PROXIES"
        );
    });
}

/// Reads the hops from the right for as long as the hop before is trusted: anything further left was written by an
/// untrusted sender. An entry that is not an address ends the reading, and the hop that wrote it counts.
pub(crate) fn behind_proxies(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let mut hop = peer.to_canonical();
    let lines: Vec<_> = headers.get_all(X_FORWARDED_FOR).collect();
    for line in lines.into_iter().rev() {
        for entry in line.as_bytes().rsplit(|byte| *byte == b',') {
            if !trusted.iter().any(|network| network.contains(&hop)) {
                return hop;
            }
            let Some(said) = std::str::from_utf8(entry).ok().and_then(address) else { return hop };
            hop = said;
        }
    }
    hop
}

/// An entry as proxies write it: an address, with or without brackets around an IPv6 one, and with or without a port.
fn address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bare = || entry.parse::<IpAddr>().ok();
    let bracketed = || entry.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let with_port = || entry.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare().or_else(bracketed).or_else(with_port).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn forwarded_for(lines: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_static(line));
        }
        headers
    }

    fn seen(peer: &str, lines: &[&'static str], trusted: &[&str]) -> String {
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        behind_proxies(peer.parse().unwrap(), &forwarded_for(lines), &trusted).to_string()
    }

    #[test]
    fn an_untrusted_client_cannot_choose_its_address() {
        assert_eq!(seen("192.0.2.1", &["203.0.113.9"], &["127.0.0.1/32"]), "192.0.2.1");
    }

    #[test]
    fn behind_trusted_proxies_the_last_untrusted_address_counts() {
        let trusted = ["127.0.0.1/32", "10.0.0.0/8"];
        assert_eq!(seen("127.0.0.1", &["198.51.100.66, 203.0.113.9, 10.0.0.2"], &trusted), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["198.51.100.66", "203.0.113.9, 10.0.0.2"], &trusted), "203.0.113.9");
        // Only proxies: the furthest one is the client.
        assert_eq!(seen("127.0.0.1", &["10.9.9.9, 10.0.0.2"], &trusted), "10.9.9.9");
        assert_eq!(seen("127.0.0.1", &[], &trusted), "127.0.0.1");
    }

    #[test]
    fn ports_and_brackets_do_not_hide_an_address() {
        for (entry, address) in [
            ("203.0.113.9:4711", "203.0.113.9"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            (" 203.0.113.9 ", "203.0.113.9"),
        ] {
            assert_eq!(seen("127.0.0.1", &[entry], &["127.0.0.1/32"]), address, "{entry}");
        }
    }

    #[test]
    fn an_invalid_entry_ends_the_reading_and_what_the_client_wrote_is_not_trusted() {
        for line in ["6.6.6.6, unknown", "6.6.6.6, ", "6.6.6.6, _hidden", "6.6.6.6, 999.1.1.1", "6.6.6.6, 1.2.3.4:x"] {
            assert_eq!(seen("127.0.0.1", &[line], &["127.0.0.1/32"]), "127.0.0.1", "{line}");
        }
        let trusted = ["127.0.0.1/32", "10.0.0.0/8"];
        assert_eq!(seen("127.0.0.1", &["6.6.6.6, unknown, 10.0.0.2"], &trusted), "10.0.0.2");
    }

    #[test]
    fn a_proxy_at_an_ipv4_mapped_ipv6_address_is_recognised() {
        assert_eq!(seen("::ffff:127.0.0.1", &["203.0.113.9"], &["127.0.0.1/32"]), "203.0.113.9");
    }
}

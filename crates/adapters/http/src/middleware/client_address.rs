//! Which network address a request comes from.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Once;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, X_FORWARDED_FOR};
use domain::ClientNetwork;
use ipnet::IpNet;

use crate::app_state::Settings;

/// The client's address: the peer's, unless the peer is a proxy that is trusted to say whom it speaks for.
fn client_address(request: &HttpRequest, settings: &Settings) -> IpAddr {
    let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let headers = request.headers();
    if settings.trusted_proxies.is_empty() && settings.is_https() && headers.contains_key(X_FORWARDED_FOR) {
        warn_once(peer);
    }
    behind_proxies(peer, headers, &settings.trusted_proxies)
}

/// What the client is told from others by, where it has to wait if it asks too often.
pub(crate) fn client_network(request: &HttpRequest, settings: &Settings) -> ClientNetwork {
    ClientNetwork::of(client_address(request, settings))
}

/// Whoever runs the shop behind a proxy and does not name it makes all visitors one: they share every limit, and wrong
/// passwords of one count for all.
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

/// Read from the right, hop by hop, for as long as the hop before is trusted: whatever stands further left was written by
/// somebody who is not. An entry that is no address ends the reading, and the hop that wrote it counts.
fn behind_proxies(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
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

/// An entry as proxies write it: an address, with brackets around an IPv6 one or not, and with a port or not.
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

    fn told(lines: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_static(line));
        }
        headers
    }

    fn seen(peer: &str, lines: &[&'static str], trusted: &[&str]) -> String {
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        behind_proxies(peer.parse().unwrap(), &told(lines), &trusted).to_string()
    }

    #[test]
    fn a_stranger_does_not_choose_its_own_address() {
        assert_eq!(seen("192.0.2.1", &["203.0.113.9"], &["127.0.0.1/32"]), "192.0.2.1");
    }

    #[test]
    fn of_what_trusted_proxies_say_the_last_untrusted_address_counts() {
        let trusted = ["127.0.0.1/32", "10.0.0.0/8"];
        assert_eq!(seen("127.0.0.1", &["198.51.100.66, 203.0.113.9, 10.0.0.2"], &trusted), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["198.51.100.66", "203.0.113.9, 10.0.0.2"], &trusted), "203.0.113.9");
        // Nobody but proxies: the one that is furthest away is the client.
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
    fn what_is_no_address_ends_the_reading_and_the_clients_own_word_is_not_believed() {
        for line in ["6.6.6.6, unknown", "6.6.6.6, ", "6.6.6.6, _hidden", "6.6.6.6, 999.1.1.1", "6.6.6.6, 1.2.3.4:x"] {
            assert_eq!(seen("127.0.0.1", &[line], &["127.0.0.1/32"]), "127.0.0.1", "{line}");
        }
        let trusted = ["127.0.0.1/32", "10.0.0.0/8"];
        assert_eq!(seen("127.0.0.1", &["6.6.6.6, unknown, 10.0.0.2"], &trusted), "10.0.0.2");
    }

    #[test]
    fn a_proxy_that_comes_by_ipv6_as_an_ipv4_address_is_known() {
        assert_eq!(seen("::ffff:127.0.0.1", &["203.0.113.9"], &["127.0.0.1/32"]), "203.0.113.9");
    }
}

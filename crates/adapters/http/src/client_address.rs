//! Which network address a request comes from.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, X_FORWARDED_FOR};
use domain::ClientNetwork;

/// The client's address: the peer's, unless the peer is a proxy that is trusted to tell whom it speaks for.
///
/// Read from the right, because whatever stands left of the first untrusted address was written by that address.
pub(crate) fn client_address(request: &HttpRequest, trusted: &[IpAddr]) -> IpAddr {
    let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    behind_proxies(peer, request.headers(), trusted)
}

/// What the client is told from others by, where it has to wait if it asks too often.
pub(crate) fn client_network(request: &HttpRequest, trusted: &[IpAddr]) -> ClientNetwork {
    ClientNetwork::of(client_address(request, trusted))
}

fn behind_proxies(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    if !trusted.contains(&peer) {
        return peer;
    }
    let told: Vec<IpAddr> = headers
        .get_all(X_FORWARDED_FOR)
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .filter_map(|address| address.trim().parse().ok())
        .collect();
    told.into_iter().rev().find(|address| !trusted.contains(address)).unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn told(forwarded: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(X_FORWARDED_FOR, HeaderValue::from_static(forwarded));
        headers
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_stranger_does_not_choose_its_own_address() {
        assert_eq!(behind_proxies(ip("192.0.2.1"), &told("203.0.113.9"), &[ip("127.0.0.1")]), ip("192.0.2.1"));
    }

    #[test]
    fn of_what_a_trusted_proxy_tells_the_last_untrusted_address_counts() {
        let trusted = [ip("127.0.0.1"), ip("10.0.0.2")];
        let forwarded = told("198.51.100.66, 203.0.113.9, 10.0.0.2");
        assert_eq!(behind_proxies(ip("127.0.0.1"), &forwarded, &trusted), ip("203.0.113.9"));
    }
}

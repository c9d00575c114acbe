//! Whom a network address stands for, where clients are counted by it.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// What limits count a client by: an IPv4 address, or the /64 of an IPv6 address. A /64 is what one customer of a network is
/// given at the least (RFC 6177), so whoever has one address of it has all 2^64; counting them one by one counts nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientNetwork(IpAddr);

impl ClientNetwork {
    /// The network that an address belongs to. An IPv4 address that was mapped into IPv6 on its way is what it was.
    #[must_use]
    pub const fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        })
    }

    /// The network's first address, which stands for all of it.
    #[must_use]
    pub const fn address(self) -> IpAddr {
        self.0
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> String {
        ClientNetwork::of(address.parse().unwrap()).to_string()
    }

    #[test]
    fn an_ipv4_address_counts_as_itself_however_it_is_written() {
        assert_eq!(of("203.0.113.9"), "203.0.113.9");
        assert_eq!(of("::ffff:203.0.113.9"), "203.0.113.9");
        assert_ne!(of("203.0.113.9"), of("203.0.113.10"));
    }

    #[test]
    fn all_ipv6_addresses_of_one_64_count_as_one_client() {
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::1"), "::");
    }
}

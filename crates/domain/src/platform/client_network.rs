//! The network of a client, which rate limits count by.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The network a request came from: a whole IPv4 address, or the /64 of an IPv6 address. A /64 is the least that an
/// internet provider assigns to one customer, who can then send requests from 2^64 addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientNetwork(IpAddr);

impl ClientNetwork {
    /// The network of an address. An IPv4-mapped IPv6 address counts as the IPv4 address.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
            IpAddr::V4(address) => address.into(),
        })
    }
}

impl From<Ipv4Addr> for ClientNetwork {
    fn from(address: Ipv4Addr) -> Self {
        Self(address.into())
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(address) => write!(f, "{address}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> String {
        ClientNetwork::of(address.parse().unwrap()).to_string()
    }

    #[test]
    fn an_ipv4_address_is_its_own_network_even_if_mapped_into_ipv6() {
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
    }

    #[test]
    fn ipv6_addresses_of_the_same_64_are_one_network() {
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2:ffff::1"), network("2001:db8:1:2::9"));
        assert_ne!(network("2001:db8:1:3::9"), network("2001:db8:1:2::9"));
    }
}

//! Which addresses belong to the public internet, according to IANA's registries of special-purpose addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The special-purpose blocks of IPv4: network address and prefix length.
const SPECIAL_V4: [(Ipv4Addr, u32); 16] = [
    // This network, and the unspecified address (RFC 791).
    (Ipv4Addr::UNSPECIFIED, 8),
    // Private networks (RFC 1918).
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Carrier-grade NAT (RFC 6598).
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    // Loopback (RFC 1122).
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local, and the metadata service of cloud machines, 169.254.169.254 (RFC 3927).
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    // Protocol assignments (RFC 6890); Oracle Cloud has a metadata service here as well.
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    // Documentation (RFC 5737).
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    // 6to4 relays (RFC 7526).
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Benchmarking (RFC 2544).
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast (RFC 5771).
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    // Reserved, and broadcast (RFC 1112).
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    // Azure's service for its machines has an address that looks public; the other clouds' are in blocks above.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
];

/// The one block of IPv6 from which public addresses are allocated (RFC 4291, section 2.4). Loopback, unique local,
/// link-local, multicast, mapped and translated IPv4 addresses are all outside of it.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// The special-purpose blocks inside of it.
const SPECIAL_V6: [(Ipv6Addr, u32); 4] = [
    // Protocol assignments, among them Teredo, which embeds an IPv4 address (RFC 4380).
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Documentation (RFC 3849, RFC 9637).
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
    // 6to4, which embeds an IPv4 address (RFC 3056).
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
];

/// Whether an address belongs to the public internet.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|(block, bits)| {
            let differing = address.to_bits() ^ block.to_bits();
            differing.leading_zeros() >= *bits
        }),
        IpAddr::V6(address) => {
            let is_in = |(block, bits): &(Ipv6Addr, u32)| {
                let differing = address.to_bits() ^ block.to_bits();
                differing.leading_zeros() >= *bits
            };
            is_in(&GLOBAL_V6) && !SPECIAL_V6.iter().any(is_in)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "168.63.129.15",
            "2606:4700:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450:4001::1",
            "2003::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn private_and_special_purpose_addresses_are_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}

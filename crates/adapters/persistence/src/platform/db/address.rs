//! The database's address: the libpq parameters that are added to the configured ones.

/// No handshake takes longer than five seconds (two if there are other hosts to try), and a server that vanished silently is noticed within fifteen: an idle
/// connection is probed after 5 s and then every 3 s, and `tcp_user_timeout` does the same for one that is sending.
const EVERYWHERE: [(&str, &str); 5] = [
    ("application_name", "driveline"),
    ("tcp_user_timeout", "10000"),
    ("keepalives_idle", "5"),
    ("keepalives_interval", "3"),
    ("keepalives_count", "3"),
];

/// Of several hosts, the one that accepts writes: a failover then needs no manual step, and a replica is never used.
const WRITER: (&str, &str) = ("target_session_attrs", "read-write");

/// The address of the server that accepts writes.
pub(crate) fn of_writer(url: &str) -> String {
    with(with_all(url), WRITER)
}

/// The address of a server that may be a replica.
pub(super) fn of_reader(url: &str) -> String {
    with_all(url)
}

fn with_all(url: &str) -> String {
    // One of several that accepts connections and answers none costs this much before the next is tried, each time.
    let handshake = if names_several_hosts(url) { "2" } else { "5" };
    [("connect_timeout", handshake)].into_iter().chain(EVERYWHERE).fold(url.to_owned(), with)
}

fn names_several_hosts(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else {
        let hosts = ["host=", "hostaddr="];
        return url
            .split_whitespace()
            .any(|word| hosts.iter().any(|name| word.starts_with(name)) && word.contains(','));
    };
    let authority = rest.split(['/', '?']).next().unwrap_or(rest);
    authority.rsplit('@').next().unwrap_or(authority).contains(',')
}

/// Adds a parameter to a URL, or to a string of `name=value` pairs, unless it is already there.
fn with(mut url: String, (name, value): (&str, &str)) -> String {
    let parameters = url.split_once('?').map(|(_, parameters)| parameters);
    let (said, separator) = match (url.contains("://"), parameters) {
        (true, Some(parameters)) => (parameters, '&'),
        (true, None) => ("", '?'),
        (false, _) => (url.as_str(), ' '),
    };
    if !said.contains(&format!("{name}=")) {
        url.push(separator);
        url.push_str(name);
        url.push('=');
        url.push_str(value);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configured_parameters_are_kept_and_the_rest_is_added() {
        let rest = "&application_name=driveline&tcp_user_timeout=10000&keepalives_idle=5&keepalives_interval=3&keepalives_count=3";
        for (said, expected) in [
            ("postgres://u:p,q@h/d", format!("postgres://u:p,q@h/d?connect_timeout=5{rest}")),
            ("postgres://u:p@h1,h2/d", format!("postgres://u:p@h1,h2/d?connect_timeout=2{rest}")),
            (
                "postgres://h/d?sslmode=require&connect_timeout=9",
                format!("postgres://h/d?sslmode=require&connect_timeout=9{rest}"),
            ),
            ("host=h tcp_user_timeout=1", {
                let rest = rest.replace('&', " ").replace(" tcp_user_timeout=10000", "");
                format!("host=h tcp_user_timeout=1 connect_timeout=5{rest}")
            }),
            ("host=h1,h2 dbname=d", format!("host=h1,h2 dbname=d connect_timeout=2{}", rest.replace('&', " "))),
        ] {
            assert_eq!(of_reader(said), expected);
        }
    }

    #[test]
    fn the_writers_address_asks_for_a_writable_server_unless_configured_otherwise() {
        assert!(of_writer("postgres://h1,h2/d").ends_with("&target_session_attrs=read-write"));
        let chosen = of_writer("postgres://h/d?target_session_attrs=any");
        assert_eq!(chosen.matches("target_session_attrs").count(), 1, "{chosen}");
    }
}

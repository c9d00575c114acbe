//! The database's address: what libpq is asked for beside what somebody wrote.

/// No handshake takes longer than five seconds, and a server that vanished without a word is noticed within fifteen:
/// a silent connection is probed after 5 s and then every 3 s, and `tcp_user_timeout` does the same for one that sends.
const EVERYWHERE: [(&str, &str); 6] = [
    ("application_name", "driveline"),
    ("connect_timeout", "5"),
    ("tcp_user_timeout", "10000"),
    ("keepalives_idle", "5"),
    ("keepalives_interval", "3"),
    ("keepalives_count", "3"),
];

/// Of several hosts the one that takes writes, so that a failover needs nobody's help; and never a replica.
const WRITER: (&str, &str) = ("target_session_attrs", "read-write");

/// The address of the server that takes writes.
pub(super) fn of_writer(url: &str) -> String {
    with(with_all(url), WRITER)
}

/// The address of a server that may be a replica.
pub(super) fn of_reader(url: &str) -> String {
    with_all(url)
}

fn with_all(url: &str) -> String {
    EVERYWHERE.into_iter().fold(url.to_owned(), with)
}

/// A URL, or a string of `name=value` pairs, with a parameter, unless it has that already.
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
    fn what_an_address_says_stands_and_the_rest_is_added() {
        let rest = "&tcp_user_timeout=10000&keepalives_idle=5&keepalives_interval=3&keepalives_count=3";
        for (said, expected) in [
            (
                "postgres://u:p@h1,h2/d",
                format!("postgres://u:p@h1,h2/d?application_name=driveline&connect_timeout=5{rest}"),
            ),
            (
                "postgres://h/d?sslmode=require&connect_timeout=9",
                format!("postgres://h/d?sslmode=require&connect_timeout=9&application_name=driveline{rest}"),
            ),
            ("host=h tcp_user_timeout=1", {
                let rest = rest.replace('&', " ").replace(" tcp_user_timeout=10000", "");
                format!("host=h tcp_user_timeout=1 application_name=driveline connect_timeout=5{rest}")
            }),
        ] {
            assert_eq!(of_reader(said), expected);
        }
    }

    #[test]
    fn the_writer_takes_writes_unless_somebody_says_otherwise() {
        assert!(of_writer("postgres://h1,h2/d").ends_with("&target_session_attrs=read-write"));
        let chosen = of_writer("postgres://h/d?target_session_attrs=any");
        assert_eq!(chosen.matches("target_session_attrs").count(), 1, "{chosen}");
    }
}

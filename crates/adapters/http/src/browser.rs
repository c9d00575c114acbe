//! A short description of a client's browser, so that users recognise their sessions.

use actix_web::HttpRequest;
use actix_web::http::header::USER_AGENT;
use domain::Text;

/// Each browser's token in `User-Agent`, and its name. Browsers that also carry another one's token come first.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
/// Each operating system's token, and its name.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// A coarse description of the client, such as "Firefox on Linux": enough to recognise one's own session, too little to
/// track anyone by. The header itself is not stored.
pub(crate) fn device_of(request: &HttpRequest) -> Option<Text<80>> {
    described(request.headers().get(USER_AGENT)?.to_str().ok()?)
}

fn described(agent: &str) -> Option<Text<80>> {
    let name_in =
        |known: &[(&str, &'static str)]| known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    let description = match (name_in(&BROWSERS), name_in(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => return None,
    };
    Text::new(&description).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_described_by_its_name_and_system() {
        for (agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
                "Chrome on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.5.0", "curl"),
        ] {
            assert_eq!(described(agent).unwrap().as_str(), expected);
        }
        assert_eq!(described("<script>alert(1)</script>"), None);
    }
}

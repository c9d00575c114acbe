//! The web client, embedded in the program: its files and its pages.
//!
//! The pages are prerendered when the client is built, with their styles inline. What only a running shop knows is
//! added as data: the API responses that the page's first screen would ask for.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use std::time::Duration;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, LINK, REFERRER_POLICY, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use futures_util::future::join_all;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::app_state::AppState;
use crate::cache::{self, FOR_AN_HOUR, FOR_EVER, PublicJson, hex_tag, tagged};
use crate::catalog::products::list::ProductList;
use crate::catalog::{products, reviews};
use crate::encoding::Encoding;
use crate::extract::wants_html;
use crate::middleware::content_policy::ContentPolicy;
use crate::middleware::rate_limit::check_rate;
use crate::problem::Problem;

#[derive(RustEmbed)]
#[folder = "../../../frontend/dist"]
struct Dist;

/// How long a page waits for its data. Without it the page works as well: the client asks for the data itself.
const DATA_TIMEOUT: Duration = Duration::from_millis(300);

/// More data than this, in bytes of JSON, is not worth the delay.
const MAX_DATA: usize = 48 * 1024;

/// The screen on which a part is ordered.
const PRODUCT: &str = "product";

/// The page for every address that is none of the client's.
const NOT_FOUND: &str = "not-found";

/// The client's pages and addresses; empty if the program was built without its client.
static CLIENT: LazyLock<Client> = LazyLock::new(client);

#[derive(Default)]
struct Client {
    /// By name.
    pages: HashMap<String, Page>,
    screens: Vec<Screen>,
}

/// An address of the client.
struct Screen {
    /// Its segments; one that begins with a colon stands for any that is not empty.
    path: Vec<String>,
    /// The name of the page that is sent.
    page: String,
    /// The address holds a secret: it must not be sent as a referrer or stored in a cache.
    secret: bool,
}

/// A prerendered page.
struct Page {
    /// The markup before and after the place where the data is inserted.
    halves: (String, String),
    /// The digest of both.
    digest: [u8; 32],
    /// The digest of its one inline style, as a policy names it (CSP 3, section 2.3.1: `sha256-...`).
    style: String,
    /// The digest of its one inline script.
    script: String,
    /// The API calls that its first screen makes: paths and queries, as the client would send them. `:id` stands for
    /// the last segment of the page's own address.
    calls: Vec<String>,
}

/// A page's entry in the manifest of the client's build.
#[derive(Deserialize)]
struct Listed {
    style: String,
    script: String,
    answers: Vec<String>,
    screens: Vec<ListedScreen>,
}

/// An address that a page is for.
#[derive(Deserialize)]
struct ListedScreen {
    path: String,
    secret: bool,
}

/// The response to a call, as the client reads it from the page. The same response is always the same text, because the
/// page's entity tag is made of it.
#[derive(Serialize)]
struct Answer {
    url: String,
    headers: BTreeMap<&'static str, String>,
    body: Box<RawValue>,
}

const HTML: &str = "text/html; charset=utf-8";

/// How a page is sent.
#[derive(Clone, Copy)]
enum Kind {
    Public,
    /// Its address holds a secret.
    Secret,
    /// There is nothing at its address.
    NotFound,
}

/// Serves every path that no route matches: a file of the client, one of its pages, or 404.
pub(crate) async fn serve(app: Data<AppState>, request: HttpRequest) -> HttpResponse {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::not_found().error_response();
    }
    let path = request.path();
    if let Some(response) = file(&request, path) {
        return response;
    }
    let screen = screen_at(&CLIENT.screens, path);
    if screen.is_none() && !wants_html(&request) {
        return Problem::not_found().error_response();
    }
    // Files are in memory, but a page queries the database, so it counts against the rate limit.
    if let Err(problem) = check_rate(&request, &app.settings) {
        return problem.error_response();
    }
    let kind = screen.map_or(Kind::NotFound, |screen| if screen.secret { Kind::Secret } else { Kind::Public });
    match CLIENT.pages.get(screen.map_or(NOT_FOUND, |screen| &screen.page)) {
        Some(page) => {
            let mut response = show(&app, &request, page, kind).await;
            if let Some(link) = public_page(&app, screen, path).await {
                response.headers_mut().insert(LINK, link);
            }
            if matches!(kind, Kind::Secret) {
                response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
                response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            response
        }
        None => HttpResponse::build(StatusCode::SERVICE_UNAVAILABLE)
            .content_type("text/plain; charset=utf-8")
            .body("This program was built without its web client: `make build` builds both.\n"),
    }
}

/// The page for everybody of the part that a screen shows, as a link of its response (RFC 8288): search engines list that one.
async fn public_page(app: &AppState, screen: Option<&Screen>, path: &str) -> Option<HeaderValue> {
    screen.filter(|screen| screen.page == PRODUCT)?;
    let id = path.trim_end_matches('/').rsplit('/').next()?.parse().ok()?;
    let slugs = tokio::time::timeout(DATA_TIMEOUT, app.shop.catalog.part_slugs(&[id])).await.ok()?.ok()?;
    let address = format!("{}/parts/{}", app.settings.public_url, slugs.get(&id)?);
    HeaderValue::try_from(format!("<{address}>; rel=\"canonical\"")).ok()
}

/// A file that browsers may load; `None` if there is none of this name.
fn file(request: &HttpRequest, path: &str) -> Option<HttpResponse> {
    let name = path.strip_prefix('/')?;
    // `rust-embed` takes a backslash for a slash.
    let is_kept_back = name.contains('\\') || name.starts_with("pages/") || name.starts_with("packed/");
    let plain = Dist::get(name).filter(|_| !is_kept_back)?;
    let tag = hex_tag(&plain.metadata.sha256_hash());
    let caching = if name.starts_with("assets/") { FOR_EVER } else { FOR_AN_HOUR };
    let media_type = mime_guess::from_path(name).first_or_octet_stream();
    let mut response = HttpResponse::Ok();
    let content = match packed(request, name) {
        Some((packed, encoding)) => {
            response.insert_header((CONTENT_ENCODING, encoding)).insert_header((VARY, "accept-encoding"));
            packed
        }
        None => plain,
    };
    Some(tagged(request, response, &tag, caching, media_type.as_ref(), bytes(content)))
}

/// The file as the build compressed it, if it did and the browser accepts the encoding.
fn packed(request: &HttpRequest, name: &str) -> Option<(EmbeddedFile, &'static str)> {
    let encoding = Encoding::preferred(request);
    let ending = match encoding {
        Encoding::Brotli => ".br",
        Encoding::Gzip => ".gz",
        Encoding::Identity => return None,
    };
    Dist::get(&format!("packed/{name}{ending}")).zip(encoding.name())
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    }
}

/// Sends a page with the data of its first screen.
async fn show(app: &AppState, request: &HttpRequest, page: &Page, kind: Kind) -> HttpResponse {
    // With a query string, a page has another first screen than the prerendered one.
    let calls = if request.query_string().is_empty() { page.calls.as_slice() } else { &[] };
    let id = request.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    // Before the data, so that a page is never sent again for longer than its data is true.
    let snapshot = app.catalog_snapshot.up_to_date();
    let asking = calls.iter().map(|call| tokio::time::timeout(DATA_TIMEOUT, answer(app, call.replace(":id", id))));
    let answers: Vec<(Answer, Option<u64>)> =
        join_all(asking).await.into_iter().filter_map(|answer| answer.ok()?.ok()).collect();
    let is_complete = answers.len() == calls.len() && answers.iter().all(|(_, made_from)| *made_from == snapshot);
    let answers: Vec<Answer> = answers.into_iter().map(|(answer, _)| answer).collect();
    let data = match serde_json::to_string(&answers) {
        Ok(json) if !answers.is_empty() => as_element(&json),
        _ => String::new(),
    };
    let tag = hex_tag(&Sha256::new().chain_update(page.digest).chain_update(&data).finalize());
    let whole = || Bytes::from([page.halves.0.as_str(), &data, &page.halves.1].concat());
    let mut response = match kind {
        Kind::Public => {
            let snapshot = snapshot.filter(|_| is_complete);
            cache::revalidated(request, HttpResponse::Ok(), snapshot, tag, HTML, whole)
        }
        Kind::Secret | Kind::NotFound => {
            let (encoding, body) = cache::encoded(request, &tag, whole);
            let is_found = matches!(kind, Kind::Secret);
            let mut response = HttpResponse::build(if is_found { StatusCode::OK } else { StatusCode::NOT_FOUND });
            response.insert_header((VARY, "accept-encoding"));
            if let Some(name) = encoding.name() {
                response.insert_header((CONTENT_ENCODING, name));
            }
            response.content_type(HTML).body(body)
        }
    };
    let policy = request.app_data::<Data<ContentPolicy>>().map(|policy| policy.of_page(&page.style, &page.script));
    if let Some(Ok(policy)) = policy.as_deref().map(HeaderValue::from_str) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// JSON as an element that no browser executes; empty if it is too large.
fn as_element(json: &str) -> String {
    if json.len() > MAX_DATA {
        return String::new();
    }
    // The one character that could end the element, or begin a comment in it (HTML, section 13.2.5.4), is escaped in a
    // way that JSON reads the same.
    let json = json.replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"first-data\">{json}</script>")
}

/// The shop's response to a call, if it is one that pages make, and the number of the snapshot that it was made from.
async fn answer(app: &AppState, url: String) -> Result<(Answer, Option<u64>), Problem> {
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    let (headers, PublicJson { json, snapshot, .. }) = match path {
        "/products" => {
            let ProductList { headers, products } = products::list::find(app, path, query).await?;
            (headers, products)
        }
        "/reviews" => (Vec::new(), reviews::list::find(app, query).await?),
        _ => match path.strip_prefix("/products/") {
            Some(id) => (Vec::new(), products::get::find_one(app, id).await?),
            None => return Err(Problem::not_found()),
        },
    };
    let body = serde_json::from_slice(&json).map_err(|error| Problem::defect(&error))?;
    Ok((Answer { url, headers: headers.into_iter().collect(), body }, snapshot))
}

/// Reads the manifest and the pages of the client's build.
fn client() -> Client {
    let Some(manifest) = Dist::get("pages/manifest.json") else { return Client::default() };
    let listed: HashMap<String, Listed> = match serde_json::from_slice(&manifest.data) {
        Ok(listed) => listed,
        Err(error) => {
            tracing::error!(%error, "the client's list of pages cannot be read");
            return Client::default();
        }
    };
    let mut client = Client::default();
    for (name, Listed { style, script, answers, screens }) in listed {
        let Some(page) = page(&name, style, script, answers) else { continue };
        client.screens.extend(screens.into_iter().map(|ListedScreen { path, secret }| Screen {
            path: segments(&path).map(str::to_owned).collect(),
            page: name.clone(),
            secret,
        }));
        client.pages.insert(name, page);
    }
    client
}

fn page(name: &str, style: String, script: String, calls: Vec<String>) -> Option<Page> {
    let file = Dist::get(&format!("pages/{name}.html"))?;
    let html = String::from_utf8_lossy(&file.data);
    let halves = html.split_at(html.rfind("</body>")?);
    Some(Page {
        halves: (halves.0.to_owned(), halves.1.to_owned()),
        digest: file.metadata.sha256_hash(),
        style,
        script,
        calls,
    })
}

/// A page of the client's build, without data of its own.
pub(crate) struct Prerendered {
    pub(crate) html: String,
    /// The digest of its one inline style, as a policy names it.
    pub(crate) style: String,
    /// The digest of its one inline script.
    pub(crate) script: String,
}

/// A page by its name; `None` if the build has none of this name.
pub(crate) fn prerendered(name: &str) -> Option<Prerendered> {
    let Page { halves: (start, end), style, script, .. } = CLIENT.pages.get(name)?;
    Some(Prerendered { html: [start.as_str(), end].concat(), style: style.clone(), script: script.clone() })
}

/// What stands between the slashes of a path; slashes at its end count for nothing.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.trim_end_matches('/').split('/').skip(1)
}

/// The client's screen at this path; `None` if there is none, and the not-found page is shown.
fn screen_at<'a>(screens: &'a [Screen], path: &str) -> Option<&'a Screen> {
    let fits = |pattern: &str, segment: &str| {
        if pattern.starts_with(':') { !segment.is_empty() } else { pattern == segment }
    };
    if path.len() > 1 && path.bytes().all(|byte| byte == b'/') {
        return None;
    }
    screens.iter().find(|screen| {
        let mut rest = segments(path);
        screen.path.iter().all(|pattern| rest.next().is_some_and(|segment| fits(pattern, segment)))
            && rest.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_clients_addresses_are_recognised() {
        let screen = |path: &str| Screen {
            path: segments(path).map(str::to_owned).collect(),
            page: path.to_owned(),
            secret: false,
        };
        let screens =
            ["/", "/shop", "/product/:id", "/reset-password", "/dashboard", "/dashboard/order/:id"].map(screen);
        let page_at = |path: &str| screen_at(&screens, path).map(|screen| screen.page.as_str());
        for (path, page) in [
            ("/", "/"),
            ("/shop", "/shop"),
            ("/shop/", "/shop"),
            ("/product/1", "/product/:id"),
            ("/reset-password", "/reset-password"),
            ("/dashboard", "/dashboard"),
            ("/dashboard/order/1", "/dashboard/order/:id"),
        ] {
            assert_eq!(page_at(path), Some(page), "{path}");
        }
        for path in [
            "//",
            "/nowhere",
            "/Reset-Password",
            "/reset-password/x",
            "/product",
            "/product//",
            "/product/1/2",
            "/dashboard/nowhere",
            "/dashboard/order",
            "/shop/x",
        ] {
            assert_eq!(page_at(path), None, "{path}");
        }
    }

    /// The manifest is written by the client's build, so this reads the one that the program was built with.
    #[test]
    fn every_page_of_the_build_is_read_and_the_secret_ones_are_known() {
        let client = client();
        assert_eq!(screen_at(&client.screens, "/").map(|screen| screen.page.as_str()), Some("home"));
        assert_eq!(
            screen_at(&client.screens, "/dashboard/orders").map(|screen| screen.page.as_str()),
            Some("dashboard")
        );
        assert!(client.pages.contains_key(NOT_FOUND));
        let secret: Vec<&str> =
            client.screens.iter().filter(|screen| screen.secret).map(|screen| screen.page.as_str()).collect();
        assert_eq!(secret.len(), 2, "{secret:?}");
    }

    #[test]
    fn data_cannot_end_its_script_element() {
        let said = serde_json::json!([{"details": "</script><script>alert(1)</script><!--"}]);
        let element = as_element(&said.to_string());
        let json = element.strip_prefix("<script type=\"application/json\" id=\"first-data\">").unwrap();
        let json = json.strip_suffix("</script>").unwrap();
        assert!(!json.contains('<'), "{json}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(json).unwrap(), said);
    }

    #[test]
    fn oversized_data_is_left_for_the_client_to_request() {
        assert_ne!(as_element(&"1".repeat(MAX_DATA)), "");
        assert_eq!(as_element(&"1".repeat(MAX_DATA + 1)), "");
    }
}

//! The frame of the web client into which pages are written, and how they are sent.

use std::sync::LazyLock;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, LOCATION, VARY};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

use crate::app_state::AppState;
use crate::cache;
use crate::extract::wants_html;
use crate::middleware::content_policy::ContentPolicy;
use crate::problem::Problem;
use crate::web_client::{self, Prerendered};

/// The page of the client's build that has room for what the server writes.
const FRAME: &str = "written";
/// Where the title and what else tells search engines of the page goes.
const HEAD: &str = "<!--head-->";
/// Where the page's content goes.
const CONTENT: &str = "<!--content-->";

const HTML: &str = "text/html; charset=utf-8";

struct Frame {
    parts: [String; 3],
    style: String,
    script: String,
}

/// `None` if the program was built without its client.
static WRITTEN: LazyLock<Option<Frame>> = LazyLock::new(|| {
    let Prerendered { html, style, script } = web_client::prerendered(FRAME)?;
    let (start, rest) = html.split_once(HEAD)?;
    let (middle, end) = rest.split_once(CONTENT)?;
    Some(Frame { parts: [start, middle, end].map(str::to_owned), style, script })
});

/// What search engines and those who share a page learn of it.
#[derive(Template)]
#[template(path = "head.html")]
pub(crate) struct Head {
    /// The page's title, without the shop's name.
    pub(crate) title: String,
    pub(crate) description: String,
    /// The page's address; `None` for one that no search engine should list.
    pub(crate) canonical: Option<String>,
    /// `product` or `website`, as Open Graph has it.
    pub(crate) kind: &'static str,
    /// The address of its picture.
    pub(crate) picture: Option<String>,
    /// What the shop calls itself.
    pub(crate) shop: String,
    /// JSON-LD, safe within a script element.
    pub(crate) data: Vec<String>,
}

impl Head {
    /// Of a page at whose address there is nothing, or nothing any more.
    pub(crate) fn of_nothing(app: &AppState, title: &str) -> Self {
        Self {
            title: title.to_owned(),
            description: "Vehicle parts in bulk with live prices and stock.".to_owned(),
            canonical: None,
            kind: "website",
            picture: None,
            shop: app.settings.shop_name().to_owned(),
            data: Vec::new(),
        }
    }
}

/// A page that is not there.
#[derive(Template)]
#[template(path = "missing.html")]
struct Missing {
    title: &'static str,
    text: &'static str,
}

/// Sends a page, or 304 to who has it already.
///
/// # Errors
/// [`Problem`] if it cannot be written, or there is no frame.
pub(crate) fn send(
    request: &HttpRequest,
    status: StatusCode,
    head: &Head,
    content: &impl Template,
) -> Result<HttpResponse, Problem> {
    let Some(frame) = WRITTEN.as_ref() else { return Err(Problem::unavailable()) };
    let defect = |error: askama::Error| Problem::defect(&error);
    let (head, content) = (head.render().map_err(defect)?, content.render().map_err(defect)?);
    let [start, middle, end] = &frame.parts;
    let page = Bytes::from([start.as_str(), &head, middle, &content, end].concat());
    let tag = cache::tag(&page);
    let mut response = if status == StatusCode::OK {
        cache::revalidated(request, HttpResponse::Ok(), None, tag, HTML, || page)
    } else {
        let (encoding, body) = cache::encoded(request, &tag, || page);
        let mut response = HttpResponse::build(status);
        response.insert_header((VARY, "accept-encoding")).insert_header((CACHE_CONTROL, cache::REVALIDATED));
        if let Some(name) = encoding.name() {
            response.insert_header((CONTENT_ENCODING, name));
        }
        response.content_type(HTML).body(body)
    };
    let policy = request.app_data::<Data<ContentPolicy>>().map(|policy| policy.of_page(&frame.style, &frame.script));
    if let Some(Ok(policy)) = policy.as_deref().map(HeaderValue::from_str) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// Nothing is at this address: a page for browsers, a problem for programs.
///
/// # Errors
/// As [`send`], and [`Problem::not_found`] to programs.
pub(crate) fn not_found(app: &AppState, request: &HttpRequest) -> Result<HttpResponse, Problem> {
    if !wants_html(request) {
        return Err(Problem::not_found());
    }
    let content = Missing {
        title: "We don't know this page",
        text: "Check the address, or look for the part by its number, its name or your vehicle.",
    };
    send(request, StatusCode::NOT_FOUND, &Head::of_nothing(app, content.title), &content)
}

/// Leads on to a page's own address.
pub(crate) fn moved_to(path: &str) -> HttpResponse {
    let mut response = HttpResponse::MovedPermanently();
    response.insert_header((LOCATION, path)).insert_header((CACHE_CONTROL, cache::REVALIDATED)).finish()
}

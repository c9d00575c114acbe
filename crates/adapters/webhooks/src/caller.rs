//! Sends webhooks over HTTP.

use std::error::Error as StdError;
use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use domain::{Timestamp, WebhookUrl};
use ports::{WebhookError, WebhookEvent, WebhookSecret, WebhookSender, WebhookUrlRefused, provider_call};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use thiserror::Error;
use url::{Host, Url};

use crate::addresses::is_public;
use crate::body::body;
use crate::signature::sign;

/// Timeout of one call, from the DNS look-up to the response's status.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The `User-Agent` of the calls.
const NAME: &str = concat!("Driveline/", env!("CARGO_PKG_VERSION"));

/// Why the webhook sender cannot be created.
#[derive(Debug, Error)]
#[error("cannot make an HTTP client for webhooks: {0}")]
pub struct SenderError(#[source] reqwest::Error);

/// Which networks webhooks may be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkPolicy {
    /// The public internet, only over https.
    Public,
    /// Any address, also on this machine and in private networks, and over http: for development and for webhooks in
    /// the shop's own network.
    Anywhere,
}

impl NetworkPolicy {
    fn allows(self, address: IpAddr) -> bool {
        self == Self::Anywhere || is_public(address)
    }
}

/// Sends webhooks over HTTP: signed, a single attempt per call, without following redirects.
#[derive(Debug)]
pub struct HttpWebhookSender {
    reach: NetworkPolicy,
    client: Client,
}

impl HttpWebhookSender {
    /// A sender with this network policy.
    ///
    /// # Errors
    /// [`SenderError`] if the HTTP client cannot be created.
    pub fn new(reach: NetworkPolicy) -> Result<Self, SenderError> {
        Self::with_timeout(reach, TIMEOUT)
    }

    fn with_timeout(reach: NetworkPolicy, timeout: Duration) -> Result<Self, SenderError> {
        let client = Client::builder()
            .user_agent(NAME)
            .timeout(timeout)
            // A redirect could lead past every rule about addresses.
            .redirect(Policy::none())
            // A proxy would look names up itself, and connect to addresses that are not allowed.
            .no_proxy()
            .dns_resolver(Guard { reach })
            // No connection is reused: every call connects to an address that was just checked.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(SenderError)?;
        Ok(Self { reach, client })
    }

    fn judged(&self, url: &WebhookUrl) -> Result<Url, WebhookUrlRefused> {
        let url = Url::parse(url.as_str()).map_err(|_| WebhookUrlRefused::Unreadable)?;
        // The URL parser has normalised every way to write an address (127.1, 0x7f000001, 2130706433).
        let literal = match url.host().ok_or(WebhookUrlRefused::Unreadable)? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(IpAddr::from(address)),
            Host::Ipv6(address) => Some(IpAddr::from(address)),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(WebhookUrlRefused::Credentials);
        }
        if url.scheme() != "https" && self.reach == NetworkPolicy::Public {
            return Err(WebhookUrlRefused::NotSecret);
        }
        // A literal address is never looked up, so the resolver would not check it.
        if literal.is_some_and(|address| !self.reach.allows(address)) {
            return Err(WebhookUrlRefused::NotPublic);
        }
        Ok(url)
    }
}

#[async_trait]
impl WebhookSender for HttpWebhookSender {
    fn judge(&self, url: &WebhookUrl) -> Result<(), WebhookUrlRefused> {
        self.judged(url).map(drop)
    }

    async fn call(
        &self,
        url: &WebhookUrl,
        secret: &WebhookSecret,
        announcement: &WebhookEvent,
        at: Timestamp,
    ) -> Result<u16, WebhookError> {
        let url = self.judged(url).map_err(WebhookError::Refused)?;
        let id = announcement.event.to_string();
        let seconds = at.as_second();
        let sent = body(announcement).to_string().into_bytes();
        let signature = sign(secret, &id, seconds, &sent).ok_or(WebhookError::Unsigned)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let sending = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(sent)
            .send();
        let status = |answer: &Response| Some(answer.status().as_u16());
        let answer = provider_call("webhook", "call", &host, sending, status).await.map_err(refusal)?;
        // The response body is not read: the status is enough, and unread bytes cost nothing.
        match answer.status() {
            // 410 means: send nothing more (RFC 9110, section 15.5.11, and Standard Webhooks).
            StatusCode::GONE => Err(WebhookError::Gone(StatusCode::GONE.as_u16())),
            status if status.is_success() => Ok(status.as_u16()),
            status => Err(WebhookError::Answered(status.as_u16())),
        }
    }
}

/// Classifies a failed call. Without the URL, which may contain a token.
fn refusal(error: reqwest::Error) -> WebhookError {
    let error = error.without_url();
    let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
    while let Some(known) = cause {
        if let Some(refused) = known.downcast_ref::<WebhookUrlRefused>() {
            return WebhookError::Refused(*refused);
        }
        cause = known.source();
    }
    WebhookError::Unavailable(Box::new(error))
}

/// Looks names up and drops the addresses that are not allowed. Connections go only to what it returns, so a name that
/// resolves differently from one look-up to the next (DNS rebinding) gains nothing.
struct Guard {
    reach: NetworkPolicy,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.reach;
        Box::pin(async move {
            let found: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let allowed: Vec<_> = found.into_iter().filter(|address| reach.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err(WebhookUrlRefused::NotPublic.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use standardwebhooks::Webhook;
    use testkit::{Received, Reply, StandIn};

    use super::*;
    use crate::body::tests::announcement;

    const SECRET: &str = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";

    fn caller() -> HttpWebhookSender {
        HttpWebhookSender::with_timeout(NetworkPolicy::Anywhere, Duration::from_millis(400)).unwrap()
    }

    async fn call(caller: &HttpWebhookSender, url: &str) -> Result<u16, WebhookError> {
        let at = Timestamp::try_from(std::time::SystemTime::now()).unwrap();
        let secret = WebhookSecret::new(SECRET.to_owned());
        caller.call(&url.parse().unwrap(), &secret, &announcement(), at).await
    }

    fn header<'a>(request: &'a Received, name: &str) -> &'a str {
        request.header(name).unwrap()
    }

    #[tokio::test]
    async fn a_receiver_gets_the_order_with_a_signature_that_it_can_verify() {
        let endpoint = StandIn::start(vec![Reply::Json(204, String::new())]).await;
        assert_eq!(call(&caller(), &format!("{}/hooks?shop=1", endpoint.base())).await.unwrap(), 204);
        let [request] = &endpoint.received()[..] else { panic!("one request") };
        assert!(request.head.starts_with("POST /hooks?shop=1 HTTP/1.1"), "{}", request.head);
        assert_eq!(header(request, "content-type"), "application/json");
        assert_eq!(header(request, "webhook-id"), "00000000-0000-0000-0000-000000000006");
        let sent: Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(sent, body(&announcement()));
        // The reference library accepts it, and nothing that was changed on the way.
        let library = Webhook::new(SECRET).unwrap();
        let headers = |signature: &str| {
            let mut headers = reqwest::header::HeaderMap::new();
            for name in ["webhook-id", "webhook-timestamp"] {
                headers.insert(name, header(request, name).parse().unwrap());
            }
            headers.insert("webhook-signature", signature.parse().unwrap());
            headers
        };
        let signature = header(request, "webhook-signature");
        library.verify(&request.body, &headers(signature)).unwrap();
        let mut changed = request.body.clone();
        changed[20] ^= 1;
        library.verify(&changed, &headers(signature)).unwrap_err();
        Webhook::new("whsec_AAAA").unwrap().verify(&request.body, &headers(signature)).unwrap_err();
    }

    #[tokio::test]
    async fn the_same_event_sent_again_has_the_same_id() {
        let endpoint = StandIn::start(vec![Reply::HangUp, Reply::Json(200, String::new())]).await;
        call(&caller(), &endpoint.base()).await.unwrap_err();
        call(&caller(), &endpoint.base()).await.unwrap();
        let received = endpoint.received();
        assert_eq!(received.len(), 2);
        assert_eq!(header(&received[0], "webhook-id"), header(&received[1], "webhook-id"));
        assert_eq!(received[0].body, received[1].body);
    }

    #[tokio::test]
    async fn a_status_that_is_not_a_success_is_reported() {
        for status in [400, 404, 429, 500, 503] {
            let endpoint = StandIn::start(vec![Reply::Json(status, "{}".to_owned())]).await;
            let failed = call(&caller(), &endpoint.base()).await.unwrap_err();
            assert!(matches!(failed, WebhookError::Answered(answered) if answered == status), "{failed:?}");
        }
        let endpoint = StandIn::start(vec![Reply::Json(410, String::new())]).await;
        let failed = call(&caller(), &endpoint.base()).await.unwrap_err();
        assert!(matches!(failed, WebhookError::Gone(410)), "{failed:?}");
    }

    #[tokio::test]
    async fn nothing_is_sent_without_a_signature() {
        let endpoint = StandIn::start(vec![Reply::Json(200, String::new())]).await;
        let (url, secret) = (endpoint.base().parse().unwrap(), WebhookSecret::new("s3cret".to_owned()));
        let failed = caller().call(&url, &secret, &announcement(), Timestamp::UNIX_EPOCH).await.unwrap_err();
        assert!(matches!(failed, WebhookError::Unsigned), "{failed:?}");
        assert!(endpoint.received().is_empty());
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        let elsewhere = StandIn::start(vec![Reply::Json(200, String::new())]).await;
        for status in [301, 302, 303, 307, 308] {
            let head = format!("HTTP/1.1 {status} X\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", elsewhere.base());
            let endpoint = StandIn::start(vec![Reply::Raw(head.into_bytes())]).await;
            let failed = call(&caller(), &endpoint.base()).await.unwrap_err();
            assert!(matches!(failed, WebhookError::Answered(answered) if answered == status), "{failed:?}");
        }
        assert!(elsewhere.received().is_empty());
    }

    #[tokio::test]
    async fn a_receiver_that_is_unreachable_hangs_or_sends_garbage_is_unavailable() {
        for reply in [Reply::Hang, Reply::HangUp, Reply::Raw(b"SSH-2.0-OpenSSH\r\n".to_vec())] {
            let endpoint = StandIn::start(vec![reply.clone()]).await;
            let began = std::time::Instant::now();
            let failed = call(&caller(), &format!("{}/?token=secret", endpoint.base())).await.unwrap_err();
            assert!(matches!(failed, WebhookError::Unavailable(_)), "{reply:?}: {failed:?}");
            assert!(!format!("{failed:?}").contains("token=secret"), "{failed:?}");
            assert!(began.elapsed() < Duration::from_secs(5));
        }
        let failed = call(&caller(), "http://127.0.0.1:1/").await.unwrap_err();
        assert!(matches!(failed, WebhookError::Unavailable(_)), "{failed:?}");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test has to occupy the thread that looks names up")]
    fn waiting_for_a_name_lookup_counts_towards_the_timeout() {
        let runtime =
            tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let (done, busy) = std::sync::mpsc::channel::<()>();
            let taken = tokio::task::spawn_blocking(move || busy.recv());
            let caller = caller();
            let waiting = tokio::time::timeout(Duration::from_secs(5), call(&caller, "http://localhost:1/"));
            let failed = waiting.await.unwrap().unwrap_err();
            assert!(matches!(failed, WebhookError::Unavailable(_)), "{failed:?}");
            assert!(!taken.is_finished(), "the name was looked up after all");
            drop(done);
        });
    }

    #[tokio::test]
    async fn the_call_does_not_wait_for_an_endless_response_body() {
        let mut endless = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
        endless.extend(b"5\r\nhello\r\n");
        let endpoint = StandIn::start(vec![Reply::Raw(endless)]).await;
        assert_eq!(call(&caller(), &endpoint.base()).await.unwrap(), 200);
    }

    #[test]
    fn a_url_is_checked_when_it_is_registered() {
        use WebhookUrlRefused::{Credentials, NotPublic, NotSecret};
        let public = HttpWebhookSender::new(NetworkPolicy::Public).unwrap();
        for (url, expected) in [
            ("https://erp.example.com/hooks?shop=1", Ok(())),
            ("https://erp.example.com:8443", Ok(())),
            ("https://1.1.1.1/", Ok(())),
            ("http://erp.example.com/", Err(NotSecret)),
            ("https://somebody@erp.example.com/", Err(Credentials)),
            ("https://somebody:secret@erp.example.com/", Err(Credentials)),
            ("https://127.0.0.1/", Err(NotPublic)),
            ("https://127.1/", Err(NotPublic)),
            ("https://0x7f000001/", Err(NotPublic)),
            ("https://2130706433/", Err(NotPublic)),
            ("https://0177.0.0.1/", Err(NotPublic)),
            ("https://169.254.169.254/latest/meta-data/", Err(NotPublic)),
            ("https://10.1.2.3/", Err(NotPublic)),
            ("https://100.64.0.1/", Err(NotPublic)),
            ("https://0.0.0.0/", Err(NotPublic)),
            ("https://224.0.0.1/", Err(NotPublic)),
            ("https://[::1]/", Err(NotPublic)),
            ("https://[::]/", Err(NotPublic)),
            ("https://[::ffff:127.0.0.1]/", Err(NotPublic)),
            ("https://[fe80::1]/", Err(NotPublic)),
            ("https://[fd00:ec2::254]/", Err(NotPublic)),
            ("https://[64:ff9b::a9fe:a9fe]/", Err(NotPublic)),
        ] {
            assert_eq!(public.judge(&url.parse().unwrap()), expected, "{url}");
        }
        let anywhere = HttpWebhookSender::new(NetworkPolicy::Anywhere).unwrap();
        for url in ["http://127.0.0.1:8080/", "http://localhost/", "https://[::1]/"] {
            assert_eq!(anywhere.judge(&url.parse().unwrap()), Ok(()), "{url}");
        }
        assert_eq!(anywhere.judge(&"http://a:b@localhost/".parse().unwrap()), Err(Credentials));
    }

    #[tokio::test]
    async fn a_name_is_checked_by_its_addresses_when_the_call_is_made() {
        // An ordinary name that resolves to this machine.
        let endpoint = StandIn::start(vec![Reply::Json(200, String::new())]).await;
        let port = endpoint.base().rsplit(':').next().unwrap().to_owned();
        let public = HttpWebhookSender::new(NetworkPolicy::Public).unwrap();
        assert_eq!(public.judge(&format!("https://localhost:{port}/").parse().unwrap()), Ok(()));
        for url in [format!("https://localhost:{port}/"), format!("https://127.0.0.1:{port}/")] {
            let refused = call(&public, &url).await.unwrap_err();
            assert!(matches!(refused, WebhookError::Refused(WebhookUrlRefused::NotPublic)), "{url}: {refused:?}");
        }
        assert!(endpoint.received().is_empty());
        // The same name is allowed under the other policy.
        assert_eq!(call(&caller(), &format!("http://localhost:{port}/")).await.unwrap(), 200);
    }
}

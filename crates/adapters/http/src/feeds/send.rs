//! `POST /feeds`.

use std::time::Duration;

use actix_multipart::Multipart;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::mime::MULTIPART_FORM_DATA;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use application::{FeedUpload, SendFeed};
use domain::{FeedConsent, FeedKind, FeedMode};
use futures_util::{Stream, StreamExt};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, media_type, query};
use crate::feeds::view::{FeedDetailsView, FeedKindName, FeedModeName};
use crate::problem::Problem;
use crate::wire::fields::Fields;

/// How long a client may send nothing of its file.
const PIECE_DEADLINE: Duration = Duration::from_secs(30);
/// How long a file may take to come.
const FILE_DEADLINE: Duration = Duration::from_mins(30);
/// What a form may have beside its file.
const FORM_ROOM: u64 = 64 * 1_024;
/// The longest name of a file that is kept, in characters.
const NAME_MAX: usize = 200;

/// The options of a feed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedQuery {
    /// What it changes; `stock-csv` and the like are known too.
    #[param(value_type = FeedKindName, required = true)]
    kind: Option<String>,
    /// `update` if left out.
    #[param(value_type = Option<FeedModeName>)]
    mode: Option<String>,
    /// `true`: it stops after the check, until it is applied.
    #[param(value_type = Option<bool>)]
    dry_run: Option<String>,
    /// `true`: it is applied even if rows are refused.
    #[param(value_type = Option<bool>)]
    partial: Option<String>,
    /// The name of the file, for the history.
    #[param(value_type = Option<String>)]
    name: Option<String>,
}

/// A form with a file.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: the bytes are read as they come")]
pub(crate) struct FeedForm {
    /// CSV in UTF-8 or Latin-1, separated by commas, semicolons or tabs.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

impl FeedQuery {
    fn parse(self) -> Result<SendFeed, Problem> {
        let mut fields = Fields::default();
        let kind = fields.required("kind", "Kind", self.kind.as_deref(), |name| {
            name.parse::<FeedKind>().map_err(|_| "must be products, stock, prices, numbers or fitment")
        });
        let mode = fields.optional("mode", "Mode", self.mode.as_deref(), |name| {
            name.parse::<FeedMode>().map_err(|_| "must be update, upsert or replace")
        });
        let mut flag = |field, label, sent: &Option<String>| {
            let parse = |text: &str| text.parse::<bool>().map_err(|_| "must be true or false");
            fields.optional(field, label, sent.as_deref(), parse)
        };
        let (dry_run, partial) = (flag("dryRun", "Dry run", &self.dry_run), flag("partial", "Partial", &self.partial));
        let whole = (|| {
            Some(SendFeed {
                kind: kind?,
                mode: mode?.unwrap_or(FeedMode::Update),
                name: file_name(self.name),
                dry_run: dry_run?.unwrap_or_default(),
                consent: FeedConsent { partial: partial?.unwrap_or_default(), confirm_archived: None },
                idempotency_key: None,
            })
        })();
        fields.all(whole)
    }
}

/// The name without a path and without what no screen shows.
fn file_name(sent: Option<String>) -> Option<String> {
    let sent = sent?;
    let name = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_MAX).collect();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Takes a file that changes many products (admins). It is checked in any case; without `dryRun` it is then applied, if no row is
/// refused and not much of a brand would be archived.
#[utoipa::path(
    post, path = "/feeds", params(FeedQuery),
    request_body(
        content((String = "text/csv"), (FeedForm = "multipart/form-data")),
        description = "UTF-8 or Latin-1, told apart by the bytes, separated by commas, semicolons or tabs, with a header. Rows \
            are found by `_id`, or by `brand` and `part_number`. A column that is absent and a cell that is empty change \
            nothing; `-` clears. Samples are at `/feeds/samples/{kind}.csv`"
    ),
    responses(
        (status = 202, description = "It is going to be checked", body = FeedDetailsView),
        (status = 400, description = "The file broke off"),
        (status = 413, description = "Larger than the limit, 512 MiB unless it is set otherwise"),
        (status = 415, description = "Not CSV: compressed, an archive, a spreadsheet or UTF-16"),
        (status = 422, description = "A parameter makes no sense, or the file is empty"),
    )
)]
pub(crate) async fn send_feed(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let mut sending = query::<FeedQuery>(&request)?.parse()?;
    sending.idempotency_key = idempotency_key;
    let most = app.shop.feeds.rules().most_bytes;
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > most.saturating_add(FORM_ROOM)) {
        return Err(Problem::too_large(usize::try_from(most).unwrap_or(usize::MAX)));
    }
    let media = media_type(&request).map(|media| media.essence_str().to_owned());
    let is_form = match media.as_deref() {
        Some("text/csv" | "text/plain" | "application/octet-stream") => false,
        Some(media) if media == MULTIPART_FORM_DATA.essence_str() => true,
        _ => return Err(Problem::unsupported_media("Please send CSV (content-type: text/csv)")),
    };
    let feed = match app.shop.feeds.send(&caller, sending).await? {
        Err(before) => before,
        Ok(mut upload) => {
            let took = async {
                if is_form { take_form(&mut upload, &request, payload).await } else { take(&mut upload, payload).await }
            };
            let took = tokio::time::timeout(FILE_DEADLINE, took).await.unwrap_or_else(|_| Err(Problem::too_slow()));
            match took {
                Ok(()) => upload.end().await?,
                Err(problem) => {
                    upload.abandon().await?;
                    return Err(problem);
                }
            }
        }
    };
    let details = app.shop.feeds.find(&caller, feed).await?;
    Ok(HttpResponse::Accepted().json(FeedDetailsView::from(details)))
}

/// Takes a file as it comes.
async fn take<E>(
    upload: &mut FeedUpload,
    mut pieces: impl Stream<Item = Result<actix_web::web::Bytes, E>> + Unpin,
) -> Result<(), Problem> {
    loop {
        match tokio::time::timeout(PIECE_DEADLINE, pieces.next()).await {
            Err(_) => return Err(Problem::too_slow()),
            Ok(None) => return Ok(()),
            Ok(Some(Err(_))) => return Err(Problem::bad_request("The request ended early. Please send it again.")),
            Ok(Some(Ok(piece))) => upload.piece(&piece).await?,
        }
    }
}

/// Takes the file of a form.
async fn take_form(upload: &mut FeedUpload, request: &HttpRequest, payload: Payload) -> Result<(), Problem> {
    let broken = || Problem::bad_request("Send the file as multipart/form-data");
    let mut parts = Multipart::new(request.headers(), payload);
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| broken())?;
        if part.name() == Some("file") {
            return take(upload, part).await;
        }
    }
    Err(Problem::invalid_field("file", "File is required"))
}

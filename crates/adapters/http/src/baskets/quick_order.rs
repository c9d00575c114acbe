//! `POST /quick-order/check`.

use actix_web::mime::MULTIPART_FORM_DATA;
use actix_web::web::{self, Bytes, Data};
use actix_web::{FromRequest, HttpRequest};
use serde::Deserialize;
use utoipa::ToSchema;

use super::view::Checked;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Body, Json, media_type};
use crate::problem::Problem;
use crate::wire::form;

/// The longest text that is checked, in bytes.
const TEXT_MAX: usize = 2 * 1_024 * 1_024;

/// A list of part numbers and quantities.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct QuickOrder {
    /// At most 1,000 lines and 2 MiB.
    #[schema(required, nullable = false)]
    text: Option<String>,
}

/// A form with a file.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: the bytes are read as they come")]
pub(crate) struct QuickOrderForm {
    /// CSV or plain text.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Checks a list of part numbers and quantities, line by line. Nothing is ordered by it, and no stock is held.
#[utoipa::path(
    post, path = "/quick-order/check",
    request_body(
        content((QuickOrder = "application/json"), (String = "text/csv"), (QuickOrderForm = "multipart/form-data")),
        description = "Per line a part number, perhaps after its brand, and a quantity: separated by blanks, a tab, a comma, a \
            semicolon or `x`, or as `50 x number`. Or the cells of a spreadsheet, with a header or without. Files are UTF-8, UTF-16 \
            with a byte order mark, or Latin-1"
    ),
    responses(
        (status = 200, description = "A row for each line", body = Checked),
        (status = 413, description = "More than 2 MiB"),
        (status = 415, description = "Neither JSON nor CSV nor a form"),
        (status = 422, description = "More than 1,000 lines, or none were sent"),
    )
)]
pub(crate) async fn check_quick_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Body(body): Body,
) -> Result<web::Json<Checked>, Problem> {
    let text = sent_text(&request, body).await?;
    if text.len() > TEXT_MAX {
        return Err(Problem::too_large(TEXT_MAX));
    }
    Ok(web::Json(app.shop.baskets.check_text(&caller, &text).await?.into()))
}

async fn sent_text(request: &HttpRequest, body: Bytes) -> Result<String, Problem> {
    let media = media_type(request).map(|media| media.essence_str().to_owned());
    match media.as_deref() {
        Some("text/csv" | "text/plain" | "text/tab-separated-values") => Ok(decoded(&body)),
        Some(media) if media == MULTIPART_FORM_DATA.essence_str() => {
            let broken = "Send the file as multipart/form-data";
            let file = form::field(request, body, "file", TEXT_MAX, broken).await?;
            let file = file.ok_or_else(|| Problem::invalid_field("file", "File is required"))?;
            Ok(decoded(&file))
        }
        _ => {
            let Json(sent) = Json::<QuickOrder>::extract(request).await?;
            sent.text.ok_or_else(|| Problem::invalid_field("text", "Text is required"))
        }
    }
}

/// The text of a file: UTF-16 if it says so, UTF-8, or else Latin-1. What cannot be read comes out as a line that cannot.
pub(crate) fn decoded(file: &[u8]) -> String {
    let utf_16 = |file: &[u8], unit: fn([u8; 2]) -> u16| -> String {
        let units = file.chunks(2).map(|pair| unit([pair[0], pair.get(1).copied().unwrap_or_default()]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match file {
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(file) {
            Ok(text) => text.to_owned(),
            Err(_) => file.iter().copied().map(char::from).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whatever_a_spreadsheet_saves() {
        let utf_16 = |text: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
        };
        let text = "Stück\t50\r\n";
        for file in [
            text.as_bytes().to_vec(),
            text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect(),
            utf_16(text, u16::to_le_bytes),
            utf_16(text, u16::to_be_bytes),
        ] {
            assert_eq!(decoded(&file), text, "{file:?}");
        }
        assert_eq!(decoded(&[0xff, 0xfe, 0x41]), "A");
        assert_eq!(decoded(&[]), "");
    }
}

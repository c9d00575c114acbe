//! Compressed bodies that are sent more than once.

use std::io::Write;

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT_ENCODING, AcceptEncoding, Encoding as Offered, Header, HeaderValue};
use actix_web::web::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// Brotli quality (0 to 11): above this a page gets hardly smaller and takes much longer. The savings matter where a
/// page with its data just fits, or no longer fits, the ten packets that a server may send before it hears from the
/// browser (RFC 6928).
const QUALITY: u32 = 6;

/// Brotli window, as a power of two: no such body is larger than that.
const WINDOW: u32 = 18;

/// How many bytes of compressed bodies are kept.
const KEPT: u64 = 8 * 1024 * 1024;

/// How a body is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// The encoding that a client prefers, of those that the shop has.
    pub(crate) fn preferred(request: &HttpRequest) -> Self {
        // What browsers and load generators send, without parsing it.
        match request.headers().get(ACCEPT_ENCODING).map(HeaderValue::as_bytes) {
            None => return Self::Identity,
            Some(b"gzip, deflate, br" | b"gzip, deflate, br, zstd" | b"br") => return Self::Brotli,
            Some(b"gzip" | b"gzip, deflate") => return Self::Gzip,
            Some(_) => {}
        }
        let accepted = AcceptEncoding::parse(request).ok();
        match accepted.and_then(|accepted| accepted.negotiate([Offered::brotli(), Offered::gzip()].iter())) {
            Some(best) if best == Offered::brotli() => Self::Brotli,
            Some(best) if best == Offered::gzip() => Self::Gzip,
            _ => Self::Identity,
        }
    }

    /// As `Content-Encoding` names it; `None` for a body as it is.
    pub(crate) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

#[derive(Clone)]
struct Size;

impl Weighter<(Encoding, String), Bytes> for Size {
    fn weight(&self, (_, tag): &(Encoding, String), body: &Bytes) -> u64 {
        (tag.len() + body.len()) as u64
    }
}

/// Compressed bodies by their tags: a body that is made again is not compressed again.
pub(crate) struct Compressed(Cache<(Encoding, String), Bytes, Size>);

impl Default for Compressed {
    fn default() -> Self {
        Self(Cache::with_weighter(1_000, KEPT, Size))
    }
}

impl Compressed {
    /// A body in an encoding, made only if it is not known, and the encoding that it has: it is sent as it is if it cannot be compressed, which writing
    /// to memory does not fail at.
    pub(crate) fn encoded(&self, encoding: Encoding, tag: &str, body: impl FnOnce() -> Bytes) -> (Encoding, Bytes) {
        if encoding == Encoding::Identity {
            return (encoding, body());
        }
        let key = (encoding, tag.to_owned());
        if let Some(known) = self.0.get(&key) {
            return (encoding, known);
        }
        let body = body();
        let Ok(packed) = compress(encoding, &body) else { return (Encoding::Identity, body) };
        self.0.insert(key, packed.clone());
        (encoding, packed)
    }
}

fn compress(encoding: Encoding, body: &[u8]) -> std::io::Result<Bytes> {
    match encoding {
        Encoding::Identity => Ok(Bytes::copy_from_slice(body)),
        Encoding::Gzip => {
            let mut writer = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::default());
            writer.write_all(body)?;
            writer.finish().map(Bytes::from)
        }
        Encoding::Brotli => {
            let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, QUALITY, WINDOW);
            writer.write_all(body)?;
            Ok(writer.into_inner().into())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use actix_web::test::TestRequest;
    use flate2::read::GzDecoder;

    use super::*;

    fn plain(encoding: Encoding, packed: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        match encoding {
            Encoding::Identity => text.extend_from_slice(packed),
            Encoding::Gzip => drop(GzDecoder::new(packed).read_to_end(&mut text).unwrap()),
            Encoding::Brotli => brotli::BrotliDecompress(&mut &packed[..], &mut text).unwrap(),
        }
        text
    }

    #[test]
    fn a_body_is_compressed_again_only_when_it_changes() {
        let compressed = Compressed::default();
        for encoding in [Encoding::Gzip, Encoding::Brotli] {
            let body = |text: &str| Bytes::from(text.repeat(5_000));
            let (sent, packed) = compressed.encoded(encoding, "1", || body("a"));
            assert!(sent == encoding && packed.len() < 100, "{}", packed.len());
            assert_eq!(plain(encoding, &packed), body("a"));
            let (_, again) = compressed.encoded(encoding, "1", || panic!("the same tag is the same body"));
            assert_eq!(again.as_ptr(), packed.as_ptr());
            let (_, other) = compressed.encoded(encoding, "2", || body("b"));
            assert_eq!(plain(encoding, &other), body("b"));
        }
        assert_eq!(compressed.encoded(Encoding::Identity, "1", || "c".into()), (Encoding::Identity, "c".into()));
    }

    #[test]
    fn the_encoding_is_the_one_that_the_client_prefers() {
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip, deflate, br", Encoding::Brotli),
            ("br", Encoding::Brotli),
            ("gzip", Encoding::Gzip),
            ("gzip;q=1, br;q=0.5", Encoding::Gzip),
            ("br;q=0, gzip", Encoding::Gzip),
            ("deflate", Encoding::Identity),
            ("identity", Encoding::Identity),
            ("nonsense;;", Encoding::Identity),
        ] {
            let request = TestRequest::get().insert_header((ACCEPT_ENCODING, accepted)).to_http_request();
            assert_eq!(Encoding::preferred(&request), expected, "{accepted}");
        }
        assert_eq!(Encoding::preferred(&TestRequest::get().to_http_request()), Encoding::Identity);
    }
}

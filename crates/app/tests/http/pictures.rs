//! Pictures: only real ones are accepted, and they are re-encoded.

use std::io::{Cursor, Write as _};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use image::{DynamicImage, ImageFormat, RgbImage};
use serde_json::json;

use crate::fixtures::{User, admin, draft};
use crate::server::{call, get, post, run};

fn drawn(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, y| image::Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], 90])).into()
}

fn encoded(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    drawn(64, 48).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    drawn(width, height).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A form with one file, as a browser sends it: its media type and its body.
pub(crate) fn multipart(field: &str, file: &str, media_type: &str, bytes: &[u8]) -> (String, Vec<u8>) {
    let boundary = "----a-boundary-that-is-in-no-picture";
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{file}\"\r\n\
         Content-Type: {media_type}\r\n\r\n"
    );
    let body = [head.as_bytes(), bytes, format!("\r\n--{boundary}--\r\n").as_bytes()].concat();
    (format!("multipart/form-data; boundary={boundary}"), body)
}

async fn upload(file: &str, media_type: &str, bytes: &[u8]) -> crate::server::Answer {
    let (media_type, body) = multipart("image", file, media_type, bytes);
    admin().await.send(call("POST", "/images").body(&media_type, body)).await
}

async fn fetched(answer: crate::server::Answer) -> crate::server::Answer {
    assert!(answer.is_success(), "{answer}");
    let returned = answer.json();
    assert_eq!(returned["success"], true);
    let url = returned["data"]["url"].as_str().unwrap().to_owned();
    // Relative, or absolute with the shop's address: both refer to this server.
    let path = match url.split_once("://") {
        Some((_, rest)) => rest[rest.find('/').unwrap()..].to_owned(),
        None => url,
    };
    get(path).await.is(200)
}

#[test]
fn png_jpeg_and_webp_are_accepted_and_re_encoded() {
    run(async {
        for (file, media_type, format) in [
            ("a.png", "image/png", ImageFormat::Png),
            ("a.jpg", "image/jpeg", ImageFormat::Jpeg),
            ("a.webp", "image/webp", ImageFormat::WebP),
        ] {
            let sent = encoded(format);
            let picture = fetched(upload(file, media_type, &sent).await).await;
            assert!(picture.header("content-type").starts_with("image/"), "{picture}");
            let seen = image::load_from_memory(&picture.body).unwrap();
            assert_eq!((seen.width(), seen.height()), (64, 48), "{file}");
            assert_ne!(picture.body, sent, "{file}");
        }
    });
}

/// A large JPEG as a phone writes it, with GPS data, and the bytes of that data.
fn jpeg_with_gps() -> (Vec<u8>, &'static [u8]) {
    // 52 degrees, 31 minutes, 12.01 seconds.
    const LATITUDE: &[u8] = &[52, 0, 0, 0, 1, 0, 0, 0, 31, 0, 0, 0, 1, 0, 0, 0, 0xb1, 4, 0, 0, 100, 0, 0, 0];
    // One directory with a pointer to the GPS directory, which has the latitude as three fractions.
    let exif = [
        &b"Exif\0\0II*\0\x08\0\0\0"[..],
        &[1, 0, 0x25, 0x88, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0],
        &[1, 0, 2, 0, 5, 0, 3, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0],
        LATITUDE,
    ]
    .concat();
    let mut plain = Cursor::new(Vec::new());
    drawn(1_800, 1_350).write_to(&mut plain, ImageFormat::Jpeg).unwrap();
    let plain = plain.into_inner();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    ([&plain[..2], &[0xff, 0xe1], &length, &exif, &plain[2..]].concat(), LATITUDE)
}

#[test]
fn a_picture_is_served_in_every_width_and_can_be_cached_forever() {
    run(async {
        let (sent, place) = jpeg_with_gps();
        assert!(sent.windows(place.len()).any(|seen| seen == place));
        let answer = upload("a.jpg", "image/jpeg", &sent).await.is(200).json();
        let url = answer["data"]["url"].as_str().unwrap();
        let base = url.strip_suffix("-1600.webp").unwrap();
        for (width, height) in [(320, 240), (640, 480), (960, 720), (1_600, 1_200)] {
            let path = format!("{base}-{width}.webp");
            let picture = get(&path).await.is(200);
            assert_eq!(picture.header("content-type"), "image/webp", "{picture}");
            assert_eq!(picture.header("cache-control"), "public, max-age=31536000, immutable", "{picture}");
            let seen = image::load_from_memory(&picture.body).unwrap();
            assert_eq!((seen.width(), seen.height()), (width, height));
            for trace in [place, b"Exif", b"EXIF"] {
                assert!(!picture.body.windows(trace.len()).any(|seen| seen == trace), "{path}");
            }
            let tag = picture.header("etag").to_owned();
            assert_ne!(tag, "", "{picture}");
            let again = get(&path).header("if-none-match", &tag).await.is(304);
            assert_eq!((again.body.len(), again.header("etag")), (0, &*tag), "{again}");
            get(&path).header("if-none-match", "\"another\"").await.is(200);
        }
        for absent in ["-1280.webp", "-0320.webp", ".webp", "-320.png", "-320", "-320.webp/"] {
            get(format!("{base}{absent}")).await.is(404);
        }
        // The same picture has the same address.
        assert_eq!(upload("b.jpg", "image/jpeg", &sent).await.is(200).json(), answer);
    });
}

#[test]
fn a_small_picture_is_never_enlarged() {
    run(async {
        let answer = upload("a.png", "image/png", &png(400, 300)).await.is(200).json();
        let base = answer["data"]["url"].as_str().unwrap().strip_suffix("-400.webp").unwrap();
        get(format!("{base}-320.webp")).await.is(200);
        for wider in [640, 960, 1_600] {
            get(format!("{base}-{wider}.webp")).await.is(404);
        }
    });
}

#[test]
fn data_appended_to_a_picture_is_removed() {
    run(async {
        let secret = b"<script>alert('hidden behind the picture')</script>";
        let polyglot = [png(64, 48), secret.to_vec()].concat();
        let answer = upload("a.png", "image/png", &polyglot).await;
        if answer.is_success() {
            let picture = fetched(answer).await;
            assert!(!picture.body.windows(secret.len()).any(|seen| seen == secret));
        } else {
            assert!(matches!(answer.status, 415 | 422), "{answer}");
        }
    });
}

#[test]
fn a_picture_is_recognized_by_its_bytes_and_not_by_its_name() {
    run(async {
        let gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
        let cut = &png(64, 48)[..60];
        let html = b"<!doctype html><script>alert(1)</script>";
        // A valid header before something else.
        let pretender = [&b"\x89PNG\r\n\x1a\n"[..], html].concat();
        for (what, bytes) in [
            ("a GIF", &gif[..]),
            ("an SVG", &svg[..]),
            ("a page", &html[..]),
            ("half a PNG", cut),
            ("a pretender", &pretender),
            ("nothing", b""),
        ] {
            for (file, media_type) in [("a.png", "image/png"), ("../../a.png", "image/gif"), ("a.svg", "image/svg+xml")]
            {
                let answer = upload(file, media_type, bytes).await;
                assert!(matches!(answer.status, 400 | 415 | 422), "{what}: {answer}");
            }
        }
        let wrongly_named = upload("a.gif", "image/gif", &encoded(ImageFormat::Png)).await;
        assert!(wrongly_named.is_success() || wrongly_named.status == 415, "{wrongly_named}");
    });
}

#[test]
fn the_name_of_a_file_does_not_decide_where_its_picture_is_stored() {
    run(async {
        let sent = png(64, 48);
        let usual = upload("a.png", "image/png", &sent).await.is(200).json();
        let path = usual["data"]["url"].as_str().unwrap();
        let hash = path.strip_prefix("/images/").and_then(|name| name.strip_suffix("-64.webp")).unwrap();
        assert!(hash.len() == 64 && hash.bytes().all(|sign| sign.is_ascii_hexdigit()), "{path}");
        get(path).await.is(200);
        for file in ["../../a.png", "..\\..\\a.png", "/etc/passwd", "%2e%2e%2fa.png", "a%0D%0Ab.png", "..", ""] {
            let answer = upload(file, "image/png", &sent).await.is(200);
            assert_eq!(answer.json(), usual, "{file:?}");
        }
        // Unescaped, the end of a line ends the name: what follows is another header, no header, or the file.
        for file in ["a\r\nx-injected: b.png", "a\r\nb.png", "a\r\n\r\nb.png"] {
            let answer = upload(file, "image/png", &sent).await;
            assert_eq!(answer.header("x-injected"), "", "{file:?}: {answer}");
            if answer.is_success() {
                assert_eq!(answer.json(), usual, "{file:?}");
            } else {
                assert!(matches!(answer.status, 400 | 415 | 422), "{file:?}: {answer}");
            }
        }
    });
}

#[test]
fn a_picture_of_more_than_five_megabytes_is_too_large() {
    run(async {
        let mut large = png(64, 48);
        large.resize(5_000_000 + 200_000, 0);
        upload("a.png", "image/png", &large).await.is(413);
        large.resize(20_000_000, 0);
        // Refused before the whole body was sent, so the connection may break first.
        let (media_type, body) = multipart("image", "a.png", "image/png", &large);
        if let Ok(answer) = admin().await.send(call("POST", "/images").body(&media_type, body)).attempt().await {
            answer.is(413);
        }
    });
}

/// A chunk of a PNG with its checksum (RFC 2083, section 3.2).
fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    let mut checksum = Crc::new();
    checksum.update(kind);
    checksum.update(data);
    [&length[..], kind, data, &checksum.sum().to_be_bytes()].concat()
}

/// A valid PNG that is black all over, with one bit per pixel: few bytes, however many pixels there are.
fn flat_png(width: u32, height: u32) -> Vec<u8> {
    // The filter's number, and eight pixels in each further byte.
    let row = vec![0_u8; 1 + usize::try_from(width.div_ceil(8)).unwrap()];
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..height {
        rows.write_all(&row).unwrap();
    }
    let (width, height) = (width.to_be_bytes(), height.to_be_bytes());
    // One bit per pixel, grey; the compression and the filters that every PNG has; not interlaced.
    let header = chunk(b"IHDR", &[&width[..], &height, &[1, 0, 0, 0, 0]].concat());
    let pixels = chunk(b"IDAT", &rows.finish().unwrap());
    [&b"\x89PNG\r\n\x1a\n"[..], &header, &pixels, &chunk(b"IEND", b"")].concat()
}

#[test]
fn a_decompression_bomb_is_refused() {
    run(async {
        // 400 megapixels, and one row more than the 40 megapixels that are allowed.
        for (width, height) in [(20_000, 20_000), (8_000, 5_001)] {
            let bomb = flat_png(width, height);
            assert!(bomb.len() < 200_000, "{width} x {height}: {} bytes", bomb.len());
            let problem = upload("a.png", "image/png", &bomb).await.refused(413);
            assert_eq!(problem["type"], "/problems/payload-too-large", "{width} x {height}");
        }
        // Without that row the same picture is accepted: nothing but its size was wrong.
        let picture = fetched(upload("a.png", "image/png", &flat_png(8_000, 5_000)).await).await;
        let seen = image::load_from_memory(&picture.body).unwrap();
        assert_eq!((seen.width(), seen.height()), (1_600, 1_000));
    });
}

#[test]
fn the_media_type_of_an_upload_may_be_in_any_case() {
    run(async {
        let (media_type, body) = multipart("image", "a.png", "image/png", &png(8, 8));
        let media_type = media_type.replace("multipart/form-data", "Multipart/Form-Data");
        admin().await.send(call("POST", "/images").body(&media_type, body)).await.is(200);
    });
}

#[test]
fn an_upload_without_an_image_field_is_refused() {
    run(async {
        let boss = admin().await;
        let (media_type, body) = multipart("file", "a.png", "image/png", &png(8, 8));
        let answer = boss.send(call("POST", "/images").body(&media_type, body)).await;
        assert!(matches!(answer.status, 400 | 422), "{answer}");
        boss.send(post("/images", &json!({"image": "x"}))).await.is(415);
        let answer = boss.send(call("POST", "/images").body("multipart/form-data", "x")).await;
        assert!(matches!(answer.status, 400 | 415 | 422), "{answer}");
        let answer = boss.send(call("POST", "/images").body("multipart/form-data; boundary=b", "--b\r\nbroken")).await;
        assert!(matches!(answer.status, 400 | 415 | 422), "{answer}");
        let customer = User::new().await;
        let (media_type, body) = multipart("image", "a.png", "image/png", &png(8, 8));
        customer.send(call("POST", "/images").body(&media_type, body)).await.is(403);
    });
}

#[test]
fn a_products_picture_is_a_web_address_or_a_path_of_this_shop() {
    run(async {
        let boss = admin().await;
        for img in [
            "javascript:alert(1)",
            "data:image/png;base64,AA",
            "//evil.example.com/x.png",
            "x.png",
            "",
            "ftp://a/b",
            "/\\evil",
        ] {
            let mut sent = draft(100, 1.0);
            sent["img"] = json!(img);
            boss.send(post("/products", &sent)).await.field("img");
        }
        for img in ["/pictures/tyre-640.webp", "http://a.example.com/x.png", "https://a.example.com/x?y=z"] {
            let mut sent = draft(100, 1.0);
            sent["img"] = json!(img);
            boss.send(post("/products", &sent)).await.is(201);
        }
    });
}

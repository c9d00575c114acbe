//! What people type: searches, numbers, orders, vehicles.

use std::time::Duration;

use domain::{AskedNumber, Gtin, Measure, PartKey, SearchWords};
use vehicles::Vehicles;
use vehicles::vin::{Reading, Vin, decode};

use super::texts;
use crate::target::Target;

/// The query string of a list of products.
pub(super) const PRODUCT_QUERY: Target = Target::of_text(
    "product-query",
    || {
        texts(&[
            "q=brake%20disc%20312mm&brand=Bosch&brand=ATE&minPrice=1.50&maxPrice=20&sort=-price&inStock=true&limit=24",
            "number=0%20986%20424%20815&category=brakes&vehicle=1234&engine=7&fit=yes&position=front",
            "attr.diameter=300..320&attr.vented=yes&partType=Brake+pads&sort=name&cursor=MDE5OWYzYTAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAxIG5hbWUgYQ",
            "q=5W-30+70Ah&limit=1001",
        ])
    },
    &[
        "q=",
        "number=",
        "attr.",
        "..",
        "%00",
        "%F0%9F%9B%9E",
        "%",
        "+",
        "&",
        "=",
        "cursor=",
        "NaN",
        "inf",
        "-0",
        "1e308",
        "limit=",
    ],
    product_query,
);

/// Part numbers, GTINs, sizes and the words of a search.
pub(super) const NUMBERS: Target = Target::of_text(
    "numbers",
    || {
        texts(&[
            "0 986 424 815",
            "Bosch 1K0-698-151/A",
            "4047024117777",
            "-12,345",
            "M12 x 1.5",
            "70Ah 312 mm brake-disc",
            "Ｏ９８６ ⅻ",
        ])
    },
    &[" ", "-", "/", ".", ",", "\u{0}", "\u{1}", "ﬃ", "İ", "ß", "\u{301}", "𝟘", "mm", "Ah", "00000000"],
    numbers,
);

/// The JSON of an order.
pub(super) const ORDER: Target = Target::of_text(
    "order-body",
    || {
        texts(&[
            r#"{"productId":"0199f3a0-0000-7000-8000-000000000001","quantity":50,"price":999.5,"name":"A","email":"a@example.com","phone":"1","address":"B 1"}"#,
            r#"{"productName":"Disc","category":"brakes","img":"https://example.com/a.webp","quantity":"60","name":"Ä","phone":"+49","address":"C","vehicle":{"vehicleId":1}}"#,
        ])
    },
    &[
        "null",
        "{}",
        "[",
        "]",
        "\"",
        "\\u0000",
        "\\ud83d",
        "1e400",
        "-0",
        "\"vehicle\":",
        "\"quantity\":",
        "[[[[[[[[[[[[[[[[",
    ],
    http_adapter::fuzz::order_body,
);

/// A VIN.
pub(super) const VIN: Target = Target {
    tries: 2_000,
    ..Target::of_text(
        "vin",
        || {
            texts(&[
                "1FADP3F20EL123456",
                "wvwzzz1kz6w000001",
                "1HGCM82633A004352",
                "5YJ 3E1EA7 KF317000",
                "JM1BL1SF0A1234567",
                "1M9",
            ])
        },
        &["I", "O", "Q", "9", "Z", "-", " ", "1FA", "WVW", "ZZZ"],
        vin,
    )
};

/// The words of a vehicle.
pub(super) const VEHICLE: Target = Target {
    tries: 400,
    time: Duration::from_secs(3),
    ..Target::of_text(
        "vehicle-words",
        || texts(&["2014 Ford Focus 2.0", "vw golf 1.9 tdi", "chevy silverado 1500 5.3L v8 2012", "BMW 3"]),
        &["2014", "1.9", "L", "v8", "ford", "mercedes-benz", "3", "h3", "hybrid", "\u{0}", "ß"],
        vehicle,
    )
};

fn product_query(query: &[u8]) {
    http_adapter::fuzz::product_query(query);
}

fn numbers(written: &[u8]) {
    let Ok(written) = std::str::from_utf8(written) else { return };
    if let Ok(key) = PartKey::new(written) {
        assert!((1..=PartKey::MAX).contains(&key.as_str().len()));
        assert_eq!(PartKey::new(key.as_str()).ok(), Some(key.clone()), "the key of a key is another");
        assert!(key.loose().len() <= key.as_str().len());
        let asked = AskedNumber::new(written);
        assert_eq!(asked.map(|asked| asked.key), Some(key));
    }
    if let Ok(gtin) = written.parse::<Gtin>() {
        assert_eq!(gtin.as_str().parse::<Gtin>().ok(), Some(gtin.clone()));
    }
    if let Ok(measure) = written.parse::<Measure>() {
        assert_eq!(measure.to_string().parse::<Measure>().ok(), Some(measure), "{measure}");
    }
    if SearchWords::can_match(written) && written.chars().count() <= 200 {
        let words = SearchWords::new(written, [("brake".to_owned(), "stop ping".to_owned())]);
        for wanted in words.wanted() {
            assert!(!wanted.forms().is_empty(), "a word that nothing can match");
        }
    }
}

fn vin(typed: &[u8]) {
    let Some(vin) = std::str::from_utf8(typed).ok().and_then(|typed| Vin::parse(typed).ok()) else { return };
    assert_eq!(Vin::parse(vin.as_str()).ok(), Some(vin));
    let decoded = decode(&vin);
    assert!(decoded.readings.len() <= 2, "more readings than model years");
    let known = |reading: &Reading| (1980..=2039).contains(&reading.year) && !reading.make.is_empty();
    assert!(decoded.readings.iter().all(known), "a year that no tenth sign means, or no make");
}

fn vehicle(typed: &[u8]) {
    let Ok(typed) = std::str::from_utf8(typed) else { return };
    assert!(Vehicles::embedded().find(typed).len() <= 10, "more than ten are offered");
}

//! Files that admins and customers send.

use std::time::Duration;

use domain::FeedKind;

use super::texts;
use crate::target::Target;

const WORDS: &[&str] = &[
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "\r\n",
    "\r",
    "\n\n",
    "\u{feff}",
    "'=1",
    "=cmd|' /C calc'!A0",
    "\u{1}end",
    "-",
    "1.005",
    "1,5",
    "1e9",
    "0x10",
    "NaN",
    "99999999999999999999",
    "\u{202e}",
    "ß",
    "🛞",
    "name",
    "price",
];

/// The file of a product import.
pub(super) const PRODUCTS: Target = Target {
    tries: 400,
    time: Duration::from_secs(3),
    ..Target::of_text("products-file", products, WORDS, http_adapter::fuzz::products_file)
};

/// The file of an import of tax rates.
pub(super) const TAX_RATES: Target = Target {
    tries: 400,
    time: Duration::from_secs(3),
    ..Target::of_text("tax-rates-file", tax_rates, WORDS, http_adapter::fuzz::tax_rates_file)
};

/// The file of a feed of any kind. Its first byte says which, its second in which pieces it comes.
pub(super) const FEEDS: Target =
    Target { tries: 400, time: Duration::from_secs(3), ..Target::of_text("feed-file", feeds, WORDS, feed) };

/// A list of part numbers and quantities, typed, pasted or exported.
pub(super) const QUICK_ORDER: Target = Target {
    tries: 400,
    time: Duration::from_secs(3),
    ..Target::of_text(
        "quick-order",
        lists,
        &["x", " x ", "\t", ",", ";", "1.000", "½", "pcs", "qty", "\r\n", "0"],
        http_adapter::fuzz::quick_order_file,
    )
};

fn products() -> Vec<Vec<u8>> {
    texts(&[
        "name,description,category,partNumber,price,availableQty,minOrder,img\nBrake disc,Vented,brakes,0986479,19.99,500,50,https://example.com/a.webp\n",
        "\u{feff}Name;Description;Category;Price;AvailableQty;Img\r\n\"Filter; oil\";\"2nd\r\nline\";filters;7,5;100;/images/a.webp\r\n",
        "name,description,category,price,availableQty,img,colour\n'=1,\"a \"\"b\"\"\",engine,1,1,x,red\n,,,,,,\n \nb\n",
    ])
}

fn tax_rates() -> Vec<Vec<u8>> {
    texts(&[
        "country,region,name,basis_points,valid_from,valid_until\nDE,,MwSt,1900,2021-01-01,\nUS,CA,Sales tax,725,2017-01-01,2030-01-01\n",
        "country;name;basis_points;valid_from\r\nFR;TVA;2000;2014-01-01\r\n",
    ])
}

const KINDS: [FeedKind; 5] =
    [FeedKind::Products, FeedKind::Stock, FeedKind::Prices, FeedKind::Numbers, FeedKind::Fitment];

fn feeds() -> Vec<Vec<u8>> {
    texts(&[
        "\u{0}\u{7}brand,part_number,name,description,category,price,available_qty,part_type,weight,length\nBosch,0 986 424 815,Pads,Front,brakes,19.995,500,Brake pads,1.2 kg,12 cm\n",
        "\u{1}\u{1}brand;part number;availableQty;addQty\nBosch;0986424815;100;\nATE;13.0460-2790.2;;5\n",
        "\u{1}\u{1}\u{feff}brand;part number;availableQty\nBosch;0986424815;100\n",
        "\u{2}\u{40}brand\tpart_number\tprice\tlist\tfrom_qty\nBosch\t0986424815\t19,99\tWorkshops\t100\nBosch\t1\t-\t\t\n",
        "\u{3}\u{5}_id,kind,number,number_brand,note\n0199f3a0-0000-7000-8000-000000000001,oe,1K0 698 151,VW,-\n,gtin,4047024117777,,\n",
        "\u{4}\u{3}brand,part_number,make,model,year_from,year_to,engine,position,condition,per_vehicle\nBosch,1,Ford,Focus,2012,2018,2.0 L,front,\"with \"\"M\"\" package\",2\n",
    ])
}

fn feed(input: &[u8]) {
    let [kind, piece, file @ ..] = input else { return };
    persistence::fuzz::feed_file(KINDS[usize::from(*kind) % KINDS.len()], file, usize::from(*piece));
}

fn lists() -> Vec<Vec<u8>> {
    let mut lists = texts(&[
        "0986424815 50\nBosch 0 986 424 815 x 120\n50 x 13.0460-2790.2\n",
        "part number;qty\r\n0986424815;50\r\n\"a;b\";\"1.000\"\r\n",
        "Brand\tPart No.\tDescription\tQty\nATE\t13.0460\tpads\t60\n",
        "4047024117777,1,000\n1K0 698 151\t50 pcs\n",
    ]);
    let utf_16 = "\u{feff}Stück\t50\r\nTeilenummer\t½".encode_utf16();
    lists.push(utf_16.flat_map(u16::to_le_bytes).collect());
    lists.push(b"St\xfcck\t50\n".to_vec());
    lists
}

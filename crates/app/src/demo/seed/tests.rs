use std::collections::{BTreeMap, BTreeSet};
use std::{fs, path::Path};

use domain::Category;

use super::super::catalogue::PRODUCTS;
use super::*;

/// What the names of a category's pictures begin with.
const KINDS: [(&str, Category); 16] = [
    ("brake-disc", Category::Brakes),
    ("brake-caliper", Category::Brakes),
    ("brake-pads", Category::Brakes),
    ("turbo", Category::ReplacementParts),
    ("clutch", Category::ReplacementParts),
    ("struts", Category::ReplacementParts),
    ("headlight", Category::ReplacementParts),
    ("belt-kit", Category::ReplacementParts),
    ("safety-set", Category::SafetyAccessories),
    ("tire", Category::Tires),
    ("alloy", Category::Tires),
    ("wheel", Category::SteeringWheel),
    ("kit", Category::ServiceKits),
    ("battery", Category::Batteries),
    ("oil", Category::OilsAndFluids),
    ("coolant", Category::OilsAndFluids),
];

/// The pictures of demos that were opened when several products shared one. Products and orders of those demos name them
/// still.
const SHARED: [&str; 18] = [
    "brake-disc",
    "brake-disc-plain",
    "brake-calliper",
    "brake-pads",
    "turbocharger",
    "clutch",
    "shock-absorber",
    "headlamp",
    "timing-belt",
    "first-aid-kit",
    "tyre",
    "alloy-wheel",
    "steering-wheel",
    "service-kit",
    "service-kit-diesel",
    "battery",
    "oil-bottle",
    "coolant-can",
];

fn parts() -> Vec<Part> {
    range::parts().unwrap()
}

/// The products of the catalogue, without the rest of the range.
fn parsed() -> Vec<Product> {
    let any_moment = Timestamp::UNIX_EPOCH;
    parts()[..PRODUCTS.len()].iter().map(|part| product(Uuid::nil(), part, any_moment).unwrap()).collect()
}

#[test]
fn every_line_of_the_catalogue_is_valid() {
    let products = parsed();
    assert_eq!(products.len(), 74);
    for (item, product) in PRODUCTS.iter().zip(&products) {
        let sentences = item.description.matches(['.', '?', '!']).count();
        assert!(sentences >= 2, "{} says too little", item.name);
        assert!((150..=420).contains(&item.description.len()), "{}: {}", item.name, item.description.len());
        assert!(item.part_number.starts_with("DL-"), "{}", item.part_number);
        assert!((1_000..=60_000).contains(&product.details.price.money().cents()), "{}", item.name);
    }
    for voice in REVIEWS {
        review(Uuid::nil(), voice, None, Timestamp::UNIX_EPOCH).unwrap();
        let is_sold = |number| PRODUCTS.iter().any(|item| item.part_number == number);
        assert!(voice.part_number.is_none_or(is_sold), "{} writes of a part that nobody sells", voice.name);
        assert!((3..=5).contains(&voice.rating), "{}", voice.name);
    }
    assert_eq!(REVIEWS.len(), 12);
    Password::choose(PASSWORD).unwrap();
}

#[test]
fn no_two_lines_share_a_key() {
    let parts = parts();
    let products = parts.iter().map(|part| ("product", part.item.part_number));
    let reviews = REVIEWS.iter().map(|voice| ("review", voice.name));
    let mut keys = BTreeSet::new();
    for (kind, name) in products.chain(reviews) {
        assert!(kind.len() + 1 + name.len() <= 32, "the key of {name} would be cut off");
        assert!(keys.insert(once_key(kind, name).key.0), "{name} shares its key");
    }
}

#[test]
fn every_category_has_products_and_every_product_a_fitting_picture() {
    let mut counts: BTreeMap<Category, u32> = BTreeMap::new();
    for item in PRODUCTS {
        *counts.entry(item.category).or_default() += 1;
        let (name, _) = sized(item.picture);
        let starts_with =
            |own: &str, kind| own.strip_prefix(kind).is_some_and(|rest: &str| rest.is_empty() || rest.starts_with('-'));
        let fits = KINDS.iter().any(|(kind, category)| *category == item.category && starts_with(name, *kind));
        assert!(fits, "{} is shown as {}", item.name, item.picture);
    }
    assert_eq!(counts.len(), Category::ALL.len());
    assert!(counts.values().all(|count| *count >= 6), "{counts:?}");
}

#[test]
fn every_product_shows_a_picture_of_its_own_and_a_model_or_a_label_makes_it() {
    let tables = ["variants.py", "labels.py"].map(|table| {
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(table);
        fs::read_to_string(table).unwrap()
    });
    let name = |line: &str| Some(line.strip_prefix("    \"")?.split_once("\": (")?.0.to_owned());
    let made: BTreeSet<String> = tables.iter().flat_map(|table| table.lines().filter_map(name)).collect();
    let parts = parts();
    let shown: BTreeSet<String> = parts.iter().map(|part| sized(part.item.picture).0.to_owned()).collect();
    assert_eq!(shown.len(), parts.len());
    assert_eq!(shown, made);
    let pictures: BTreeSet<Vec<u8>> = shown.iter().map(|name| file_of_picture(&format!("parts/{name}"), 320)).collect();
    assert_eq!(pictures.len(), parts.len(), "two pictures are the same file");
}

#[test]
fn the_range_is_that_of_a_wholesaler() {
    let parts = parts();
    assert!(parts.len() >= 300, "{}", parts.len());
    let types: BTreeSet<&str> =
        parts.iter().filter_map(|part| part.facts.part_type.as_ref().map(Text::as_str)).collect();
    assert!(types.len() >= 50, "{}", types.len());
    let categories: BTreeSet<Category> = parts.iter().map(|part| part.item.category).collect();
    assert_eq!(categories.len(), Category::ALL.len());
    let brands: BTreeSet<&str> = parts.iter().filter_map(|part| part.facts.brand.as_ref().map(Text::as_str)).collect();
    assert_eq!(brands.len(), 3);
    assert!(parts.iter().filter(|part| part.facts.universal).count() >= 12);
    let numbers: BTreeSet<&str> = parts.iter().map(|part| part.item.part_number).collect();
    let names: BTreeSet<&str> = parts.iter().map(|part| part.item.name).collect();
    assert_eq!((numbers.len(), names.len()), (parts.len(), parts.len()));
    let none = parts.iter().filter(|part| part.item.available == 0).count();
    let low = parts.iter().filter(|part| (1..2 * part.item.min_order.max(50)).contains(&part.item.available)).count();
    assert!((3..=10).contains(&none) && (15..=60).contains(&low), "{none} are sold out and {low} run low");
}

#[test]
fn every_line_of_the_range_is_valid() {
    for part in &parts()[PRODUCTS.len()..] {
        let (item, facts) = (&part.item, &part.facts);
        let product = product(Uuid::nil(), part, Timestamp::UNIX_EPOCH).unwrap();
        assert!((150..=420).contains(&item.description.len()), "{}: {}", item.name, item.description.len());
        assert!((200..=80_000).contains(&product.details.price.money().cents()), "{}", item.name);
        assert!(item.min_order >= 50 && item.min_order % i64::from(facts.pack_size.get()) == 0, "{}", item.name);
        assert!(facts.weight.is_some() && !facts.attributes.is_empty(), "{}", item.name);
    }
}

#[test]
fn an_attribute_is_of_one_kind_and_unit_for_all_parts() {
    let mut kinds = BTreeMap::new();
    for part in parts() {
        for attribute in part.facts.attributes {
            let unit = match &attribute.value {
                domain::AttributeValue::Number(_, unit) => unit.clone(),
                _ => None,
            };
            let kind = (std::mem::discriminant(&attribute.value), unit);
            let known = kinds.entry(attribute.name.clone()).or_insert_with(|| kind.clone());
            assert_eq!(*known, kind, "{} of {}", attribute.name.as_str(), part.item.name);
        }
    }
}

#[test]
fn every_part_has_a_valid_gtin_and_numbers_that_no_other_has() {
    let mut taken = BTreeSet::new();
    for part in parts() {
        let gtin = part.numbers[0].shown.as_str();
        assert!(gtin.starts_with("20") && gtin.parse::<domain::Gtin>().is_ok(), "{gtin}");
        let own = part.item.part_number.to_owned();
        for number in part.numbers.iter().map(|number| number.shown.as_str().to_owned()).chain([own]) {
            assert!(taken.insert(number.clone()), "{number} is that of two parts");
        }
    }
}

/// The name of a product's picture and its width.
fn sized(picture: &str) -> (&str, u32) {
    let (name, width) = picture.strip_prefix("parts/").unwrap().rsplit_once('-').unwrap();
    (name, width.parse().unwrap())
}

/// Whether a picture has a file of a width: of its own and of the narrower ones that browsers know of.
fn is_made(width: u32, widest: u32) -> bool {
    width == widest || (width < widest && [320, 640].contains(&width))
}

fn file_of_picture(name: &str, width: u32) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontend/public/pictures");
    let file = folder.join(format!("{name}-{width}.webp"));
    fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The widths of a picture, and how large each file may be.
const WIDTHS: [(u32, usize); 4] = [(320, 16_000), (480, 29_000), (640, 34_000), (960, 58_000)];

#[test]
fn every_picture_of_a_part_is_a_cutout_in_the_widths_that_browsers_request_and_none_is_large() {
    for part in parts() {
        let (name, widest) = sized(part.item.picture);
        assert!([480, 640, 960].contains(&widest), "{name}-{widest}");
        for (width, bytes) in WIDTHS.into_iter().filter(|(width, _)| is_made(*width, widest)) {
            let file = file_of_picture(&format!("parts/{name}"), width);
            assert!((1_000..=bytes).contains(&file.len()), "{name}-{width} weighs {} bytes", file.len());
            // The extended header says by the fifth bit of its flags whether there is an alpha channel.
            assert_eq!(file[12..16], *b"VP8X", "{name}-{width}");
            assert_ne!(file[20] & 0x10, 0, "{name}-{width} has a backdrop");
        }
    }
}

#[test]
fn a_part_that_turns_has_a_picture_and_its_sides_are_a_cutout_that_is_not_large() {
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontend/public/pictures");
    let shown: BTreeSet<&str> = PRODUCTS.iter().map(|item| sized(item.picture).0).collect();
    for entry in fs::read_dir(pictures.join("turns")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(shown.contains(name), "no product shows {name}");
        let file = fs::read(&path).unwrap();
        assert!((50_000..=300_000).contains(&file.len()), "the sides of {name} weigh {} bytes", file.len());
        assert_eq!(file[12..16], *b"VP8X", "{name}");
        assert_ne!(file[20] & 0x10, 0, "the sides of {name} have a backdrop");
    }
}

#[test]
fn a_part_that_turns_has_pictures_of_its_other_sides() {
    let sides: Vec<PictureUrl> = parts().iter().flat_map(|part| further(part.item.picture).unwrap()).collect();
    assert_eq!(sides.len(), TURNED.len() * VIEWS.len());
    for side in &sides {
        let name = side.as_str().strip_prefix("/pictures/").unwrap().strip_suffix("-480.webp").unwrap();
        for (width, bytes) in &WIDTHS[..2] {
            let file = file_of_picture(name, *width);
            assert!((1_000..=*bytes).contains(&file.len()), "{name}-{width} weighs {} bytes", file.len());
            assert_eq!(file[12..16], *b"VP8X", "{name}-{width}");
            assert_ne!(file[20] & 0x10, 0, "{name}-{width} has a backdrop");
        }
    }
}

#[test]
fn the_pictures_of_older_demos_are_still_there() {
    for (name, (width, bytes)) in
        SHARED.into_iter().flat_map(|shared| WIDTHS.map(|each| (shared, each))).filter(|(_, (width, _))| *width != 480)
    {
        let weight = file_of_picture(name, width).len();
        assert!((1_000..=bytes).contains(&weight), "{name}-{width} weighs {weight} bytes");
    }
}

#[test]
fn the_four_newest_are_of_four_categories_and_can_all_be_ordered() {
    let products = parsed();
    let deals = &products[..4];
    let categories: BTreeSet<Category> = deals.iter().map(|deal| deal.details.category).collect();
    assert_eq!(categories.len(), 4);
    assert!(deals.iter().all(|deal| deal.details.available.can_fill(deal.details.min_order)));
    let disc = deals.iter().find(|deal| deal.details.name.as_str() == "312 mm front brake disc pair, vented").unwrap();
    assert!(disc.details.available.get() >= 2_000);
    assert!(deals.iter().any(|deal| deal.details.name.as_str().contains("turbocharger")));
}

#[test]
fn the_catalogue_shows_every_state_of_stock() {
    let products = parsed();
    let count = |state: fn(&Product) -> bool| products.iter().filter(|product| state(product)).count();
    assert_eq!(count(|product| product.details.available.get() == 0), 1);
    let below = |product: &Product| {
        product.details.available.get() > 0 && !product.details.available.can_fill(product.details.min_order)
    };
    assert_eq!(count(below), 1);
    let low = |product: &Product| {
        (50..100).contains(&product.details.available.get()) && product.details.min_order.get() == 50
    };
    assert!(count(low) >= 2);
    assert!(count(|product| product.details.min_order.get() > 50) >= 8);
}

#[test]
fn dates_go_back_from_the_day_the_shop_was_created() {
    let opened = Timestamp::from_second(1_700_000_000).unwrap();
    assert_eq!(
        earlier(opened, Duration::from_hours(7), 2),
        Timestamp::from_second(1_700_000_000 - 14 * 3_600).unwrap()
    );
    assert_eq!(earlier(Timestamp::MIN, Duration::from_hours(7), 2), Timestamp::MIN);
}

use proptest::prelude::*;

use super::*;

const DEPOT: TypedAddress<'_> = TypedAddress {
    company: Some("Depot 7"),
    line1: Some("1 Industrial Way"),
    line2: Some(" "),
    city: Some("Springfield"),
    region: Some("illinois"),
    postcode: Some("62701-1234"),
    country: Some("US"),
};

fn refused(typed: TypedAddress<'_>) -> Vec<(AddressField, String)> {
    Address::new(&typed).unwrap_err().into_iter().map(|problem| (problem.field, problem.why.to_string())).collect()
}

#[test]
fn an_address_is_written_as_its_country_writes_it() {
    let depot = Address::new(&DEPOT).unwrap();
    assert_eq!(depot.lines(), ["Depot 7", "1 Industrial Way", "Springfield IL 62701-1234", "United States"]);
    let dock = Address::new(&TypedAddress { line2: Some("Dock 4"), ..DEPOT }).unwrap();
    assert_eq!(dock.lines()[1..3], ["1 Industrial Way", "Dock 4"]);
    let berlin =
        TypedAddress { region: None, postcode: Some("10115"), country: Some("de"), city: Some("Berlin"), ..DEPOT };
    assert_eq!(Address::new(&berlin).unwrap().one_line().as_str(), "Depot 7, 1 Industrial Way, 10115 Berlin, Germany");
    let london = TypedAddress { postcode: Some("sw1a1aa"), country: Some("GB"), city: Some("London"), ..berlin };
    assert_eq!(Address::new(&london).unwrap().postcode(), Some("SW1A 1AA"));
}

#[test]
fn what_a_country_does_not_use_is_kept_and_written_all_the_same() {
    let dubai = TypedAddress { region: Some("Dubai"), postcode: Some("00000"), country: Some("AE"), ..DEPOT };
    let lines = Address::new(&dubai).unwrap().lines();
    assert_eq!(lines[2..], ["Springfield Dubai 00000", "United Arab Emirates"]);
}

#[test]
fn every_field_that_is_refused_has_its_reason() {
    let none = TypedAddress::default();
    assert_eq!(
        refused(none),
        [
            (AddressField::Line1, "is required".to_owned()),
            (AddressField::City, "is required".to_owned()),
            (AddressField::Country, "is required".to_owned()),
        ]
    );
    let bare = TypedAddress { region: None, postcode: None, ..DEPOT };
    assert_eq!(
        refused(bare),
        [
            (AddressField::Region, "State is required in United States".to_owned()),
            (AddressField::Postcode, "ZIP code is required in United States".to_owned()),
        ]
    );
    let wrong = TypedAddress { region: Some("Bavaria"), postcode: Some("SW1A 1AA"), ..DEPOT };
    assert_eq!(
        refused(wrong),
        [
            (AddressField::Region, "State is not one of United States".to_owned()),
            (
                AddressField::Postcode,
                "ZIP code is not valid in United States, where one is written as 12345".to_owned()
            ),
        ]
    );
    assert_eq!(refused(TypedAddress { country: Some("XX"), ..DEPOT })[0].0, AddressField::Country);
}

#[test]
fn no_field_has_a_second_line_or_a_control_character() {
    for text in ["a\nb", "a\tb", "a\u{0}b", "a\u{7f}b", "a\u{2028}b"] {
        let typed = TypedAddress { line1: Some(text), company: Some(text), ..DEPOT };
        let fields: Vec<_> = refused(typed).into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, [AddressField::Company, AddressField::Line1], "{text:?}");
    }
}

#[test]
fn an_address_without_a_postcode_is_one_where_the_country_has_none() {
    let hong_kong = TypedAddress { region: Some("Kowloon"), postcode: None, country: Some("HK"), ..DEPOT };
    assert!(Address::new(&hong_kong).is_ok());
    let dublin = TypedAddress { region: None, postcode: None, country: Some("IE"), ..DEPOT };
    assert!(Address::new(&dublin).is_ok());
}

#[test]
fn where_a_country_has_no_known_form_any_short_code_is_a_postcode() {
    let dublin = |postcode| TypedAddress { region: None, postcode: Some(postcode), country: Some("IE"), ..DEPOT };
    for (typed, written) in [("d02 af30", "D02 AF30"), ("123456789-12", "123456789-12")] {
        assert_eq!(Address::new(&dublin(typed)).unwrap().postcode(), Some(written));
    }
    for typed in ["D02/AF30", "123456789-123"] {
        let refusal = (AddressField::Postcode, "Eircode is not valid in Ireland".to_owned());
        assert_eq!(refused(dublin(typed)), [refusal], "{typed}");
    }
}

#[test]
fn the_greatest_address_of_every_country_fits_into_the_field_of_a_contact() {
    let (hundred, sixty) = ("W".repeat(100), "W".repeat(60));
    for country in Country::all() {
        let example = country.format().example().unwrap_or_else(|| "W".repeat(12));
        let region = country.regions().first().map_or(sixty.as_str(), |(code, _)| code);
        let greatest = TypedAddress {
            company: Some(&hundred),
            line1: Some(&hundred),
            line2: Some(&hundred),
            city: Some(&sixty),
            region: Some(region),
            postcode: Some(&example),
            country: Some(country.code()),
        };
        let line = Address::new(&greatest).unwrap().one_line();
        assert!(Text::<500>::new(line.as_str()) == Ok(line), "{country}");
    }
}

proptest! {
    #[test]
    fn an_address_that_was_taken_is_taken_again_as_it_was_kept(
        line1 in ".{0,20}", city in ".{0,20}", region in ".{0,8}", postcode in "[ A-Za-z0-9-]{0,10}", country in "[A-Z]{2}"
    ) {
        let typed = TypedAddress {
            line1: Some(&line1),
            city: Some(&city),
            region: Some(&region),
            postcode: Some(&postcode),
            country: Some(&country),
            ..TypedAddress::default()
        };
        if let Ok(address) = Address::new(&typed) {
            let again = TypedAddress {
                line1: Some(address.line1()),
                city: Some(address.city()),
                region: address.region(),
                postcode: address.postcode(),
                country: Some(address.country().code()),
                ..TypedAddress::default()
            };
            prop_assert_eq!(Address::new(&again), Ok(address));
        }
    }
}

//! What the simulated shop sells, and on which terms: prices, freight and taxes.

use domain::{
    BasisPoints, Category, Country, Divisor, Exemption, ExemptionId, ExemptionKind, Grams, Ladder, MinOrder, Money,
    PalletRate, PartFacts, Percent, Product, ProductDetails, ProductId, ShippingMethod, ShippingMethodId,
    ShippingTerms, Size, Stock, TaxClass, TaxRate, TaxRateId, Text, Tier, Timestamp, UnitPrice, Validity, WeightBand,
    WeightBands,
};
use ports::{MockExemptions, MockShippingMethods, MockTaxRates, RatesOn};
use uuid::Uuid;

use crate::shop::customer;

pub(crate) fn cents(cents: u64) -> Money {
    Money::from_cents(i64::try_from(cents).unwrap()).unwrap()
}

pub(crate) fn unit_price(of: u64) -> UnitPrice {
    UnitPrice::new(cents(of)).unwrap()
}

/// The product with this number. One of them is not taxed, and each has another weight.
pub(crate) fn product(number: u64, price: u64, units: u64, created_at: Timestamp) -> Product {
    let details = ProductDetails::new(
        Text::new(&format!("Brake disc {number}")).unwrap(),
        Text::new("A pair.").unwrap(),
        Category::Brakes,
        "/pictures/brake-disc-640.webp".parse().unwrap(),
        unit_price(price),
        MinOrder::effective(50).unwrap(),
        Stock::new(i64::try_from(units).unwrap()).unwrap(),
    );
    let facts = PartFacts {
        weight: Some(Size::new(400 + 700 * i64::try_from(number).unwrap()).unwrap()),
        tax_class: if number == 1 { TaxClass::None } else { TaxClass::Standard },
        ..PartFacts::NONE
    };
    let details = ProductDetails { facts, ladder: tiers(price), ..details };
    Product { id: ProductId::new(Uuid::from_u128(u128::from(500 + number) << 64)), details, created_at }
}

/// Two tiers, from a hundred units and from 130 on, below a price.
pub(crate) fn tiers(price: u64) -> Ladder {
    let tier = |from, part: u64| Tier { from, unit: unit_price((price * part / 100).max(1)) };
    Ladder::new(vec![tier(100, 93), tier(130, 88)]).unwrap()
}

/// What the first customer's price list takes off.
pub(crate) fn percentage() -> Percent {
    Percent::new(1_250).unwrap()
}

/// Parcels up to 200 kg, free from a sum on; everything heavier waits for an admin's figure.
pub(crate) fn shipping_methods() -> MockShippingMethods {
    let band = |up_to, price| WeightBand { up_to: Grams::new(up_to).unwrap(), price: cents(price) };
    let terms = ShippingTerms {
        name: Text::new("Parcel").unwrap(),
        countries: None,
        divisor: Divisor::USUAL,
        free_over: Some(cents(1_500_000)),
        bands: WeightBands::new(vec![band(30_000, 1_499), band(100_000, 4_999)]).unwrap(),
        per_extra_kg: cents(37),
        pallet: Some(PalletRate { from: Grams::new(200_000).unwrap(), per_pallet: None }),
    };
    let mut methods = MockShippingMethods::new();
    methods.expect_list().returning(move || Ok(vec![ShippingMethod { id: ShippingMethodId(1), terms: terms.clone() }]));
    methods
}

/// 8.25 % where everybody lives.
pub(crate) fn tax_rates() -> MockTaxRates {
    let rate = TaxRate {
        id: TaxRateId::new(Uuid::from_u128(1)),
        country: country(),
        region: None,
        name: Text::new("Sales tax").unwrap(),
        basis_points: BasisPoints::new(825).unwrap(),
        valid: Validity::new("2000-01-01".parse().unwrap(), None).unwrap(),
    };
    let mut rates = MockTaxRates::new();
    rates.expect_valid_on().returning(move |_| Ok(RatesOn { rates: vec![rate.clone()], any: true }));
    rates
}

/// The third customer sells again, and pays no tax.
pub(crate) fn exemptions() -> MockExemptions {
    let reseller = customer(2).account;
    let exemption = Exemption {
        id: ExemptionId::new(Uuid::from_u128(1)),
        account: reseller,
        kind: ExemptionKind::Resale,
        country: country(),
        region: None,
        number: Text::new("TX-1").unwrap(),
        valid_until: None,
        checked_at: None,
    };
    let mut exemptions = MockExemptions::new();
    exemptions
        .expect_of()
        .returning(move |account| Ok(if account == reseller { vec![exemption.clone()] } else { Vec::new() }));
    exemptions
}

fn country() -> Country {
    "US".parse().unwrap()
}

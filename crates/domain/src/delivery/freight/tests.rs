use proptest::prelude::*;

use super::*;
use crate::Text;
use crate::delivery::shipping_method::{Divisor, Grams, ShippingMethodId, WeightBand, WeightBands};

fn money(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

fn price(cents: i64) -> Freight {
    Freight::Price(money(cents))
}

fn band(grams: i64, cents: i64) -> WeightBand {
    WeightBand { up_to: Grams::new(grams).unwrap(), price: money(cents) }
}

fn method(bands: Vec<WeightBand>) -> ShippingMethod {
    ShippingMethod {
        id: ShippingMethodId(1),
        terms: ShippingTerms {
            name: Text::new("Standard").unwrap(),
            countries: None,
            divisor: Divisor::USUAL,
            free_over: None,
            bands: WeightBands::new(bands).unwrap(),
            per_extra_kg: money(100),
            pallet: None,
        },
    }
}

const fn pack(grams: u32) -> Parcel {
    Parcel { units: 1, pack_size: 1, weight_grams: Some(grams), length_mm: None, width_mm: None, height_mm: None }
}

const fn cube(grams: u32, mm: u32) -> Parcel {
    Parcel { length_mm: Some(mm), width_mm: Some(mm), height_mm: Some(mm), ..pack(grams) }
}

#[test]
fn a_light_parcel_costs_what_its_band_says() {
    let method = method(vec![band(1_000, 4_900), band(5_000, 7_900)]);
    assert_eq!(freight(&method, &[pack(800)], money(1)), price(4_900));
    assert_eq!(freight(&method, &[pack(1_000)], money(1)), price(4_900));
    assert_eq!(freight(&method, &[pack(1_001)], money(1)), price(7_900));
}

#[test]
fn a_light_and_large_pack_is_billed_by_its_volume() {
    let method = method(vec![band(12_799, 1), band(12_800, 2), band(20_000, 3)]);
    assert_eq!(billable_grams(&method.terms, &[cube(300, 400)]), 12_800);
    assert_eq!(freight(&method, &[cube(300, 400)], money(1)), price(2));
    assert_eq!(billable_grams(&method.terms, &[cube(13_000, 400)]), 13_000);
}

#[test]
fn begun_packs_are_whole_ones() {
    let terms = method(vec![band(1, 1)]).terms;
    let boxes = |units| Parcel { units, pack_size: 12, ..pack(500) };
    assert_eq!(billable_grams(&terms, &[boxes(12)]), 500);
    assert_eq!(billable_grams(&terms, &[boxes(13)]), 1_000);
    assert_eq!(billable_grams(&terms, &[boxes(24), pack(1)]), 1_001);
}

#[test]
fn a_pack_without_a_weight_counts_as_nothing() {
    let terms = method(vec![band(1, 1)]).terms;
    let unknown = Parcel { weight_grams: None, ..cube(1, 400) };
    assert_eq!(billable_grams(&terms, &[unknown]), 0);
    assert_eq!(billable_grams(&terms, &[Parcel { height_mm: None, ..cube(300, 400) }]), 300);
}

#[test]
fn above_the_last_band_every_begun_kilogram_costs_more() {
    let method = method(vec![band(10_000, 1_500)]);
    assert_eq!(freight(&method, &[pack(10_000)], money(1)), price(1_500));
    assert_eq!(freight(&method, &[pack(10_001)], money(1)), price(1_600));
    assert_eq!(freight(&method, &[pack(11_000)], money(1)), price(1_600));
    assert_eq!(freight(&method, &[pack(11_001)], money(1)), price(1_700));
}

#[test]
fn delivery_is_free_from_exactly_the_sum_on() {
    let mut method = method(vec![band(30_000, 1_500)]);
    method.terms.free_over = Some(money(14_000));
    assert_eq!(freight(&method, &[pack(800)], money(13_999)), price(1_500));
    assert_eq!(freight(&method, &[pack(800)], money(14_000)), price(0));
}

#[test]
fn heavy_goods_go_on_pallets_whatever_they_cost() {
    let mut method = method(vec![band(30_000, 1_500)]);
    method.terms.free_over = Some(money(14_000));
    let from = Grams::new(100_000).unwrap();
    method.terms.pallet = Some(PalletRate { from, per_pallet: Some(money(9_000)) });
    assert_eq!(freight(&method, &[pack(99_999)], money(14_000)), price(0));
    assert_eq!(freight(&method, &[pack(100_000)], money(14_000)), price(9_000));
    assert_eq!(freight(&method, &[pack(1_000_000)], money(1)), price(9_000));
    assert_eq!(freight(&method, &[pack(1_000_001)], money(1)), price(18_000));
    method.terms.pallet = Some(PalletRate { from, per_pallet: None });
    assert_eq!(freight(&method, &[pack(100_000)], money(14_000)), Freight::Quote);
}

#[test]
fn a_method_delivers_to_its_countries() {
    let (usa, germany): (Country, Country) = ("US".parse().unwrap(), "DE".parse().unwrap());
    let everywhere = method(vec![band(1, 1)]);
    let mut local = everywhere.clone();
    local.terms.countries = Some(vec![usa]);
    let methods = [everywhere.clone(), local.clone()];
    assert_eq!(methods_for(&methods, Some(usa)), [&everywhere, &local]);
    assert_eq!(methods_for(&methods, Some(germany)), [&everywhere]);
    assert_eq!(methods_for(&methods, None), [&everywhere]);
}

fn any_parcel() -> impl Strategy<Value = Parcel> {
    let size = || prop_oneof![Just(None), any::<u32>().prop_map(Some), (1..2_000_u32).prop_map(Some)];
    (any::<u32>(), any::<u32>(), size(), size(), size(), size()).prop_map(
        |(units, pack_size, weight_grams, length_mm, width_mm, height_mm)| Parcel {
            units,
            pack_size,
            weight_grams,
            length_mm,
            width_mm,
            height_mm,
        },
    )
}

fn any_method() -> impl Strategy<Value = ShippingMethod> {
    let cents = || 0..=Money::MAX.cents();
    let bands = proptest::collection::btree_map(1..=i64::from(Grams::MAX), cents(), 1..5);
    let pallet = proptest::option::of((1..=i64::from(Grams::MAX), proptest::option::of(cents())));
    (bands, 1..=1_000_000_i64, proptest::option::of(cents()), cents(), pallet).prop_map(
        |(bands, divisor, free_over, per_extra_kg, pallet)| {
            let mut method = method(bands.into_iter().map(|(grams, cents)| band(grams, cents)).collect());
            method.terms.divisor = Divisor::new(divisor).unwrap();
            method.terms.free_over = free_over.map(money);
            method.terms.per_extra_kg = money(per_extra_kg);
            method.terms.pallet = pallet.map(|(from, per_pallet)| PalletRate {
                from: Grams::new(from).unwrap(),
                per_pallet: per_pallet.map(money),
            });
            method
        },
    )
}

proptest! {
    #[test]
    fn any_parcels_have_a_price_or_wait_for_a_quote(
        method in any_method(),
        parcels in proptest::collection::vec(any_parcel(), 0..8),
        goods in 0..=Money::MAX.cents(),
    ) {
        if let Freight::Price(price) = freight(&method, &parcels, money(goods)) {
            prop_assert!(price >= Money::ZERO && price <= Money::MAX);
        }
    }

    #[test]
    fn one_more_parcel_never_weighs_less(
        method in any_method(),
        parcels in proptest::collection::vec(any_parcel(), 1..8),
    ) {
        prop_assert!(billable_grams(&method.terms, &parcels) >= billable_grams(&method.terms, &parcels[1..]));
    }
}

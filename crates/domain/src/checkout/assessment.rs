//! What a checkout costs besides its goods: one function for what is shown, what is placed and what is printed.

use crate::delivery::freight::{Freight, Parcel, freight};
use crate::orders::purchase::Charges;
use crate::platform::money::MoneyError;
use crate::tax::sums::{split_by_goods, tax_of};
use crate::{BasisPoints, Country, Day, Exemption, Money, ShippingMethod, TaxClass, TaxRate, Taxed, Text, tax_for};

/// A line that is to be assessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssessedLine {
    /// What its goods cost.
    pub goods: Money,
    /// Its packs.
    pub parcel: Parcel,
    /// How its product is taxed.
    pub class: TaxClass,
}

/// By what a line is taxed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineTax {
    /// What documents call it.
    pub name: Text<60>,
    /// The rate; zero for one that is exempt.
    pub rate: BasisPoints,
}

/// Where it is delivered, when, and by whose exemptions.
#[derive(Debug, Clone, Copy)]
pub struct TaxBasis<'a> {
    /// All rates.
    pub rates: &'a [TaxRate],
    /// The customer's exemptions.
    pub exemptions: &'a [Exemption],
    /// Where it goes.
    pub place: (Country, Option<&'a str>),
    /// The day.
    pub day: Day,
}

impl TaxBasis<'_> {
    /// The tax of each line; `None` where nothing is taxed.
    #[must_use]
    pub fn of_lines(&self, lines: &[AssessedLine]) -> Vec<Option<LineTax>> {
        let of = |line: &AssessedLine| {
            let taxed: Taxed<'_> = tax_for(self.rates, self.exemptions, line.class, self.place, self.day);
            let name = taxed.name().and_then(|name| Text::new(name).ok())?;
            Some(LineTax { name, rate: taxed.basis_points() })
        };
        lines.iter().map(of).collect()
    }
}

/// What freight and tax come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charged {
    /// The whole freight.
    pub shipping: Money,
    /// The whole tax: that of all lines.
    pub tax: Money,
    /// What is due in all.
    pub due: Money,
    /// Of each line.
    pub lines: Vec<Charges>,
}

/// The tax of one rate, over all lines that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxTotal {
    /// By what.
    pub by: LineTax,
    /// What it is computed from: goods and freight.
    pub base: Money,
    /// The tax.
    pub tax: Money,
}

/// What the goods of all lines cost.
///
/// # Errors
/// [`MoneyError::TooLarge`] if that is no amount of money.
pub fn goods_of(lines: &[AssessedLine]) -> Result<Money, MoneyError> {
    lines.iter().try_fold(Money::ZERO, |sum, line| sum.plus(line.goods))
}

/// What a method asks for all lines together.
///
/// # Errors
/// [`MoneyError::TooLarge`] if the goods are no amount of money.
pub fn freight_of(method: &ShippingMethod, lines: &[AssessedLine]) -> Result<Freight, MoneyError> {
    let parcels: Vec<Parcel> = lines.iter().map(|line| line.parcel).collect();
    Ok(freight(method, &parcels, goods_of(lines)?))
}

/// What is due when the freight costs this: each line has its part of the freight, and its tax is rounded by itself.
///
/// # Errors
/// [`MoneyError::TooLarge`] if a sum is no amount of money.
pub fn charge(goods: &[Money], taxes: &[Option<LineTax>], shipping: Money) -> Result<Charged, MoneyError> {
    let shares = split_by_goods(shipping, goods);
    let (mut lines, mut tax, mut due) = (Vec::with_capacity(goods.len()), Money::ZERO, Money::ZERO);
    for ((goods, share), by) in goods.iter().zip(shares).zip(taxes) {
        let rate = by.as_ref().map_or(BasisPoints::ZERO, |by| by.rate);
        let charges = Charges { shipping: share, tax: tax_of(goods.plus(share)?, rate) };
        tax = tax.plus(charges.tax)?;
        due = due.plus(charges.due(*goods)?)?;
        lines.push(charges);
    }
    Ok(Charged { shipping, tax, due, lines })
}

/// The taxes of the lines, put together by rate, in the order of their first lines.
///
/// # Errors
/// [`MoneyError::TooLarge`] if a sum is no amount of money.
pub fn tax_totals(
    goods: &[Money],
    taxes: &[Option<LineTax>],
    charges: &[Charges],
) -> Result<Vec<TaxTotal>, MoneyError> {
    let mut totals: Vec<TaxTotal> = Vec::new();
    for ((goods, by), charges) in goods.iter().zip(taxes).zip(charges) {
        let Some(by) = by else { continue };
        let base = goods.plus(charges.shipping)?;
        match totals.iter_mut().find(|total| total.by == *by) {
            Some(total) => {
                total.base = total.base.plus(base)?;
                total.tax = total.tax.plus(charges.tax)?;
            }
            None => totals.push(TaxTotal { by: by.clone(), base, tax: charges.tax }),
        }
    }
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn vat(points: i64) -> LineTax {
        LineTax { name: Text::new(format!("VAT {points}").as_str()).unwrap(), rate: BasisPoints::new(points).unwrap() }
    }

    #[test]
    fn freight_is_split_by_goods_and_each_lines_tax_is_rounded_by_itself() {
        let goods = [cents(10_000), cents(5_000), cents(1)];
        let charged = charge(&goods, &[Some(vat(1900)), Some(vat(700)), None], cents(1_500)).unwrap();
        // 1,000 and 500 cents of freight; 19 % of 110.00, 7 % of 55.00, nothing of a cent.
        assert_eq!(charged.lines.iter().map(|line| line.shipping.cents()).collect::<Vec<_>>(), [1000, 500, 0]);
        assert_eq!(charged.lines.iter().map(|line| line.tax.cents()).collect::<Vec<_>>(), [2_090, 385, 0]);
        assert_eq!((charged.tax.cents(), charged.due.cents()), (2_475, 15_001 + 1_500 + 2_475));
        let totals = tax_totals(&goods, &[Some(vat(1900)), Some(vat(700)), None], &charged.lines).unwrap();
        assert_eq!(
            totals.iter().map(|total| (total.base.cents(), total.tax.cents())).collect::<Vec<_>>(),
            [(11_000, 2_090), (5_500, 385)]
        );
    }

    #[test]
    fn what_is_due_is_refused_before_it_is_no_money() {
        assert!(charge(&[Money::MAX], &[Some(vat(1))], Money::ZERO).is_err());
        assert!(charge(&[Money::MAX, cents(1)], &[None, None], Money::ZERO).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn the_parts_of_a_basket_are_the_whole(
            lines in proptest::collection::vec((1_i64..10_000_000, proptest::option::of(0_i64..=10_000)), 1..40),
            shipping in 0_i64..1_000_000,
        ) {
            let goods: Vec<Money> = lines.iter().map(|(goods, _)| cents(*goods)).collect();
            let taxes: Vec<Option<LineTax>> = lines.iter().map(|(_, points)| points.map(vat)).collect();
            let charged = charge(&goods, &taxes, cents(shipping)).unwrap();
            let sum = |part: fn(&Charges) -> Money| charged.lines.iter().map(|line| part(line).cents()).sum::<i64>();
            prop_assert_eq!(sum(|line| line.shipping), shipping);
            prop_assert_eq!(sum(|line| line.tax), charged.tax.cents());
            let goods_in_all: i64 = lines.iter().map(|(goods, _)| goods).sum();
            prop_assert_eq!(charged.due.cents(), goods_in_all + shipping + charged.tax.cents());
            let totals = tax_totals(&goods, &taxes, &charged.lines).unwrap();
            prop_assert_eq!(totals.iter().map(|total| total.tax.cents()).sum::<i64>(), charged.tax.cents());
        }
    }

    #[test]
    fn a_line_is_taxed_by_the_rate_of_the_place_unless_its_product_is_not() {
        let rate = TaxRate {
            id: crate::TaxRateId::new(uuid::Uuid::from_u128(1)),
            country: "DE".parse().unwrap(),
            region: None,
            name: Text::new("VAT").unwrap(),
            basis_points: BasisPoints::new(1_900).unwrap(),
            valid: crate::Validity::new("2021-01-01".parse().unwrap(), None).unwrap(),
        };
        let (rates, day) = ([rate], "2026-11-26".parse().unwrap());
        let basis = TaxBasis { rates: &rates, exemptions: &[], place: ("DE".parse().unwrap(), None), day };
        let line = |class| AssessedLine { goods: cents(1), parcel: parcel(), class };
        let expected = LineTax { name: Text::new("VAT").unwrap(), rate: BasisPoints::new(1_900).unwrap() };
        assert_eq!(basis.of_lines(&[line(TaxClass::Standard), line(TaxClass::None)]), [Some(expected), None]);
        let elsewhere = TaxBasis { place: ("FR".parse().unwrap(), None), ..basis };
        assert_eq!(elsewhere.of_lines(&[line(TaxClass::Standard)]), [None]);
    }

    fn parcel() -> Parcel {
        Parcel { units: 1, pack_size: 1, weight_grams: Some(800), length_mm: None, width_mm: None, height_mm: None }
    }

    #[test]
    fn freight_is_that_of_all_packs_and_all_goods_together() {
        let method = ShippingMethod {
            id: crate::ShippingMethodId(1),
            terms: crate::ShippingTerms {
                name: Text::new("Standard").unwrap(),
                countries: None,
                divisor: crate::Divisor::USUAL,
                free_over: Some(cents(10_000)),
                bands: crate::WeightBands::new(
                    [(1_000, 500), (2_000, 900)]
                        .map(|(grams, price)| crate::WeightBand {
                            up_to: crate::Grams::new(grams).unwrap(),
                            price: cents(price),
                        })
                        .to_vec(),
                )
                .unwrap(),
                per_extra_kg: cents(100),
                pallet: None,
            },
        };
        let line = |goods| AssessedLine { goods: cents(goods), parcel: parcel(), class: TaxClass::Standard };
        assert_eq!(goods_of(&[line(4_000), line(2_500)]), Ok(cents(6_500)));
        assert_eq!(freight_of(&method, &[line(4_000)]), Ok(Freight::Price(cents(500))));
        assert_eq!(freight_of(&method, &[line(4_000), line(2_500)]), Ok(Freight::Price(cents(900))));
        assert_eq!(freight_of(&method, &[line(4_000), line(6_001)]), Ok(Freight::Price(Money::ZERO)));
        let beyond = AssessedLine { goods: Money::MAX, ..line(1) };
        assert_eq!(goods_of(&[beyond, line(1)]), Err(MoneyError::TooLarge));
    }

    #[test]
    fn lines_of_one_rate_are_one_total() {
        let goods = [cents(10_000), cents(5_000), cents(20_000)];
        let taxes = [Some(vat(1900)), Some(vat(700)), Some(vat(1900))];
        let charged = charge(&goods, &taxes, cents(350)).unwrap();
        let totals = tax_totals(&goods, &taxes, &charged.lines).unwrap();
        let figures: Vec<_> = totals.iter().map(|total| (total.base.cents(), total.tax.cents())).collect();
        assert_eq!(figures, [(30_300, 5_757), (5_050, 354)]);
    }
}

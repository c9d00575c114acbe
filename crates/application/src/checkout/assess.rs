//! What a checkout costs besides its goods.

use domain::platform::money::MoneyError;
use domain::{
    AccountId, Address, AssessedLine, Charged, Day, Freight, LineTax, Money, Parcel, ShippingMethod, ShippingMethodId,
    TaxBasis, TaxTotal, charge, freight_of, goods_of, methods_for, tax_totals,
};
use thiserror::Error;

use crate::checkout::judge_lines::JudgedLine;
use crate::{Checkouts, Failure};

/// Why a checkout cannot be assessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AssessRefused {
    /// The chosen method does not exist, or does not deliver there.
    #[error("no such shipping method delivers there")]
    OtherMethod,
    /// No method delivers there.
    #[error("no shipping method delivers there")]
    NoMethod,
    /// A sum is more than the shop can bill.
    #[error("the total {0}")]
    Total(#[from] MoneyError),
}

/// A method, and what it asks for this checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodOffer {
    pub method: ShippingMethod,
    pub freight: Freight,
}

/// What a checkout costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessed {
    pub goods: Money,
    /// The methods that deliver there.
    pub offers: Vec<MethodOffer>,
    /// The method that is taken; `None` if the shop has none at all, and delivers free.
    pub method: Option<ShippingMethod>,
    /// By what each line is taxed.
    pub taxes: Vec<Option<LineTax>>,
    /// Freight and tax; `None` while the freight waits for an admin's figure.
    pub charged: Option<Charged>,
    /// The taxes by rate; empty as long.
    pub totals: Vec<TaxTotal>,
}

impl Checkouts {
    pub(crate) async fn assess(
        &self,
        account: AccountId,
        address: &Address,
        chosen: Option<ShippingMethodId>,
        lines: &[JudgedLine],
    ) -> Result<Assessed, Failure<AssessRefused>> {
        let methods = self.shipping_methods.list().await?;
        let day = Day::of(self.clock.now());
        let rates = self.tax_rates.valid_on(day).await?.rates;
        let exemptions = if rates.is_empty() { Vec::new() } else { self.exemptions.of(account).await? };
        let assessed: Vec<AssessedLine> = lines.iter().map(assessed_line).collect();
        let place = (address.country(), address.region());
        let taxes = TaxBasis { rates: &rates, exemptions: &exemptions, place, day }.of_lines(&assessed);
        price(address, &methods, chosen, &assessed, taxes).map_err(Failure::Refused)
    }
}

fn assessed_line(line: &JudgedLine) -> AssessedLine {
    let facts = &line.product.details.facts;
    let size = |size: Option<domain::Size>| size.map(domain::Size::get);
    let parcel = Parcel {
        units: line.quantity.get(),
        pack_size: facts.pack_size.get(),
        weight_grams: size(facts.weight),
        length_mm: size(facts.length),
        width_mm: size(facts.width),
        height_mm: size(facts.height),
    };
    AssessedLine { goods: line.goods, parcel, class: facts.tax_class }
}

fn price(
    address: &Address,
    methods: &[ShippingMethod],
    chosen: Option<ShippingMethodId>,
    lines: &[AssessedLine],
    taxes: Vec<Option<LineTax>>,
) -> Result<Assessed, AssessRefused> {
    let goods = goods_of(lines)?;
    let there = methods_for(methods, Some(address.country()));
    let mut offers = Vec::with_capacity(there.len());
    for method in there {
        offers.push(MethodOffer { method: method.clone(), freight: freight_of(method, lines)? });
    }
    let taken = match chosen {
        Some(chosen) => Some(offers.iter().find(|offer| offer.method.id == chosen).ok_or(AssessRefused::OtherMethod)?),
        None if methods.is_empty() => None,
        None => Some(cheapest(&offers).ok_or(AssessRefused::NoMethod)?),
    };
    let each: Vec<Money> = lines.iter().map(|line| line.goods).collect();
    let charged = match taken.map_or(Freight::Price(Money::ZERO), |offer| offer.freight) {
        Freight::Price(shipping) => Some(charge(&each, &taxes, shipping)?),
        Freight::Quote => None,
    };
    let totals = match &charged {
        Some(charged) => tax_totals(&each, &taxes, &charged.lines)?,
        None => Vec::new(),
    };
    let method = taken.map(|offer| offer.method.clone());
    Ok(Assessed { goods, offers, method, taxes, charged, totals })
}

/// The first of the cheapest; one with a price before any that is to be quoted.
fn cheapest(offers: &[MethodOffer]) -> Option<&MethodOffer> {
    offers.iter().min_by_key(|offer| match offer.freight {
        Freight::Price(price) => (false, price),
        Freight::Quote => (true, Money::ZERO),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::address;
    use domain::{Country, Divisor, Grams, ShippingTerms, TaxClass, Text, WeightBand, WeightBands};

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    /// A method that delivers to one country for one price.
    fn method(id: i32, country: &str, price: i64) -> ShippingMethod {
        let band = WeightBand { up_to: Grams::new(1_000_000).unwrap(), price: cents(price) };
        let terms = ShippingTerms {
            name: Text::new("Parcel").unwrap(),
            countries: Some(vec![country.parse::<Country>().unwrap()]),
            divisor: Divisor::USUAL,
            free_over: None,
            bands: WeightBands::new(vec![band]).unwrap(),
            per_extra_kg: Money::ZERO,
            pallet: None,
        };
        ShippingMethod { id: ShippingMethodId(id), terms }
    }

    fn priced(
        methods: &[ShippingMethod],
        chosen: Option<i32>,
    ) -> Result<(Option<ShippingMethodId>, Money), AssessRefused> {
        let parcel = Parcel {
            units: 50,
            pack_size: 1,
            weight_grams: Some(100),
            length_mm: None,
            width_mm: None,
            height_mm: None,
        };
        let line = AssessedLine { goods: cents(10_000), parcel, class: TaxClass::None };
        let chosen = chosen.map(ShippingMethodId);
        let assessed = price(&address(), methods, chosen, &[line], vec![None])?;
        Ok((assessed.method.map(|method| method.id), assessed.charged.unwrap().shipping))
    }

    fn taken(id: i32, price: i64) -> (Option<ShippingMethodId>, Money) {
        (Some(ShippingMethodId(id)), cents(price))
    }

    #[test]
    fn the_cheapest_method_is_taken_unless_another_is_chosen() {
        let methods = [method(1, "US", 900), method(2, "US", 700), method(3, "US", 800), method(4, "DE", 1)];
        assert_eq!(priced(&methods, None), Ok(taken(2, 700)));
        assert_eq!(priced(&methods, Some(3)), Ok(taken(3, 800)));
        assert_eq!(priced(&methods, Some(1)), Ok(taken(1, 900)));
        assert_eq!(priced(&methods, Some(4)), Err(AssessRefused::OtherMethod));
    }

    #[test]
    fn a_shop_without_methods_delivers_free_and_one_with_methods_only_where_they_go() {
        assert_eq!(priced(&[], None), Ok((None, Money::ZERO)));
        assert_eq!(priced(&[method(1, "DE", 1)], None), Err(AssessRefused::NoMethod));
    }
}

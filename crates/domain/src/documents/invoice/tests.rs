use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::OrderNumber;
use crate::documents::line::{PrintedTax, TaxCategory};
use crate::documents::sheet::{Confirmation, SheetFacts};

fn cents(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn seller() -> Seller {
    Seller {
        name: Text::new("Driveline").unwrap(),
        line1: Text::new("1 Main Street").unwrap(),
        line2: Some(Text::new("Dock 4").unwrap()),
        city: Text::new("Dayton").unwrap(),
        region: Some(Text::new("OH").unwrap()),
        postcode: Some(Text::new("45402").unwrap()),
        country: "US".parse().unwrap(),
        tax_id: None,
        email: "orders@example.com".parse().unwrap(),
        phone: None,
        terms: None,
    }
}

fn facts(kind: InvoiceKind, subject: InvoiceSubject) -> InvoiceFacts {
    let address = seller().address();
    InvoiceFacts {
        id: InvoiceId::new(Uuid::from_u128(1)),
        number: InvoiceNumber::new(kind, 1).unwrap(),
        issued_at: at(0),
        subject,
        purchase: InvoicedPurchase { order: None, checkout: None, number: Text::new("DL-10001").unwrap() },
        seller: seller(),
        buyer: Buyer {
            name: Text::new("Kim").unwrap(),
            email: "kim@example.com".parse().unwrap(),
            phone: Text::new("1").unwrap(),
            vat_id: None,
            address: address.clone(),
        },
        deliver_to: address,
        po_number: None,
    }
}

fn line(quantity: u32, unit: i64, freight: i64, rate: PrintedTax, tax: i64) -> DocumentLine {
    DocumentLine {
        order: OrderNumber::new(1).unwrap(),
        part_number: None,
        name: Text::new("Brake disc").unwrap(),
        quantity,
        unit_price: cents(unit),
        goods: cents(unit * i64::from(quantity)),
        freight: cents(freight),
        rate,
        tax: cents(tax),
    }
}

fn vat(basis_points: u32) -> PrintedTax {
    PrintedTax { category: TaxCategory::Standard, name: "VAT".to_owned(), basis_points }
}

fn paid() -> InvoiceSubject {
    InvoiceSubject::Invoice(Settlement::Paid { at: at(0) })
}

#[test]
fn totals_are_the_lines_by_rate_with_the_highest_rate_first() {
    let exempt = PrintedTax { category: TaxCategory::Exempt, name: "VAT".to_owned(), basis_points: 0 };
    let lines = vec![
        line(50, 1000, 500, vat(700), 3535),
        line(60, 999, 0, exempt, 0),
        line(1, 10, 0, vat(1900), 2),
        line(50, 1000, 0, vat(1900), 9500),
    ];
    let invoice = Invoice::new(facts(InvoiceKind::Invoice, paid()), lines).unwrap();
    let totals = invoice.totals();
    assert_eq!((totals.goods, totals.freight, totals.tax), (cents(159_950), cents(500), cents(13_037)));
    assert_eq!(totals.total, cents(173_487));
    let by_rate: Vec<_> =
        totals.taxes.iter().map(|of| (of.rate.basis_points, of.base.cents(), of.tax.cents())).collect();
    assert_eq!(by_rate, [(1900, 50_010, 9502), (700, 50_500, 3535), (0, 59_940, 0)]);
}

#[test]
fn an_invoice_and_a_confirmation_keep_their_lines_in_order() {
    let lines = vec![line(1, 200, 0, vat(700), 14), line(2, 100, 0, vat(1900), 38)];
    let invoice = Invoice::new(facts(InvoiceKind::Invoice, paid()), lines.clone()).unwrap();
    assert_eq!(invoice.lines(), lines);
    let InvoiceFacts { purchase, issued_at, seller, buyer, deliver_to, po_number, .. } = invoice.facts().clone();
    let number = purchase.number;
    let sheet = SheetFacts { number, placed_at: issued_at, seller, buyer, deliver_to, po_number, note: None };
    let confirmation = Confirmation::new(sheet, false, lines.clone()).unwrap();
    assert_eq!((confirmation.lines(), confirmation.totals()), (lines.as_slice(), invoice.totals()));
}

#[test]
fn lines_that_do_not_fit_themselves_make_no_document() {
    let refusal = |line: DocumentLine| Invoice::new(facts(InvoiceKind::Invoice, paid()), vec![line]).unwrap_err();
    let mut wrong = line(50, 100, 0, PrintedTax::none(), 0);
    wrong.goods = cents(4999);
    assert_eq!(refusal(wrong), InvoiceRefused::Sums(SumsRefused::Goods));
    assert_eq!(refusal(line(0, 100, 0, PrintedTax::none(), 0)), InvoiceRefused::Sums(SumsRefused::Goods));
    assert_eq!(refusal(line(1, 100, 0, PrintedTax::none(), 1)), InvoiceRefused::Sums(SumsRefused::Tax));
    assert_eq!(refusal(line(1, 100, 0, vat(0), 0)), InvoiceRefused::Sums(SumsRefused::Tax));
    let none = Invoice::new(facts(InvoiceKind::Invoice, paid()), Vec::new()).unwrap_err();
    assert_eq!(none, InvoiceRefused::Sums(SumsRefused::Empty));
    let mixed = vec![line(1, 100, 0, vat(1900), 19), line(1, 100, 0, PrintedTax::none(), 0)];
    let mixed = Invoice::new(facts(InvoiceKind::Invoice, paid()), mixed).unwrap_err();
    assert_eq!(mixed, InvoiceRefused::Sums(SumsRefused::Mixed));
}

#[test]
fn more_than_money_can_be_is_refused_and_wraps_nowhere() {
    let huge = || line(1, Money::MAX.cents(), 0, PrintedTax::none(), 0);
    let refusal = Invoice::new(facts(InvoiceKind::Invoice, paid()), vec![huge(), huge()]).unwrap_err();
    assert!(matches!(refusal, InvoiceRefused::Sums(SumsRefused::TooLarge(_))));
}

#[test]
fn a_document_has_a_number_of_its_own_series_and_a_credit_note_names_an_invoice() {
    let lines = || vec![line(1, 100, 0, PrintedTax::none(), 0)];
    let credit = |kind| InvoiceSubject::Credit { of: InvoiceNumber::new(kind, 9).unwrap(), of_issued_at: at(0) };
    let made = |kind, subject| Invoice::new(facts(kind, subject), lines()).map(|made| made.kind());
    assert_eq!(made(InvoiceKind::Credit, paid()), Err(InvoiceRefused::Series));
    assert_eq!(made(InvoiceKind::Invoice, credit(InvoiceKind::Invoice)), Err(InvoiceRefused::Series));
    assert_eq!(made(InvoiceKind::Credit, credit(InvoiceKind::Credit)), Err(InvoiceRefused::CreditsNoInvoice));
    assert_eq!(made(InvoiceKind::Credit, credit(InvoiceKind::Invoice)), Ok(InvoiceKind::Credit));
}

#[test]
fn only_an_invoice_on_account_is_owed() {
    let due =
        |subject| Invoice::new(facts(InvoiceKind::Invoice, subject), vec![line(2, 100, 0, PrintedTax::none(), 0)]);
    assert_eq!(due(paid()).unwrap().due(), Money::ZERO);
    assert_eq!(due(InvoiceSubject::Invoice(Settlement::OnAccount)).unwrap().due(), cents(200));
}

proptest! {
    #[test]
    fn the_total_is_the_sum_of_its_parts_however_many_lines_there_are(
        lines in prop::collection::vec((1..500_u32, 1..1_000_000_i64, 0..100_000_i64, 0..3_u32), 1..40),
    ) {
        let lines: Vec<_> = lines.into_iter().map(|(quantity, unit, freight, rate)| {
            let basis_points = 700 * (rate + 1);
            let base = unit * i64::from(quantity) + freight;
            line(quantity, unit, freight, vat(basis_points), (base * i64::from(basis_points) + 5_000) / 10_000)
        }).collect();
        let sum: i64 = lines.iter().map(|of| of.goods.cents() + of.freight.cents() + of.tax.cents()).sum();
        let invoice = Invoice::new(facts(InvoiceKind::Invoice, paid()), lines).unwrap();
        prop_assert_eq!(invoice.totals().total.cents(), sum);
        let of_rates: i64 = invoice.totals().taxes.iter().map(|of| of.base.cents() + of.tax.cents()).sum();
        prop_assert_eq!(of_rates, sum);
    }
}

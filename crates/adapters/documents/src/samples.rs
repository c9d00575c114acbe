//! Documents for tests.

use domain::{
    Buyer, Confirmation, DocumentLine, Invoice, InvoiceFacts, InvoiceId, InvoiceKind, InvoiceNumber, InvoiceSubject,
    InvoicedPurchase, Money, OrderNumber, PackedLine, PackingSlip, PrintedAddress, PrintedTax, Seller, Settlement,
    SheetFacts, TaxCategory, Text, Timestamp,
};
use uuid::Uuid;

pub(crate) fn cents(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

fn text<const MAX: usize>(typed: &str) -> Text<MAX> {
    Text::new(typed).unwrap()
}

pub(crate) fn at() -> Timestamp {
    "2026-11-26T15:04:05Z".parse().unwrap()
}

pub(crate) fn seller() -> Seller {
    Seller {
        name: text("Driveline"),
        line1: text("1200 Foundry Street"),
        line2: None,
        city: text("Dayton"),
        region: Some(text("OH")),
        postcode: Some(text("45402")),
        country: "US".parse().unwrap(),
        tax_id: Some(text("US31-4159265")),
        email: "billing@driveline.example".parse().unwrap(),
        phone: Some(text("+1 937 555 0142")),
        terms: Some(text("Payable within 30 days of the date of issue, without deduction.")),
    }
}

pub(crate) fn german() -> PrintedAddress {
    PrintedAddress {
        company: Some(text("Autohaus Nord GmbH & Co. KG")),
        lines: vec![text("Hafenstra\u{df}e 19"), text("Tor 3")],
        city: Some(text("Kiel")),
        region: None,
        postcode: Some(text("24103")),
        country: Some("DE".parse().unwrap()),
    }
}

pub(crate) fn buyer() -> Buyer {
    Buyer {
        name: text("J\u{f6}rg M\u{fc}ller"),
        email: "einkauf@autohaus-nord.example".parse().unwrap(),
        phone: text("+49 431 555 01"),
        vat_id: None,
        address: german(),
    }
}

pub(crate) fn vat() -> PrintedTax {
    PrintedTax { category: TaxCategory::Standard, name: "VAT".to_owned(), basis_points: 1900 }
}

pub(crate) fn line(at: u32, rate: &PrintedTax) -> DocumentLine {
    const NAMES: [&str; 5] = [
        "Front brake disc, ventilated, 312 mm",
        "Oil filter with seal",
        "Brake pad set, front axle, with wear indicator and fitting kit, low-dust compound for vans and light trucks",
        "Wheel bearing kit",
        "Timing belt kit with water pump",
    ];
    let quantity = 50 + at % 7 * 10;
    let goods = i64::from(quantity) * i64::from(1295 + at % 50 * 137);
    let freight = if at.is_multiple_of(3) { 450 } else { 0 };
    let tax = ((goods + freight) * i64::from(rate.basis_points) + 5000) / 10_000;
    DocumentLine {
        order: OrderNumber::new(i64::from(10_400 + at)).unwrap(),
        part_number: Some(text(&format!("0 986 {:03} {:03}", 478 + at, at * 7 % 1000))),
        name: text(NAMES[at as usize % NAMES.len()]),
        quantity,
        unit_price: cents(i64::from(1295 + at % 50 * 137)),
        goods: cents(goods),
        freight: cents(freight),
        rate: rate.clone(),
        tax: cents(tax),
    }
}

pub(crate) fn facts(subject: InvoiceSubject) -> InvoiceFacts {
    InvoiceFacts {
        id: InvoiceId::new(Uuid::from_u128(0x0192_3a4b_5c6d_7e8f_9012_3456_789a_bcde)),
        number: InvoiceNumber::new(subject.kind(), 123).unwrap(),
        issued_at: at(),
        subject,
        purchase: InvoicedPurchase { order: None, checkout: None, number: text("P-1001") },
        seller: seller(),
        buyer: buyer(),
        deliver_to: german(),
        po_number: Some(text("PO-2026-004711/B")),
    }
}

pub(crate) fn paid() -> InvoiceSubject {
    InvoiceSubject::Invoice(Settlement::Paid { at: at() })
}

pub(crate) fn invoice(lines: u32, rate: &PrintedTax) -> Invoice {
    Invoice::new(facts(paid()), (0..lines).map(|at| line(at, rate)).collect()).unwrap()
}

pub(crate) fn with(change: impl FnOnce(&mut InvoiceFacts), lines: Vec<DocumentLine>) -> Invoice {
    let mut facts = facts(paid());
    change(&mut facts);
    Invoice::new(facts, lines).unwrap()
}

pub(crate) fn credit() -> Invoice {
    let of = InvoiceNumber::new(InvoiceKind::Invoice, 120).unwrap();
    let subject = InvoiceSubject::Credit { of, of_issued_at: at() };
    let mut line = line(1, &vat());
    line.name = text("Refund: Oil filter with seal");
    Invoice::new(facts(subject), vec![line]).unwrap()
}

fn sheet() -> SheetFacts {
    SheetFacts {
        number: text("P-1001"),
        placed_at: at(),
        seller: seller(),
        buyer: buyer(),
        deliver_to: german(),
        po_number: Some(text("PO-2026-004711/B")),
        note: Some(text("Please call the gate before you arrive.\nNo deliveries after 16:00.")),
    }
}

pub(crate) fn slip(lines: u32) -> PackingSlip {
    let packed = |at: u32| {
        let line = line(at, &PrintedTax::none());
        PackedLine { order: line.order, part_number: line.part_number, name: line.name, quantity: line.quantity }
    };
    PackingSlip { facts: sheet(), lines: (0..lines).map(packed).collect() }
}

pub(crate) fn confirmation(lines: u32) -> Confirmation {
    Confirmation::new(sheet(), true, (0..lines).map(|at| line(at, &PrintedTax::none())).collect()).unwrap()
}

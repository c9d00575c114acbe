//! What each document prints.

use domain::{
    Buyer, Confirmation, DocumentLine, Invoice, InvoiceSubject, Money, PackingSlip, PrintedAddress, Seller, Settlement,
    SheetFacts, Totals, one_line,
};

use crate::printed::{address, day, percent, rate, terms};
use crate::sheet::{Column, Fact, Look, Paper, Party, Sheet, Sum};

fn paper(seller: &Seller) -> Paper {
    if matches!(seller.country.code(), "US" | "CA" | "MX") { Paper::Us } else { Paper::A4 }
}

fn seller_lines(seller: &Seller) -> Vec<String> {
    let mut contact = vec![seller.email.as_str().to_owned()];
    contact.extend(seller.phone.as_ref().map(|phone| one_line(phone.as_str())));
    contact.extend(seller.tax_id.as_ref().map(|id| format!("Tax ID {}", one_line(id.as_str()))));
    vec![address(&seller.address()).join(" \u{b7} "), contact.join(" \u{b7} ")]
}

fn bill_to(buyer: &Buyer) -> Party {
    let mut lines = address(&buyer.address);
    lines.push(buyer.email.as_str().to_owned());
    lines.extend(buyer.vat_id.as_ref().map(|id| format!("VAT ID {}", one_line(id.as_str()))));
    Party { label: "Bill to", name: one_line(buyer.name.as_str()), lines }
}

fn deliver_to(buyer: &Buyer, to: &PrintedAddress) -> Party {
    let mut lines = address(to);
    lines.push(one_line(buyer.phone.as_str()));
    Party { label: "Deliver to", name: one_line(buyer.name.as_str()), lines }
}

fn priced_columns(taxed: bool) -> Vec<Column> {
    let mut columns = vec![
        Column::left("#", 24.0, Look::Quiet),
        Column::left("Part number", 94.0, Look::Strong),
        Column::rest("Description"),
        Column::right("Qty", 40.0, Look::Plain),
        Column::right("Unit price", 64.0, Look::Plain),
    ];
    if taxed {
        columns.push(Column::right("Tax", 40.0, Look::Quiet));
    }
    columns.push(Column::right("Amount", 76.0, Look::Plain));
    columns
}

fn priced_row(at: usize, line: &DocumentLine, taxed: bool) -> Vec<String> {
    let mut row = vec![
        (at + 1).to_string(),
        line.part_number.as_ref().map(|number| one_line(number.as_str())).unwrap_or_default(),
        one_line(line.name.as_str()),
        grouped(line.quantity),
        line.unit_price.to_string(),
    ];
    if taxed {
        row.push(percent(line.rate.basis_points));
    }
    row.push(line.goods.to_string());
    row
}

fn grouped(units: u32) -> String {
    let shown = Money::from_cents(i64::from(units) * 100).map(|units| units.to_string()).unwrap_or_default();
    shown.trim_start_matches('$').trim_end_matches(".00").to_owned()
}

fn sums(totals: &Totals, freight_waits: bool) -> Vec<Sum> {
    let sum = |label: String, value: Money| Sum { label, value: value.to_string(), strong: false };
    let mut sums = vec![sum("Goods".to_owned(), totals.goods)];
    if freight_waits {
        sums.push(Sum { label: "Freight".to_owned(), value: "to be quoted".to_owned(), strong: false });
    } else {
        sums.push(sum("Freight".to_owned(), totals.freight));
    }
    for of in &totals.taxes {
        if of.rate.reason().is_none() {
            sums.push(sum(format!("{} on {}", rate(&of.rate), of.base), of.tax));
        } else if totals.taxes.len() > 1 || of.rate.category != domain::TaxCategory::NotSubject {
            sums.push(sum(format!("{} on {}", rate(&of.rate), of.base), Money::ZERO));
        }
    }
    sums
}

pub(crate) fn of_invoice(invoice: &Invoice) -> Sheet {
    let facts = invoice.facts();
    let totals = invoice.totals();
    let taxed = totals.tax > Money::ZERO;
    let mut sums = sums(totals, false);
    let mut notes = Vec::new();
    let mut shown = vec![Fact::new("Issued", day(facts.issued_at)), Fact::new("Order", facts.purchase.number.as_str())];
    let total = |label: &str| Sum { label: label.to_owned(), value: totals.total.to_string(), strong: true };
    match facts.subject {
        InvoiceSubject::Invoice(settlement) => {
            sums.push(total("Total (USD)"));
            let (label, note) = match settlement {
                Settlement::Paid { at } => ("Paid", format!("Paid by card on {}. Nothing is due.", day(at))),
                Settlement::OnAccount => ("Due", terms(&facts.seller)),
            };
            let (paid, due) = match settlement {
                Settlement::Paid { .. } => (totals.total, Money::ZERO),
                Settlement::OnAccount => (Money::ZERO, totals.total),
            };
            sums.push(Sum { label: "Paid".to_owned(), value: paid.to_string(), strong: false });
            sums.push(Sum { label: "Due".to_owned(), value: due.to_string(), strong: false });
            shown.push(Fact::new(label, if label == "Due" { due.to_string() } else { "in full".to_owned() }));
            notes.push(Fact::new("Payment", note));
        }
        InvoiceSubject::Credit { of, of_issued_at } => {
            sums.push(total("Total credited (USD)"));
            shown.push(Fact::new("Credits invoice", of.to_string()));
            notes.push(Fact::new("Credit", format!("Credits invoice {of} of {}.", day(of_issued_at))));
        }
    }
    let untaxed = totals.taxes.iter().filter_map(|of| of.rate.reason());
    notes.extend(
        untaxed.filter(|_| taxed || totals.taxes.len() > 1).map(|reason| Fact::new("Tax", format!("{reason}."))),
    );
    Sheet {
        paper: paper(&facts.seller),
        title: if invoice.kind() == domain::InvoiceKind::Invoice { "Invoice" } else { "Credit note" },
        number: facts.number.to_string(),
        seller: one_line(facts.seller.name.as_str()),
        seller_lines: seller_lines(&facts.seller),
        po_number: facts.po_number.as_ref().map(|number| one_line(number.as_str())),
        facts: shown,
        parties: vec![bill_to(&facts.buyer), deliver_to(&facts.buyer, &facts.deliver_to)],
        large_party: false,
        columns: priced_columns(taxed),
        rows: invoice.lines().iter().enumerate().map(|(at, line)| priced_row(at, line, taxed)).collect(),
        sums,
        notes,
    }
}

fn of_facts(facts: &SheetFacts, title: &'static str) -> Sheet {
    Sheet {
        paper: paper(&facts.seller),
        title,
        number: facts.number.as_str().to_owned(),
        seller: one_line(facts.seller.name.as_str()),
        seller_lines: seller_lines(&facts.seller),
        po_number: facts.po_number.as_ref().map(|number| one_line(number.as_str())),
        facts: vec![Fact::new("Placed", day(facts.placed_at))],
        parties: Vec::new(),
        large_party: false,
        columns: Vec::new(),
        rows: Vec::new(),
        sums: Vec::new(),
        notes: facts.note.iter().map(|note| Fact::new("Note", note.as_str())).collect(),
    }
}

pub(crate) fn of_confirmation(confirmation: &Confirmation) -> Sheet {
    let facts = &confirmation.facts;
    let totals = confirmation.totals();
    let taxed = totals.tax > Money::ZERO;
    let mut sums = sums(totals, confirmation.freight_waits);
    let label = if confirmation.freight_waits { "Total before freight (USD)" } else { "Total (USD)" };
    sums.push(Sum { label: label.to_owned(), value: totals.total.to_string(), strong: true });
    Sheet {
        parties: vec![bill_to(&facts.buyer), deliver_to(&facts.buyer, &facts.deliver_to)],
        columns: priced_columns(taxed),
        rows: confirmation.lines().iter().enumerate().map(|(at, line)| priced_row(at, line, taxed)).collect(),
        sums,
        ..of_facts(facts, "Order confirmation")
    }
}

pub(crate) fn of_packing_slip(slip: &PackingSlip) -> Sheet {
    let facts = &slip.facts;
    let row = |(at, line): (usize, &domain::PackedLine)| {
        vec![
            (at + 1).to_string(),
            line.part_number.as_ref().map(|number| one_line(number.as_str())).unwrap_or_default(),
            one_line(line.name.as_str()),
            line.order.to_string(),
            grouped(line.quantity),
            String::new(),
        ]
    };
    Sheet {
        parties: vec![deliver_to(&facts.buyer, &facts.deliver_to)],
        large_party: true,
        columns: vec![
            Column::left("#", 24.0, Look::Quiet),
            Column::left("Part number", 150.0, Look::Large),
            Column::rest("Description"),
            Column::left("Order", 64.0, Look::Quiet),
            Column::right("Qty", 60.0, Look::Large),
            Column::right("Packed", 52.0, Look::Tick),
        ],
        rows: slip.lines.iter().enumerate().map(row).collect(),
        ..of_facts(facts, "Packing slip")
    }
}

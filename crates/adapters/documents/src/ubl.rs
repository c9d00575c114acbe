//! Invoices and credit notes as UBL 2.1, as the European standard EN 16931 uses it.
//!
//! Source: EN 16931-1 (the terms BT-1 to BT-165), its syntax binding to UBL in CEN/TS 16931-3-2, and the schemas of UBL 2.1.

use std::io;

use domain::{
    Buyer, Country, DocumentLine, Invoice, InvoiceKind, InvoiceSubject, Money, PrintedAddress, PrintedTax, RateTotal,
    Seller, Settlement, TaxCategory, one_line,
};

use crate::printed::iso_day;
use crate::xml::Element;

const CURRENCY: &str = "USD";
/// UN/ECE recommendation 20: one piece.
const PIECE: &str = "C62";
const NAMESPACES: [(&str, &str); 2] = [
    ("xmlns:cac", "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"),
    ("xmlns:cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"),
];

/// What differs between an invoice and a credit note.
struct Names {
    root: &'static str,
    namespace: &'static str,
    type_code: (&'static str, &'static str),
    line: &'static str,
    quantity: &'static str,
}

const fn names(kind: InvoiceKind) -> Names {
    match kind {
        InvoiceKind::Invoice => Names {
            root: "Invoice",
            namespace: "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
            type_code: ("cbc:InvoiceTypeCode", "380"),
            line: "cac:InvoiceLine",
            quantity: "cbc:InvoicedQuantity",
        },
        InvoiceKind::Credit => Names {
            root: "CreditNote",
            namespace: "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2",
            type_code: ("cbc:CreditNoteTypeCode", "381"),
            line: "cac:CreditNoteLine",
            quantity: "cbc:CreditedQuantity",
        },
    }
}

/// The document as XML.
pub(crate) fn write(invoice: &Invoice) -> io::Result<Vec<u8>> {
    let facts = invoice.facts();
    let names = names(invoice.kind());
    let untaxed = invoice.totals().taxes.iter().any(|of| of.rate.category == TaxCategory::NotSubject);
    let rates = by_rate(&invoice.totals().taxes);
    let mut root = Element::new(names.root).with("xmlns", names.namespace);
    for (prefix, namespace) in NAMESPACES {
        root = root.with(prefix, namespace);
    }
    let number = facts.purchase.number.as_str();
    let order = facts.po_number.as_ref().map_or_else(|| number.to_owned(), |po| one_line(po.as_str()));
    root.child(Element::text("cbc:CustomizationID", "urn:cen.eu:en16931:2017"))
        .child(Element::text("cbc:ID", facts.number.to_string()))
        .child(Element::text("cbc:IssueDate", iso_day(facts.issued_at)))
        .child(Element::text(names.type_code.0, names.type_code.1))
        .child(Element::text("cbc:DocumentCurrencyCode", CURRENCY))
        .children(facts.po_number.as_ref().map(|po| Element::text("cbc:BuyerReference", one_line(po.as_str()))))
        .child(
            Element::new("cac:OrderReference")
                .child(Element::text("cbc:ID", order))
                .child(Element::text("cbc:SalesOrderID", number)),
        )
        .children(credited(&facts.subject))
        .child(Element::new("cac:AccountingSupplierParty").child(seller(&facts.seller, untaxed)))
        .child(Element::new("cac:AccountingCustomerParty").child(buyer(&facts.buyer, facts.seller.country, untaxed)))
        .child(delivery(&facts.buyer, &facts.deliver_to, facts.seller.country))
        .children(payment(&facts.subject, &facts.seller))
        .children(rates.iter().filter(|of| of.freight > Money::ZERO).map(freight))
        .child(taxes(invoice.totals().tax, &rates))
        .child(sums(invoice))
        .children((1_usize..).zip(invoice.lines()).map(|(at, of)| line(&names, at, of)))
        .document()
}

fn amount(name: &'static str, money: Money) -> Element {
    let cents = money.cents();
    Element::text(name, format!("{}.{:02}", cents / 100, cents % 100)).with("currencyID", CURRENCY)
}

fn credited(subject: &InvoiceSubject) -> Option<Element> {
    let InvoiceSubject::Credit { of, of_issued_at } = subject else { return None };
    let reference = Element::new("cac:InvoiceDocumentReference")
        .child(Element::text("cbc:ID", of.to_string()))
        .child(Element::text("cbc:IssueDate", iso_day(*of_issued_at)));
    Some(Element::new("cac:BillingReference").child(reference))
}

/// A rate's totals; taxes of one category and rate are one to the standard, whatever they are called.
fn by_rate(taxes: &[RateTotal]) -> Vec<RateTotal> {
    let mut rates: Vec<RateTotal> = Vec::new();
    let add = |a: Money, b: Money| a.plus(b).unwrap_or(Money::MAX);
    for of in taxes {
        let same = |rate: &&mut RateTotal| {
            (rate.rate.category, rate.rate.basis_points) == (of.rate.category, of.rate.basis_points)
        };
        match rates.iter_mut().find(same) {
            Some(rate) => {
                rate.goods = add(rate.goods, of.goods);
                rate.freight = add(rate.freight, of.freight);
                rate.base = add(rate.base, of.base);
                rate.tax = add(rate.tax, of.tax);
            }
            None => rates.push(of.clone()),
        }
    }
    rates
}

fn tax_scheme() -> Element {
    Element::new("cac:TaxScheme").child(Element::text("cbc:ID", "VAT"))
}

/// A category with its rate; the reason for charging nothing stands where it is summed up.
fn category(name: &'static str, rate: &PrintedTax, with_reason: bool) -> Element {
    let percent = format!("{}.{:02}", rate.basis_points / 100, rate.basis_points % 100);
    let has_rate = rate.category != TaxCategory::NotSubject;
    let reason = rate.reason().filter(|_| with_reason);
    Element::new(name)
        .child(Element::text("cbc:ID", rate.category.code()))
        .children(has_rate.then(|| Element::text("cbc:Percent", percent)))
        .children(reason.map(|reason| Element::text("cbc:TaxExemptionReason", reason)))
        .child(tax_scheme())
}

/// The European schema asks for a country where an order of the shop's first form has none: then it is the seller's.
fn address(name: &'static str, of: &PrintedAddress, or: Country) -> Element {
    let mut lines =
        of.lines.iter().flat_map(|line| line.as_str().lines()).map(one_line).filter(|line| !line.is_empty());
    let (street, more) = (lines.next(), lines.next());
    let rest = lines.collect::<Vec<_>>().join(", ");
    let rest = Some(rest).filter(|rest| !rest.is_empty());
    let text =
        |name, text: &Option<domain::Text<120>>| text.as_ref().map(|text| Element::text(name, one_line(text.as_str())));
    let country = of.country.unwrap_or(or);
    Element::new(name)
        .children(street.map(|street| Element::text("cbc:StreetName", street)))
        .children(more.map(|more| Element::text("cbc:AdditionalStreetName", more)))
        .children(text("cbc:CityName", &of.city))
        .children(of.postcode.as_ref().map(|postcode| Element::text("cbc:PostalZone", one_line(postcode.as_str()))))
        .children(text("cbc:CountrySubentity", &of.region))
        .children(rest.map(|rest| Element::new("cac:AddressLine").child(Element::text("cbc:Line", rest))))
        .child(Element::new("cac:Country").child(Element::text("cbc:IdentificationCode", country.code())))
}

fn tax_number(id: &str, scheme: &'static str) -> Element {
    Element::new("cac:PartyTaxScheme")
        .child(Element::text("cbc:CompanyID", id))
        .child(Element::new("cac:TaxScheme").child(Element::text("cbc:ID", scheme)))
}

/// Whether it begins with a country's code, as a number for value-added tax does.
fn is_vat_number(id: &str) -> bool {
    id.len() > 2 && id.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
}

fn seller(of: &Seller, untaxed: bool) -> Element {
    let id = of.tax_id.as_ref().map(|id| one_line(id.as_str()));
    // A document without any tax may carry no tax number, and somebody's number it has to carry.
    let (tax, legal) = if untaxed { (None, id.as_deref()) } else { (id.as_deref(), None) };
    let tax = tax.map(|id| tax_number(id, if is_vat_number(id) { "VAT" } else { "TAX" }));
    let own = id.is_none().then(|| Element::text("cbc:ID", of.email.as_str()));
    Element::new("cac:Party")
        .children(own.map(|own| Element::new("cac:PartyIdentification").child(own)))
        .child(Element::new("cac:PartyName").child(Element::text("cbc:Name", one_line(of.name.as_str()))))
        .child(address("cac:PostalAddress", &of.address(), of.country))
        .children(tax)
        .child(
            Element::new("cac:PartyLegalEntity")
                .child(Element::text("cbc:RegistrationName", one_line(of.name.as_str())))
                .children(legal.map(|id| Element::text("cbc:CompanyID", id))),
        )
        .child(
            Element::new("cac:Contact")
                .child(Element::text("cbc:Name", one_line(of.name.as_str())))
                .children(of.phone.as_ref().map(|phone| Element::text("cbc:Telephone", one_line(phone.as_str()))))
                .child(Element::text("cbc:ElectronicMail", of.email.as_str())),
        )
}

fn buyer(of: &Buyer, or: Country, untaxed: bool) -> Element {
    let person = one_line(of.name.as_str());
    let company = of.address.company.as_ref().map(|company| one_line(company.as_str()));
    let vat = of.vat_id.as_ref().filter(|_| !untaxed).map(|id| tax_number(&one_line(id.as_str()), "VAT"));
    Element::new("cac:Party")
        .child(address("cac:PostalAddress", &of.address, or))
        .children(vat)
        .child(
            Element::new("cac:PartyLegalEntity")
                .child(Element::text("cbc:RegistrationName", company.as_ref().unwrap_or(&person))),
        )
        .child(
            Element::new("cac:Contact")
                .child(Element::text("cbc:Name", &person))
                .child(Element::text("cbc:Telephone", one_line(of.phone.as_str())))
                .child(Element::text("cbc:ElectronicMail", of.email.as_str())),
        )
}

fn delivery(of: &Buyer, to: &PrintedAddress, or: Country) -> Element {
    let company = to.company.as_ref().map(|company| one_line(company.as_str()));
    let name = company.unwrap_or_else(|| one_line(of.name.as_str()));
    Element::new("cac:Delivery")
        .child(Element::new("cac:DeliveryLocation").child(address("cac:Address", to, or)))
        .child(
            Element::new("cac:DeliveryParty")
                .child(Element::new("cac:PartyName").child(Element::text("cbc:Name", name))),
        )
}

fn payment(subject: &InvoiceSubject, of: &Seller) -> Vec<Element> {
    // UNCL 4461: 48 is a bank card, 1 none in particular.
    let code = if matches!(subject, InvoiceSubject::Invoice(Settlement::OnAccount)) { "1" } else { "48" };
    let means = Element::new("cac:PaymentMeans").child(Element::text("cbc:PaymentMeansCode", code));
    let owed = matches!(subject, InvoiceSubject::Invoice(Settlement::OnAccount));
    let terms = owed.then(|| {
        Element::new("cac:PaymentTerms").child(Element::text("cbc:Note", one_line(&crate::printed::terms(of))))
    });
    std::iter::once(means).chain(terms).collect()
}

fn freight(of: &RateTotal) -> Element {
    Element::new("cac:AllowanceCharge")
        .child(Element::text("cbc:ChargeIndicator", "true"))
        // UNCL 7161: freight service.
        .child(Element::text("cbc:AllowanceChargeReasonCode", "FC"))
        .child(Element::text("cbc:AllowanceChargeReason", "Freight"))
        .child(amount("cbc:Amount", of.freight))
        .child(category("cac:TaxCategory", &of.rate, false))
}

fn taxes(all: Money, rates: &[RateTotal]) -> Element {
    Element::new("cac:TaxTotal").child(amount("cbc:TaxAmount", all)).children(rates.iter().map(|of| {
        Element::new("cac:TaxSubtotal")
            .child(amount("cbc:TaxableAmount", of.base))
            .child(amount("cbc:TaxAmount", of.tax))
            .child(category("cac:TaxCategory", &of.rate, true))
    }))
}

fn sums(invoice: &Invoice) -> Element {
    let totals = invoice.totals();
    let due = invoice.due();
    let without_tax = totals.goods.plus(totals.freight).unwrap_or(Money::MAX);
    let paid = if due == Money::ZERO { totals.total } else { Money::ZERO };
    Element::new("cac:LegalMonetaryTotal")
        .child(amount("cbc:LineExtensionAmount", totals.goods))
        .child(amount("cbc:TaxExclusiveAmount", without_tax))
        .child(amount("cbc:TaxInclusiveAmount", totals.total))
        .child(amount("cbc:ChargeTotalAmount", totals.freight))
        .child(amount("cbc:PrepaidAmount", paid))
        .child(amount("cbc:PayableAmount", due))
}

fn line(names: &Names, at: usize, of: &DocumentLine) -> Element {
    let part = of.part_number.as_ref().map(|number| one_line(number.as_str()));
    Element::new(names.line)
        .child(Element::text("cbc:ID", at.to_string()))
        .child(Element::text("cbc:Note", format!("Order {}", of.order)))
        .child(Element::text(names.quantity, of.quantity.to_string()).with("unitCode", PIECE))
        .child(amount("cbc:LineExtensionAmount", of.goods))
        .child(
            Element::new("cac:Item")
                .child(Element::text("cbc:Name", one_line(of.name.as_str())))
                .children(
                    part.map(|part| Element::new("cac:SellersItemIdentification").child(Element::text("cbc:ID", part))),
                )
                .child(category("cac:ClassifiedTaxCategory", &of.rate, false)),
        )
        .child(Element::new("cac:Price").child(amount("cbc:PriceAmount", of.unit_price)))
}

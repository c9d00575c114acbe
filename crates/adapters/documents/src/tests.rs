use std::fs;
use std::process::Command;

use domain::{Invoice, InvoiceSubject, PrintedTax, Settlement, TaxCategory, Text};
use ports::DocumentRenderer as _;

use crate::drawer::{DocumentDrawer, invoice_pdf};
use crate::fonts::Fonts;
use crate::{samples, ubl};

fn pdf(invoice: &Invoice) -> Vec<u8> {
    invoice_pdf(invoice, &Fonts::load().unwrap()).unwrap()
}

/// What a tool of the system answers about a PDF.
fn asked(tool: &str, arguments: &[&str], pdf: &[u8], after: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("document.pdf");
    fs::write(&path, pdf).unwrap();
    let output = Command::new(tool).args(arguments).arg(&path).args(after).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; `make bootstrap-check` installs it"));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text as somebody reads it.
fn read(pdf: &[u8]) -> String {
    asked("pdftotext", &["-layout"], pdf, &["-"])
}

fn pages(pdf: &[u8]) -> usize {
    let info = asked("pdfinfo", &[], pdf, &[]);
    let pages = info.lines().find_map(|line| line.strip_prefix("Pages:")).unwrap();
    pages.trim().parse().unwrap()
}

#[test]
fn an_invoice_shows_its_number_the_purchase_order_every_part_and_what_it_comes_to() {
    let invoice = samples::invoice(40, &samples::vat());
    let drawn = pdf(&invoice);
    let text = read(&drawn);
    for line in invoice.lines() {
        assert!(text.contains(line.part_number.as_ref().unwrap().as_str()), "{:?} in {text}", line.part_number);
    }
    let totals = invoice.totals();
    let sums = [totals.goods, totals.freight, totals.tax, totals.total].map(|sum| sum.to_string());
    for shown in
        ["INV-000123", "PO-2026-004711/B", "26 November 2026", "Autohaus Nord GmbH & Co. KG", "24103 Kiel", "VAT 19%"]
    {
        assert!(text.contains(shown), "{shown} in {text}");
    }
    for sum in sums {
        assert!(text.contains(&sum), "{sum} in {text}");
    }
    assert!(asked("qpdf", &["--check"], &drawn, &[]).contains("No syntax or stream encoding errors"));
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let invoice = samples::invoice(60, &samples::vat());
    assert_eq!(pdf(&invoice), pdf(&invoice));
    assert_eq!(ubl::write(&invoice).unwrap(), ubl::write(&invoice).unwrap());
}

#[test]
fn a_thousand_lines_have_the_headings_on_every_page_and_every_page_its_number() {
    let drawn = pdf(&samples::invoice(1000, &samples::vat()));
    let count = pages(&drawn);
    assert!(count > 20);
    let text = read(&drawn);
    let pages: Vec<&str> = text.split('\u{c}').filter(|page| !page.trim().is_empty()).collect();
    assert_eq!(pages.len(), count);
    for (at, page) in pages.iter().enumerate() {
        assert!(page.contains(&format!("Page {} of {count}", at + 1)), "{page}");
        assert!(page.contains("INV-000123"));
        // The last page may hold nothing but the sums.
        assert!(page.contains("PART NUMBER") || at + 1 == count, "{page}");
    }
}

#[test]
fn every_font_is_inside_and_only_what_of_it_is_used() {
    let drawn = pdf(&samples::invoice(3, &samples::vat()));
    let fonts = asked("pdffonts", &[], &drawn, &[]);
    let fonts: Vec<&str> = fonts.lines().skip(2).collect();
    assert_eq!(fonts.len(), 2, "{fonts:?}");
    for font in fonts {
        // Embedded, a subset, with a table back to text.
        assert!(font.contains("yes yes yes"), "{font}");
    }
    assert!(drawn.len() < 60_000, "{} bytes", drawn.len());
}

#[test]
fn a_screen_reader_finds_one_table_with_its_headings() {
    let drawn = pdf(&samples::invoice(60, &samples::vat()));
    let structure = asked("pdfinfo", &["-struct"], &drawn, &[]);
    let count = |element: &str| structure.lines().filter(|line| line.trim() == element).count();
    assert_eq!((count("Table (block)"), count("THead"), count("TBody"), count("TR")), (1, 1, 1, 61));
    assert_eq!(structure.lines().filter(|line| line.trim().starts_with("TH:")).count(), 7);
    let info = asked("pdfinfo", &[], &drawn, &[]);
    assert!(info.contains("Tagged:          yes"), "{info}");
    assert!(info.contains("Title:           Invoice INV-000123"), "{info}");
}

#[test]
fn the_xml_is_inside_the_pdf() {
    let invoice = samples::invoice(2, &samples::vat());
    let drawn = pdf(&invoice);
    assert!(asked("pdfdetach", &["-list"], &drawn, &[]).contains("invoice.xml"));
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("inside.xml");
    asked("pdfdetach", &["-save", "1", "-o", target.to_str().unwrap()], &drawn, &[]);
    assert_eq!(fs::read(&target).unwrap(), ubl::write(&invoice).unwrap());
}

#[test]
fn a_credit_note_names_its_invoice() {
    let text = read(&pdf(&samples::credit()));
    for shown in ["Credit note", "CN-000123", "INV-000120", "Total credited"] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
}

#[test]
fn what_is_on_account_says_what_is_due_and_when() {
    let invoice = samples::with(
        |facts| facts.subject = InvoiceSubject::Invoice(Settlement::OnAccount),
        vec![samples::line(0, &PrintedTax::none())],
    );
    let text = read(&pdf(&invoice));
    assert!(text.contains("Payable within 30 days"), "{text}");
    assert!(!text.contains("Paid by card"), "{text}");
}

#[test]
fn reverse_charge_is_said_on_paper() {
    let rate = PrintedTax { category: TaxCategory::ReverseCharge, name: String::new(), basis_points: 0 };
    let invoice = samples::with(
        |facts| facts.buyer.vat_id = Some(Text::new("DE123456789").unwrap()),
        vec![samples::line(0, &rate)],
    );
    let text = read(&pdf(&invoice));
    assert!(text.contains("Reverse charge"), "{text}");
    assert!(text.contains("VAT ID DE123456789"), "{text}");
}

#[test]
fn whatever_is_typed_is_drawn_and_nothing_breaks() {
    // All of the first blocks, and of the others one here and one there.
    let every = (0..0x0e00).chain((0x0e00..0x10_ffff).step_by(97)).filter_map(char::from_u32);
    let chars: Vec<char> = every.filter(|c| !c.is_control()).collect();
    let rate = PrintedTax::none();
    let lines = chars.chunks(300).filter_map(|some| {
        let mut line = samples::line(0, &rate);
        line.name = Text::new(&some.iter().collect::<String>()).ok()?;
        line.part_number = Text::new(&some.iter().take(60).collect::<String>()).ok();
        Some(line)
    });
    let lines: Vec<_> = lines.collect();
    assert!(lines.len() > 40);
    let invoice = samples::with(
        |facts| {
            facts.buyer.name = Text::new("王小明 \u{1f697}").unwrap();
            facts.deliver_to.lines = vec![Text::new(&"x\n".repeat(249)).unwrap(), Text::new(&"W".repeat(500)).unwrap()];
            facts.po_number = Some(Text::new(&"M".repeat(60)).unwrap());
            facts.seller.name = Text::new(&"W".repeat(120)).unwrap();
        },
        lines,
    );
    let drawn = pdf(&invoice);
    assert!(asked("qpdf", &["--check"], &drawn, &[]).contains("No syntax or stream encoding errors"));
    // Shown as question marks, and copied or read out as it was typed.
    assert!(read(&drawn).contains("王小明"));
}

#[tokio::test]
async fn a_packing_slip_shows_place_and_parts_and_no_price() {
    let drawer = DocumentDrawer::start().unwrap();
    let drawn = drawer.packing_slips(vec![samples::slip(40)]).await.unwrap();
    let text = read(&drawn);
    for shown in [
        "Packing slip",
        "Autohaus Nord",
        "24103 Kiel",
        "PO-2026-004711/B",
        "0 986 478 000",
        "No deliveries after 16:00",
    ] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
    assert!(!text.contains('$'), "{text}");
    let label = text.lines().find(|line| line.contains("PURCHASE ORDER")).map(str::trim);
    assert!(label.is_some_and(|label| label.starts_with("PURCHASE ORDER")), "{text}");
    assert_eq!(drawn, drawer.packing_slips(vec![samples::slip(40)]).await.unwrap());
}

#[tokio::test]
async fn several_packing_slips_begin_on_a_page_each() {
    let drawer = DocumentDrawer::start().unwrap();
    let drawn = drawer.packing_slips(vec![samples::slip(40), samples::slip(1), samples::slip(3)]).await.unwrap();
    let text = read(&drawn);
    assert_eq!(text.matches("Page 1 of 1").count(), 2, "{text}");
    assert_eq!(text.matches("Page 1 of 2").count() + text.matches("Page 1 of 3").count(), 1, "{text}");
    assert!(asked("qpdf", &["--check"], &drawn, &[]).contains("No syntax or stream encoding errors"));
}

#[tokio::test]
async fn a_confirmation_whose_freight_waits_says_so() {
    let drawer = DocumentDrawer::start().unwrap();
    let text = read(&drawer.confirmation(samples::confirmation(4)).await.unwrap());
    for shown in ["Order confirmation", "P-1001", "to be quoted", "Total before freight"] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
}

#[test]
fn taxes_of_several_rates_are_summed_by_rate() {
    let reduced = PrintedTax { category: TaxCategory::Standard, name: "VAT".to_owned(), basis_points: 700 };
    let exempt = PrintedTax { category: TaxCategory::Exempt, name: String::new(), basis_points: 0 };
    let lines = vec![samples::line(0, &samples::vat()), samples::line(1, &reduced), samples::line(2, &exempt)];
    let text = read(&pdf(&samples::with(|_| (), lines)));
    for shown in ["VAT 19%", "VAT 7%", "Exempt from tax"] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
}

/// Every kind of document, as PDF and as XML; also in the folder that `DOCUMENTS` names, to look at and for `make test-invoices`.
#[tokio::test]
async fn samples_of_all_kinds_are_drawn() {
    #[expect(clippy::disallowed_methods, reason = "tests have no configuration but this variable")]
    let folder = std::env::var_os("DOCUMENTS").map(std::path::PathBuf::from);
    let keep = |name: &str, drawn: &[u8], begins: &str| {
        assert!(drawn.starts_with(begins.as_bytes()), "{name}");
        if let Some(folder) = &folder {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(name), drawn).unwrap();
        }
    };
    let drawer = DocumentDrawer::start().unwrap();
    let none = PrintedTax::none();
    let exempt = PrintedTax { category: TaxCategory::Exempt, name: String::new(), basis_points: 0 };
    let zero = PrintedTax { category: TaxCategory::Zero, name: "VAT".to_owned(), basis_points: 0 };
    let reverse = PrintedTax { category: TaxCategory::ReverseCharge, name: String::new(), basis_points: 0 };
    let account = |facts: &mut domain::InvoiceFacts| facts.subject = InvoiceSubject::Invoice(Settlement::OnAccount);
    let reversed = |facts: &mut domain::InvoiceFacts| facts.buyer.vat_id = Some(Text::new("DE123456789").unwrap());
    for (name, invoice) in [
        ("invoice-4", samples::invoice(4, &samples::vat())),
        ("invoice-40", samples::invoice(40, &samples::vat())),
        ("invoice-1000", samples::invoice(1000, &samples::vat())),
        ("untaxed", samples::invoice(3, &none)),
        ("credit", samples::credit()),
        (
            "account",
            samples::with(
                account,
                vec![samples::line(0, &samples::vat()), samples::line(1, &exempt), samples::line(3, &zero)],
            ),
        ),
        ("reverse", samples::with(reversed, vec![samples::line(0, &reverse)])),
    ] {
        keep(&format!("{name}.pdf"), &drawer.pdf(invoice.clone()).await.unwrap(), "%PDF-1.7");
        keep(&format!("{name}.xml"), &drawer.xml(invoice).await.unwrap(), "<?xml");
    }
    keep("slip.pdf", &drawer.packing_slips(vec![samples::slip(14)]).await.unwrap(), "%PDF-1.7");
    keep("confirmation.pdf", &drawer.confirmation(samples::confirmation(5)).await.unwrap(), "%PDF-1.7");
}

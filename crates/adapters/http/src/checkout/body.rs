//! A checkout as it is sent.

use application::{CheckoutLineCommand, LineProduct, PlaceCheckout};
use domain::{Address, LINES_MAX, ProductId, ShippingMethodId, Terms, Text, TypedAddress};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::orders::vehicle::SentVehicle;
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// A line of a checkout.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewCheckoutLine)]
pub(crate) struct SentLine {
    /// Which product; or its `number`.
    product_id: Option<String>,
    /// A number that exactly one product has: its own, a GTIN, one that it replaces, or one of another maker.
    number: Option<String>,
    /// Whose part it is, if others have the same number.
    brand: Option<String>,
    /// Units: a whole number. Lines of one product are put together before anything is checked.
    #[schema(required, nullable = false, value_type = i64)]
    quantity: Option<Whole>,
    /// What the customer was shown for the line's goods, in dollars; another sum than ours is refused.
    price: Option<f64>,
    /// The vehicle that the part is for.
    vehicle: Option<SentVehicle>,
}

/// Who is to be reached.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = CheckoutContact)]
pub(crate) struct SentContact {
    /// Up to 120 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// Up to 40 characters.
    #[schema(required, nullable = false)]
    phone: Option<String>,
    /// The customer's own; another's is refused.
    email: Option<String>,
}

/// Where it goes.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = CheckoutAddress)]
pub(crate) struct SentAddress {
    company: Option<String>,
    #[schema(required, nullable = false)]
    line1: Option<String>,
    line2: Option<String>,
    #[schema(required, nullable = false)]
    city: Option<String>,
    /// Its code or its name, where the country has regions.
    region: Option<String>,
    /// Required where the country has them.
    postcode: Option<String>,
    /// ISO 3166 alpha-2.
    #[schema(required, nullable = false)]
    country: Option<String>,
}

/// A checkout to be placed, or to be checked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewCheckout {
    /// 1 to 1,000 lines.
    #[schema(required, nullable = false)]
    pub(super) lines: Option<Vec<SentLine>>,
    contact: Option<SentContact>,
    address: Option<SentAddress>,
    /// The customer's purchase order number, up to 60 characters.
    po_number: Option<String>,
    /// Up to 1,000 characters.
    note: Option<String>,
    /// `card` or `account`; `card` if it is not sent.
    #[schema(value_type = Option<String>)]
    terms: Option<String>,
    /// The id of a shipping method; the cheapest if it is not sent.
    shipping_method: Option<String>,
}

impl NewCheckout {
    /// The lines; `None` if one is invalid.
    pub(super) fn lines(&self, fields: &mut Fields) -> Option<Vec<CheckoutLineCommand>> {
        let Some(lines) = &self.lines else {
            fields.refuse("lines", "Lines are required".to_owned());
            return None;
        };
        if lines.is_empty() || lines.len() > LINES_MAX {
            fields.refuse("lines", "A checkout has 1 to 1,000 lines".to_owned());
            return None;
        }
        let numbered = (1_u16..).zip(lines);
        let parsed: Vec<_> = numbered.map(|(line, sent)| sent.parse(line, fields)).collect();
        parsed.into_iter().collect()
    }

    #[expect(clippy::option_option, reason = "as for the method below")]
    pub(super) fn address(&self, fields: &mut Fields) -> Option<Option<Address>> {
        let Some(sent) = &self.address else { return Some(None) };
        let typed = TypedAddress {
            company: sent.company.as_deref(),
            line1: sent.line1.as_deref(),
            line2: sent.line2.as_deref(),
            city: sent.city.as_deref(),
            region: sent.region.as_deref(),
            postcode: sent.postcode.as_deref(),
            country: sent.country.as_deref(),
        };
        match Address::new(&typed) {
            Ok(address) => Some(Some(address)),
            Err(problems) => {
                for problem in problems {
                    let field = problem.field.as_str();
                    fields.refuse(&format!("address.{field}"), sentence(field, &problem.why.to_string()));
                }
                None
            }
        }
    }

    #[expect(
        clippy::option_option,
        reason = "the outer one says whether it is valid, the inner one whether it is sent"
    )]
    pub(super) fn method(&self, fields: &mut Fields) -> Option<Option<ShippingMethodId>> {
        fields.optional("shippingMethod", "Shipping method", self.shipping_method.as_deref(), |id| {
            id.parse::<ShippingMethodId>().map_err(|_| "isn't one of ours")
        })
    }

    pub(super) fn parse(
        self,
        partial: bool,
        idempotency_key: Option<ports::IdempotencyKey>,
        holds_claim: bool,
    ) -> Result<PlaceCheckout, Problem> {
        let mut fields = Fields::default();
        let lines = self.lines(&mut fields);
        let contact = self.contact.as_ref();
        let name = fields.required("contact.name", "Name", contact.and_then(|sent| sent.name.as_deref()), Text::new);
        let phone =
            fields.required("contact.phone", "Phone", contact.and_then(|sent| sent.phone.as_deref()), Text::new);
        let email = contact.and_then(|sent| sent.email.clone());
        let address = match self.address(&mut fields) {
            Some(None) => fields.parsed("address", "Address", Err("is required")),
            address => address.flatten(),
        };
        let po_number = fields.optional("poNumber", "PO number", self.po_number.as_deref(), |po| {
            Text::<60>::optional(Some(po))
                .map_err(|error| error.to_string())
                .and_then(|po| one_line(po.as_ref()).map(|()| po))
        });
        let note = fields.optional("note", "Note", self.note.as_deref(), |note| Text::<1000>::optional(Some(note)));
        let terms = fields.optional("terms", "Terms", self.terms.as_deref(), str::parse::<Terms>);
        let method = self.method(&mut fields);
        fields.all((|| {
            Some(PlaceCheckout {
                lines: lines?,
                name: name?,
                email,
                phone: phone?,
                address: address?,
                po_number: po_number?.flatten(),
                note: note?.flatten(),
                terms: terms?.unwrap_or(Terms::Card),
                method: method?,
                partial,
                idempotency_key,
                holds_claim,
            })
        })())
    }
}

/// A number that is printed on documents has one line.
fn one_line(text: Option<&Text<60>>) -> Result<(), String> {
    match text {
        Some(text) if text.as_str().chars().any(char::is_control) => {
            Err("must not contain line breaks or control characters".to_owned())
        }
        _ => Ok(()),
    }
}

/// A sentence that begins in a small letter lacks the field's label in front.
fn sentence(field: &str, why: &str) -> String {
    if why.chars().next().is_some_and(char::is_uppercase) {
        return why.to_owned();
    }
    let label = match field {
        "company" => "Company",
        "line1" => "Address",
        "line2" => "Address line 2",
        "city" => "City",
        "region" => "Region",
        "postcode" => "Postcode",
        _ => "Country",
    };
    format!("{label} {why}")
}

impl SentLine {
    fn parse(&self, line: u16, fields: &mut Fields) -> Option<CheckoutLineCommand> {
        let at = |field: &str| format!("lines[{}].{field}", line - 1);
        let product = match (self.product_id.as_deref(), self.number.as_deref()) {
            // An id that is no UUID is the id of no product.
            (Some(id), _) => Some(LineProduct::ById(id.parse().unwrap_or_else(|_| ProductId::new(Uuid::nil())))),
            (None, Some(number)) => {
                let number = fields.parsed(&at("number"), "Number", Text::new(number));
                let brand =
                    fields.optional(&at("brand"), "Brand", self.brand.as_deref(), |brand| Text::optional(Some(brand)));
                number.zip(brand).map(|(number, brand)| LineProduct::ByNumber { number, brand: brand.flatten() })
            }
            (None, None) => fields.parsed(&at("productId"), "Product", Err("or its number is required")),
        };
        let quantity = fields.required::<_, _, &str>(&at("quantity"), "Quantity", self.quantity, |units| Ok(units.0));
        let vehicle = match &self.vehicle {
            None => Some(None),
            Some(sent) => sent.parse(fields).map(Some),
        };
        Some(CheckoutLineCommand { line, product: product?, quantity: quantity?, shown: self.price, vehicle: vehicle? })
    }
}

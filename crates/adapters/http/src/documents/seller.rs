//! `/seller`.

use actix_web::web::{self, Data};
use domain::{Address, AddressField, AddressProblem, Email, Seller, Text, TypedAddress};
use serde::Deserialize;
use utoipa::ToSchema;

use super::invoices::view::SellerView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// The shop as the seller, as documents are to name it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentSeller {
    /// The company's name, up to 100 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    #[schema(required, nullable = false)]
    line1: Option<String>,
    line2: Option<String>,
    #[schema(required, nullable = false)]
    city: Option<String>,
    /// Where the country's addresses have one.
    region: Option<String>,
    /// Where the country's addresses have one.
    postcode: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[schema(required, nullable = false)]
    country: Option<String>,
    /// The number with the tax office; with its country's prefix if it is one for value-added tax.
    tax_id: Option<String>,
    /// Whom to ask about documents.
    #[schema(required, nullable = false)]
    email: Option<String>,
    phone: Option<String>,
    /// When to pay what was shipped on account.
    terms: Option<String>,
}

const fn label(field: AddressField) -> &'static str {
    match field {
        AddressField::Company => "Company",
        AddressField::Line1 => "Street and number",
        AddressField::Line2 => "Second line",
        AddressField::City => "City",
        AddressField::Region => "Region",
        AddressField::Postcode => "Postcode",
        AddressField::Country => "Country",
    }
}

impl SentSeller {
    fn parse(&self) -> Result<Seller, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let email = fields.required("email", "Email", self.email.as_deref(), str::parse::<Email>);
        let tax_id = fields.parsed("taxId", "Tax ID", Text::optional(self.tax_id.as_deref()));
        let phone = fields.parsed("phone", "Phone", Text::optional(self.phone.as_deref()));
        let terms = fields.parsed("terms", "Terms", Text::optional(self.terms.as_deref()));
        let typed = TypedAddress {
            company: None,
            line1: self.line1.as_deref(),
            line2: self.line2.as_deref(),
            city: self.city.as_deref(),
            region: self.region.as_deref(),
            postcode: self.postcode.as_deref(),
            country: self.country.as_deref(),
        };
        let address = Address::new(&typed).map_err(|problems| {
            for AddressProblem { field, why } in problems {
                let why = why.to_string();
                let begins_small = why.starts_with(char::is_lowercase);
                let sentence = if begins_small { format!("{} {why}", label(field)) } else { why };
                fields.refuse(field.as_str(), sentence);
            }
        });
        fields.all((|| {
            let address = address.ok()?;
            Some(Seller {
                name: name?,
                line1: Text::new(address.line1()).ok()?,
                line2: Text::optional(address.line2()).ok()?,
                city: Text::new(address.city()).ok()?,
                region: Text::optional(address.region()).ok()?,
                postcode: Text::optional(address.postcode()).ok()?,
                country: address.country(),
                tax_id: tax_id?,
                email: email?,
                phone: phone?,
                terms: terms?,
            })
        })())
    }
}

/// The seller that documents name from now on (admins).
#[utoipa::path(get, path = "/seller", responses((status = 200, description = "The seller", body = SellerView)))]
pub(crate) async fn get_seller(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<SellerView>, Problem> {
    Ok(web::Json(SellerView::of(&app.shop.documents.seller(&caller).await?)))
}

/// Replaces the seller (admins). Documents that were issued keep theirs.
#[utoipa::path(
    put, path = "/seller", request_body = SentSeller,
    responses(
        (status = 200, description = "Replaced", body = ModifiedCount),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn set_seller(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<SentSeller>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.documents.set_seller(&caller, &sent.parse()?).await?;
    Ok(web::Json(true.into()))
}

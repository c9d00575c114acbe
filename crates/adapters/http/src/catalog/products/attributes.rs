//! The attributes of a product on the wire: as it is shown, as it is sent, and as columns of a file. A new one is added
//! here only.

use application::FoundProduct;
use domain::platform::cells::dollars;
use domain::{Category, Ladder, MinOrder, PictureUrl, PriceRules, Product, ProductDetails, Stock, Text, UnitPrice};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::facts::{FactsView, SentFacts};
use crate::catalog::fitments::view::FitView;
use crate::pricing::view::{TierView, tier_views};
use crate::problem::FieldError;
use crate::wire::csv::Column;
use crate::wire::enums::CategoryName;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::whole::Whole;

/// A product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Product)]
pub(crate) struct ProductView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// Where its picture can be fetched.
    img: String,
    category: CategoryName,
    name: String,
    description: String,
    /// The maker's number, if it has one.
    #[schema(required)]
    part_number: Option<String>,
    /// The smallest quantity that may be ordered: never below 50.
    min_order: u32,
    /// Units in stock.
    available_qty: u32,
    /// A stock of fewer units than this is low.
    low_stock_below: u32,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    price: Dollars,
    /// What a unit costs everybody, by quantity: at least one, from the smallest quantity on.
    tiers: Vec<TierView>,
    /// RFC 3339, UTC.
    created_at: String,
    #[serde(flatten)]
    facts: FactsView,
    /// Why it was found, where its name does not tell, such as `same as BREMBO 09.A820.11`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    via: Option<String>,
    /// Whether it fits the vehicle, in lists for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fit: Option<FitView>,
    /// All its pictures, if it has several, `img` first: at most 12. Only of one product, not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    images: Option<Vec<String>>,
    /// Dollars for one unit at the smallest quantity, by the caller's price lists. Only of one product, with a bearer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    your_price: Option<Dollars>,
}

impl ProductView {
    /// A product with all its pictures.
    pub(crate) fn whole(product: Product) -> Self {
        Self { images: images(&product.details), ..product.into() }
    }

    /// With what one unit costs the caller.
    pub(super) fn at_own_price(self, unit: UnitPrice) -> Self {
        Self { your_price: Some(Dollars(unit.money())), ..self }
    }
}

/// All pictures of a product that has several.
pub(crate) fn images(details: &ProductDetails) -> Option<Vec<String>> {
    (!details.further_pictures.is_empty()).then(|| details.pictures().map(PictureUrl::to_string).collect())
}

impl From<Product> for ProductView {
    fn from(Product { id, details, created_at }: Product) -> Self {
        let rules = PriceRules::for_everybody(details.price, details.ladder);
        let tiers = tier_views(&rules.tiers(details.min_order.get()));
        Self {
            id: id.to_string(),
            img: details.img.to_string(),
            category: CategoryName(details.category),
            name: details.name.into_string(),
            description: details.description.into_string(),
            part_number: details.part_number.map(Text::into_string),
            min_order: details.min_order.get(),
            available_qty: details.available.get(),
            low_stock_below: details.min_order.low_stock_below(),
            price: Dollars(details.price.money()),
            tiers,
            created_at: created_at.to_string(),
            facts: details.facts.into(),
            via: None,
            fit: None,
            images: None,
            your_price: None,
        }
    }
}

impl From<FoundProduct> for ProductView {
    fn from(FoundProduct { product, via, fit }: FoundProduct) -> Self {
        Self { via: via.map(|via| via.to_string()), fit: fit.map(FitView::from), ..product.into() }
    }
}

pub(crate) fn views(products: Vec<FoundProduct>) -> Vec<ProductView> {
    products.into_iter().map(Into::into).collect()
}

/// A product to be added.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewProduct {
    /// Up to 200 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// Up to 5,000 characters.
    #[schema(required, nullable = false)]
    description: Option<String>,
    /// Dollars for one unit, at least 0.01.
    #[schema(required, nullable = false)]
    price: Option<f64>,
    #[schema(required, nullable = false, value_type = CategoryName)]
    category: Option<String>,
    /// Units in stock.
    #[schema(required, nullable = false, value_type = i64)]
    available_qty: Option<Whole>,
    /// The smallest quantity that may be ordered; below 50 it is 50.
    #[schema(nullable = false, value_type = Option<i64>)]
    min_order: Option<Whole>,
    /// An http(s) address or a path of this shop.
    #[schema(required, nullable = false)]
    img: Option<String>,
    /// The maker's number, up to 60 characters.
    part_number: Option<String>,
    #[serde(flatten)]
    facts: SentFacts,
}

impl NewProduct {
    /// Parses the attributes, or returns the errors of their fields.
    pub(super) fn validate(self) -> Result<ProductDetails, Vec<FieldError>> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let description = fields.required("description", "Description", self.description.as_deref(), Text::new);
        let price = fields.required("price", "Price", self.price, UnitPrice::from_dollars);
        let category = fields.required("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let available =
            fields.required("availableQty", "Available quantity", self.available_qty, |units| Stock::new(units.0));
        let min_order = fields.optional("minOrder", "Minimum order", self.min_order, min_order);
        let img = fields.required("img", "Image", self.img.as_deref(), str::parse::<PictureUrl>);
        let part_number = fields
            .optional("partNumber", "Part number", self.part_number.as_deref(), |number| Text::optional(Some(number)));
        let facts = self.facts.facts(&mut fields);
        let whole = (|| {
            Some(ProductDetails {
                name: name?,
                description: description?,
                part_number: part_number?.flatten(),
                category: category?,
                img: img?,
                further_pictures: Vec::new(),
                price: price?,
                ladder: Ladder::NONE,
                min_order: match min_order? {
                    Some(minimum) => minimum,
                    None => MinOrder::effective(0).ok()?,
                },
                available: available?,
                facts: facts?,
            })
        })();
        fields.or_errors(whole)
    }
}

/// Parses the smallest quantity that may be ordered.
pub(super) fn min_order(units: Whole) -> Result<MinOrder, &'static str> {
    match units.0 {
        i64::MIN..0 => Err("must not be negative"),
        units => MinOrder::effective(units).map_err(|_| "must be 1,000,000,000 or less"),
    }
}

/// A column of a product file.
struct ProductColumn {
    name: &'static str,
    /// Its cell in an export.
    cell: fn(&ProductView) -> String,
    import: Import,
}

/// What an import does with a column.
enum Import {
    /// It takes no notice of it.
    Ignored,
    /// A file without it is refused.
    Required(Read),
    /// It may be left out.
    Optional(Read),
}

/// Reads a cell that is not empty.
type Read = fn(&mut NewProduct, Cell<'_>);

/// A cell of an imported file.
struct Cell<'a> {
    text: String,
    /// Whether semicolons separate the file's cells.
    semicolons: bool,
    fields: &'a mut Fields,
}

impl Cell<'_> {
    fn whole(self, field: &str, label: &str) -> Option<Whole> {
        self.parse(field, label, whole)
    }

    fn dollars(self, field: &str, label: &str) -> Option<f64> {
        let semicolons = self.semicolons;
        self.parse(field, label, |text| dollars(text, semicolons))
    }

    fn parse<T>(self, field: &str, label: &str, parse: impl FnOnce(&str) -> Result<T, &'static str>) -> Option<T> {
        self.fields.optional(field, label, Some(self.text.trim()), parse).flatten()
    }
}

/// The columns of a product file, in their order.
static COLUMNS: [ProductColumn; 10] = [
    ProductColumn { name: "id", cell: |product| product.id.clone(), import: Import::Ignored },
    ProductColumn {
        name: "name",
        cell: |product| product.name.clone(),
        import: Import::Required(|sent, cell| sent.name = Some(cell.text)),
    },
    ProductColumn {
        name: "description",
        cell: |product| product.description.clone(),
        import: Import::Required(|sent, cell| sent.description = Some(cell.text)),
    },
    ProductColumn {
        name: "category",
        cell: |product| product.category.0.to_string(),
        import: Import::Required(|sent, cell| sent.category = Some(cell.text.trim().to_owned())),
    },
    ProductColumn {
        name: "partNumber",
        cell: |product| product.part_number.clone().unwrap_or_default(),
        import: Import::Optional(|sent, cell| sent.part_number = Some(cell.text)),
    },
    ProductColumn {
        name: "price",
        cell: |product| product.price.plain(),
        import: Import::Required(|sent, cell| sent.price = cell.dollars("price", "Price")),
    },
    ProductColumn {
        name: "availableQty",
        cell: |product| product.available_qty.to_string(),
        import: Import::Required(|sent, cell| sent.available_qty = cell.whole("availableQty", "Available quantity")),
    },
    ProductColumn {
        name: "minOrder",
        cell: |product| product.min_order.to_string(),
        import: Import::Optional(|sent, cell| sent.min_order = cell.whole("minOrder", "Minimum order")),
    },
    ProductColumn {
        name: "img",
        cell: |product| product.img.clone(),
        import: Import::Required(|sent, cell| sent.img = Some(cell.text)),
    },
    ProductColumn { name: "createdAt", cell: |product| product.created_at.clone(), import: Import::Ignored },
];

/// The header of an export.
pub(super) fn header() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().map(|column| column.name)
}

/// A row of an export.
pub(super) fn row(product: FoundProduct) -> Vec<String> {
    let product = ProductView::from(product);
    COLUMNS.iter().map(|column| (column.cell)(&product)).collect()
}

/// The columns that an import reads.
pub(crate) fn imported() -> Vec<Column> {
    let named = |column: &ProductColumn| match column.import {
        Import::Ignored => None,
        Import::Required(_) => Some(Column { name: column.name, required: true }),
        Import::Optional(_) => Some(Column { name: column.name, required: false }),
    };
    COLUMNS.iter().filter_map(named).collect()
}

/// Reads the cells of a row of an import, in the order of [`imported`], by the same rules as Add Product.
pub(super) fn parse_row(cells: Vec<Option<String>>, semicolons: bool) -> Result<ProductDetails, Vec<FieldError>> {
    let mut sent = NewProduct::default();
    let mut fields = Fields::default();
    let readers = COLUMNS.iter().filter_map(|column| match column.import {
        Import::Ignored => None,
        Import::Required(read) | Import::Optional(read) => Some(read),
    });
    for (read, text) in readers.zip(cells) {
        if let Some(text) = text {
            read(&mut sent, Cell { text, semicolons, fields: &mut fields });
        }
    }
    let mut errors = fields.or_errors(Some(())).err().unwrap_or_default();
    match sent.validate() {
        Ok(details) if errors.is_empty() => Ok(details),
        Ok(_) => Err(errors),
        Err(others) => {
            // A field that is not a number is not reported as missing too.
            let known: Vec<String> = errors.iter().map(|error| error.field.clone()).collect();
            errors.extend(others.into_iter().filter(|other| !known.contains(&other.field)));
            Err(errors)
        }
    }
}

/// The columns of an export, for the API's description.
pub(super) fn export_description() -> String {
    format!("A file: `{}`", header().collect::<Vec<_>>().join(","))
}

/// The columns of an import, for the API's description.
pub(super) fn import_description() -> String {
    let (required, optional): (Vec<Column>, Vec<Column>) = imported().into_iter().partition(|column| column.required);
    let named = |columns: Vec<Column>| columns.iter().map(|column| format!("`{}`", column.name)).collect::<Vec<_>>();
    format!(
        "UTF-8, up to 2 MiB and 5,000 rows, separated by commas or semicolons. Columns in any order and case: {}, and \
        optionally {}; others are ignored",
        named(required).join(", "),
        named(optional).join(" and ")
    )
}

fn whole(cell: &str) -> Result<Whole, &'static str> {
    cell.parse().map(Whole).map_err(|_| "must be a whole number")
}

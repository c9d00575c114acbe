//! How lists of products are sorted and filtered.

use domain::{Category, Measure, Money, Position, Text, fold};
use ports::{
    AttributeFilter, AttributeMatch, FitFilter, FitsAtLeast, Pagination, ProductQuery, ProductSort, SortOrder,
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::catalog::fitments::wanted::wanted_vehicle;
use crate::extract::parsed;
use crate::problem::Problem;
use crate::wire::cursor::ProductCursorToken;
use crate::wire::enums::{CategoryName, variant};
use crate::wire::fields::{Fields, filled};
use crate::wire::page::PageQuery;

/// In which order products come: newest, cheapest or most expensive first, or by name.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ProductSort)]
pub(crate) enum ProductSortName {
    Newest,
    Price,
    #[serde(rename = "-price")]
    PriceDown,
    Name,
}

impl From<ProductSortName> for ProductSort {
    fn from(sort: ProductSortName) -> Self {
        match sort {
            ProductSortName::Newest => Self::Newest,
            ProductSortName::Price => Self::Price(SortOrder::Ascending),
            ProductSortName::PriceDown => Self::Price(SortOrder::Descending),
            ProductSortName::Name => Self::Name,
        }
    }
}

/// How well parts have to fit.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FitChoice)]
pub(crate) enum FitName {
    Yes,
    If,
    All,
}

impl From<FitName> for FitsAtLeast {
    fn from(fit: FitName) -> Self {
        match fit {
            FitName::Yes => Self::Surely,
            FitName::If => Self::Perhaps,
            FitName::All => Self::Unknown,
        }
    }
}

/// Filters for products.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those with one of these numbers, or with all of these words in name, brand, part type, category or numbers:
    /// any part of them from three signs on, their beginning below that.
    q: Option<String>,
    /// Only those with this part number, or if there is none, one like it.
    number: Option<String>,
    /// Only this brand, by name; may be repeated.
    #[serde(skip)]
    brand: Vec<String>,
    /// Only this part type, by name or id; may be repeated.
    #[serde(skip)]
    part_type: Vec<String>,
    /// Dollars: only from this unit price on.
    #[param(value_type = Option<f64>)]
    min_price: Option<String>,
    /// Dollars: only up to this unit price.
    #[param(value_type = Option<f64>)]
    max_price: Option<String>,
    /// Only with this value of an attribute, such as `attr.diameter=312` or `attr.diameter=300..320`; may be repeated.
    #[serde(skip)]
    #[param(rename = "attr.<name>")]
    attributes: Vec<(String, String)>,
    /// Only this category.
    #[param(value_type = Option<CategoryName>)]
    category: Option<String>,
    /// Only parts for this vehicle, by its id.
    #[param(value_type = Option<i32>)]
    vehicle: Option<String>,
    /// The vehicle's engine, by its id.
    #[param(value_type = Option<i32>)]
    engine: Option<String>,
    /// How well parts have to fit the vehicle: `if` without it, which are those that fit, and after them those that fit under
    /// a condition or with some engines; `yes` for the first of them alone, `all` for also those of which it is not known.
    #[param(value_type = Option<FitName>)]
    fit: Option<String>,
    /// Only parts that belong at this position, of the vehicle if there is one; may be repeated.
    #[serde(skip)]
    position: Vec<String>,
    /// `newest` without it.
    #[param(value_type = Option<ProductSortName>)]
    sort: Option<String>,
    /// `true`: only those that can be ordered.
    #[param(value_type = Option<bool>)]
    in_stock: Option<String>,
}

impl Filter {
    /// The products that a query string asks for.
    ///
    /// # Errors
    /// [`Problem`] if a parameter makes no sense.
    pub(crate) fn query(query: &str, page: &PageQuery) -> Result<ProductQuery, Problem> {
        let mut filter = parsed::<Self>(query)?;
        for (name, value) in parsed::<Vec<(String, String)>>(query)? {
            match name.as_str() {
                "brand" => filter.brand.push(value),
                "partType" => filter.part_type.push(value),
                "position" => filter.position.push(value),
                _ => {
                    if let Some(attribute) = name.strip_prefix("attr.") {
                        filter.attributes.push((attribute.to_owned(), value));
                    }
                }
            }
        }
        filter.parse(page)
    }

    fn parse(&self, page: &PageQuery) -> Result<ProductQuery, Problem> {
        let mut fields = Fields::default();
        let page = page.parse(&mut fields);
        let search = fields.optional("q", "Search", self.q.as_deref(), |q| Text::<200>::optional(Some(q)));
        let number = fields.optional("number", "Number", self.number.as_deref(), |n| Text::<100>::optional(Some(n)));
        let [min_price, max_price] = self.prices(&mut fields);
        let brands = names("brand", "Brand", &self.brand, &mut fields);
        let part_types = names("partType", "Part type", &self.part_type, &mut fields);
        let attributes = attributes(&self.attributes, &mut fields);
        let category = fields.optional("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let sort = fields.optional("sort", "Sort", self.sort.as_deref(), |sort| {
            variant::<ProductSortName>(sort).map(ProductSort::from).ok_or("must be newest, price, -price or name")
        });
        let in_stock = fields.optional("inStock", "In stock", self.in_stock.as_deref(), |text| {
            text.parse::<bool>().map_err(|_| "must be true or false")
        });
        let fit = self.fit(&mut fields);
        let positions = positions(&self.position, &mut fields);
        let sort = sort.map(Option::unwrap_or_default);
        let page = page.and_then(|Pagination { limit, after, uncounted }| {
            let after = after.map(|ProductCursorToken(after)| after);
            let strange = after.as_ref().zip(sort).is_some_and(|(after, sort)| !after.key.fits(sort));
            if strange {
                fields.refuse("cursor", "Cursor belongs to a list in another order".to_owned());
            }
            (!strange).then_some(Pagination { limit, after, uncounted })
        });
        let whole = (|| {
            Some(ProductQuery {
                search: search?.flatten().map(Text::into_string),
                number: number?.flatten().map(Text::into_string),
                category: category?,
                brands: brands?,
                part_types: part_types?,
                min_price: min_price?,
                max_price: max_price?,
                attributes: attributes?,
                fit: fit?,
                positions: positions?,
                in_stock: in_stock?.unwrap_or_default(),
                archived: false,
                sort: sort?,
                page: page?,
            })
        })();
        fields.all(whole)
    }

    #[expect(clippy::option_option, reason = "as Fields::optional")]
    fn fit(&self, fields: &mut Fields) -> Option<Option<FitFilter>> {
        let at_least = fields.optional("fit", "Fit", filled(self.fit.as_deref()), |fit| {
            variant::<FitName>(fit).map(FitsAtLeast::from).ok_or("must be yes, if or all")
        });
        let wanted = wanted_vehicle(self.vehicle.as_deref(), self.engine.as_deref(), fields)?;
        let at_least = at_least?.unwrap_or_default();
        Some(wanted.map(|wanted| FitFilter { wanted, at_least }))
    }

    #[expect(clippy::option_option, reason = "as Fields::optional")]
    fn prices(&self, fields: &mut Fields) -> [Option<Option<Money>>; 2] {
        let price = |text: &str| {
            let dollars = text.parse::<f64>().map_err(|_| "must be a number of dollars".to_owned())?;
            Money::from_dollars(dollars).map_err(|why| why.to_string())
        };
        let least = fields.optional("minPrice", "Lowest price", self.min_price.as_deref(), price);
        let most = fields.optional("maxPrice", "Highest price", self.max_price.as_deref(), price);
        if let (Some(Some(least)), Some(Some(most))) = (least, most)
            && least > most
        {
            fields.refuse("maxPrice", "The highest price is below the lowest".to_owned());
        }
        [least, most]
    }
}

fn positions(sent: &[String], fields: &mut Fields) -> Option<Vec<Position>> {
    if sent.len() > MOST {
        fields.refuse("position", format!("Choose at most {MOST}"));
        return None;
    }
    let positions = sent
        .iter()
        .map(|name| fields.optional("position", "Position", filled(Some(name.as_str())), str::parse::<Position>));
    Some(positions.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// How many values of one filter are taken.
const MOST: usize = 50;

fn names(field: &str, label: &str, sent: &[String], fields: &mut Fields) -> Option<Vec<String>> {
    if sent.len() > MOST {
        fields.refuse(field, format!("Choose at most {MOST}"));
        return None;
    }
    let text = |name: &str| Text::<80>::optional(Some(name)).map(|name| name.map(Text::into_string));
    let names = sent.iter().map(|name| fields.optional(field, label, Some(name.as_str()), text));
    let names: Option<Vec<_>> = names.collect();
    Some(names?.into_iter().flatten().flatten().collect())
}

fn attributes(sent: &[(String, String)], fields: &mut Fields) -> Option<Vec<AttributeFilter>> {
    if sent.len() > MOST {
        fields.refuse("attr", format!("Choose at most {MOST} attributes"));
        return None;
    }
    let mut filters: Vec<AttributeFilter> = Vec::new();
    for (name, value) in sent {
        let field = format!("attr.{name}");
        let name = fields.required(&field, "Attribute", Some(name.as_str()), Text::<60>::new)?.into_string();
        let matches = fields.required(&field, "Value", Some(value.as_str()), matching)?;
        let known = filters.iter_mut().find(|filter| fold(&filter.name) == fold(&name));
        match (known.map(|filter| &mut filter.matches), matches) {
            (Some(AttributeMatch::OneOf(known)), AttributeMatch::OneOf(more)) => known.extend(more),
            (Some(_), _) => {
                fields.refuse(&field, format!("Choose either values of {name} or one range"));
                return None;
            }
            (None, matches) => filters.push(AttributeFilter { name, matches }),
        }
    }
    Some(filters)
}

fn matching(value: &str) -> Result<AttributeMatch, String> {
    let Some((from, to)) = value.split_once("..") else {
        let value = Text::<120>::new(value).map_err(|why| why.to_string())?;
        return Ok(AttributeMatch::OneOf(vec![value.into_string()]));
    };
    let bound = |text: &str| match text.trim() {
        "" => Ok(None),
        number => number.parse::<Measure>().map(Some).map_err(|why| why.to_string()),
    };
    match (bound(from)?, bound(to)?) {
        (None, None) => Err("needs at least one end of its range".to_owned()),
        (Some(from), Some(to)) if from > to => Err("has a range that ends before it begins".to_owned()),
        (from, to) => Ok(AttributeMatch::Within(from, to)),
    }
}

//! How lists of products are sorted and filtered.

use domain::{Category, Text};
use ports::{Pagination, ProductQuery, ProductSort, SortOrder};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::problem::Problem;
use crate::wire::cursor::ProductCursorToken;
use crate::wire::enums::{CategoryName, variant};
use crate::wire::fields::Fields;
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

/// Filters for products.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those whose name, category or part number holds this.
    q: Option<String>,
    /// Only this category.
    #[param(value_type = Option<CategoryName>)]
    category: Option<String>,
    /// `newest` without it.
    #[param(value_type = Option<ProductSortName>)]
    sort: Option<String>,
    /// `true`: only those that can be ordered.
    #[param(value_type = Option<bool>)]
    in_stock: Option<String>,
}

impl Filter {
    pub(super) fn parse(&self, page: &PageQuery) -> Result<ProductQuery, Problem> {
        let mut fields = Fields::default();
        let page = page.parse(&mut fields);
        let search = fields.optional("q", "Search", self.q.as_deref(), |q| Text::<200>::optional(Some(q)));
        let category = fields.optional("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let sort = fields.optional("sort", "Sort", self.sort.as_deref(), |sort| {
            variant::<ProductSortName>(sort).map(ProductSort::from).ok_or("must be newest, price, -price or name")
        });
        let in_stock = fields.optional("inStock", "In stock", self.in_stock.as_deref(), |text| {
            text.parse::<bool>().map_err(|_| "must be true or false")
        });
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
                category: category?,
                in_stock: in_stock?.unwrap_or_default(),
                archived: false,
                sort: sort?,
                page: page?,
            })
        })();
        fields.all(whole)
    }
}

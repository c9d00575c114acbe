//! Products.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, web};
use application::{ProductDraft, RestockProduct};
use domain::catalog::stock::StockError;
use domain::{Category, MinOrder, PictureUrl, Product, ProductId, Stock, Text, UnitPrice};
use ports::{ProductCursor, ProductPage, ProductQuery, Sort};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::cache;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id, parsed};
use crate::problem::{FieldError, Problem, ProblemView};
use crate::wire::array::{self, PART};
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::cursor::ProductPlace;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::page::{self, PageQuery};
use crate::wire::whole::Whole;
use crate::wire::words::{CategoryName, word};

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
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    price: Dollars,
    /// RFC 3339, UTC.
    created_at: String,
}

impl From<Product> for ProductView {
    fn from(product: Product) -> Self {
        Self {
            id: product.id.to_string(),
            img: product.img.to_string(),
            category: CategoryName(product.category),
            name: product.name.into_string(),
            description: product.description.into_string(),
            part_number: product.part_number.map(Text::into_string),
            min_order: product.min_order.get(),
            available_qty: product.available.get(),
            price: Dollars(product.price.money()),
            created_at: product.created_at.to_string(),
        }
    }
}

impl ProductView {
    /// As a row of a CSV file.
    pub(super) fn cells(self) -> Vec<String> {
        vec![
            self.id,
            self.name,
            self.description,
            self.category.0.as_str().to_owned(),
            self.part_number.unwrap_or_default(),
            self.price.plain(),
            self.available_qty.to_string(),
            self.min_order.to_string(),
            self.img,
            self.created_at,
        ]
    }
}

/// In which order products come: newest, cheapest or most expensive first, or by name.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProductSort {
    Newest,
    Price,
    #[serde(rename = "-price")]
    PriceDown,
    Name,
}

impl From<ProductSort> for Sort {
    fn from(sort: ProductSort) -> Self {
        match sort {
            ProductSort::Newest => Self::Newest,
            ProductSort::Price => Self::PriceUp,
            ProductSort::PriceDown => Self::PriceDown,
            ProductSort::Name => Self::Name,
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
    #[param(value_type = Option<ProductSort>)]
    sort: Option<String>,
    /// `true`: only those that can be ordered.
    #[param(value_type = Option<bool>)]
    in_stock: Option<String>,
}

impl Filter {
    pub(super) fn parse(&self, page: &PageQuery) -> Result<ProductQuery, Problem> {
        let mut fields = Fields::default();
        let part = page.parse(&mut fields);
        let search = fields.optional("q", "Search", self.q.as_deref(), |q| Text::<200>::optional(Some(q)));
        let category = fields.optional("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let sort = fields.optional("sort", "Sort", self.sort.as_deref(), |sort| {
            word::<ProductSort>(sort).map(Sort::from).ok_or("must be newest, price, -price or name")
        });
        let in_stock = fields.optional("inStock", "In stock", self.in_stock.as_deref(), |text| {
            text.parse::<bool>().map_err(|_| "must be true or false")
        });
        let sort = sort.map(Option::unwrap_or_default);
        let part = part.and_then(|(limit, after)| {
            let after: Option<ProductCursor> = after.map(|ProductPlace(after)| after);
            let strange = after.as_ref().zip(sort).is_some_and(|(after, sort)| !after.key.fits(sort));
            if strange {
                fields.refuse("cursor", "Cursor is of a list in another order".to_owned());
            }
            (!strange).then_some((limit, after))
        });
        let whole = (|| {
            let (limit, after) = part?;
            Some(ProductQuery {
                search: search?.flatten().map(Text::into_string),
                category: category?,
                in_stock: in_stock?.unwrap_or_default(),
                sort: sort?,
                limit,
                after,
                uncounted: false,
            })
        })();
        fields.all(whole)
    }
}

/// The products for a path and a query string that requests a page, and the headers to send with them.
///
/// # Errors
/// [`Problem`] if a parameter is invalid or the whole list is requested, or if the store failed.
pub(crate) async fn find(
    app: &AppState,
    path: &str,
    query: &str,
) -> Result<(Vec<(&'static str, String)>, Vec<ProductView>), Problem> {
    let asked = parsed::<Filter>(query)?.parse(&parsed(query)?)?;
    if asked.limit.is_none() {
        return Err(Problem::bad_request("A page is shorter than the whole list"));
    }
    let ProductPage { products, total, next } = app.shop.browse_products(&asked).await?;
    Ok((page::headers(path, query, total, next.map(ProductPlace)), products.into_iter().map(Into::into).collect()))
}

/// All products that match. A list that fits one page is tagged by its content. A longer list is never in memory as a
/// whole, so its tag is made of the state of all products instead.
async fn whole(app: Data<AppState>, request: &HttpRequest, asked: ProductQuery) -> Result<HttpResponse, Problem> {
    let part = ProductQuery { limit: Some(PART), ..asked.clone() };
    let uncounted = asked.after.is_none();
    let first = app.shop.browse_products(&ProductQuery { uncounted, ..part.clone() }).await?;
    let mut response = HttpResponse::Ok();
    if first.next.is_none() {
        let total = if uncounted { first.products.len().to_string() } else { first.total.to_string() };
        response.insert_header((page::TOTAL, total));
        return cache::json(request, response, &views(first.products));
    }
    // Read before the list: if the list changes meanwhile, it is sent under a tag that is already outdated.
    let state = app.shop.state_of_products().await?;
    let tag = cache::tag(format!("{state} {}", request.uri()).as_bytes());
    cache::tag_of(&mut response, &tag);
    if cache::has_already(request, &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    let first = app.shop.browse_products(&ProductQuery { uncounted: false, ..part.clone() }).await?;
    response.insert_header((page::TOTAL, first.total.to_string()));
    let read = move |after| {
        let (app, part) = (app.clone(), ProductQuery { after: Some(after), uncounted: true, ..part.clone() });
        async move {
            let ProductPage { products, next, .. } = app.shop.browse_products(&part).await?;
            Ok((views(products), next))
        }
    };
    Ok(array::send(response, (views(first.products), first.next), read))
}

fn views(products: Vec<Product>) -> Vec<ProductView> {
    products.into_iter().map(Into::into).collect()
}

/// The product with this id.
///
/// # Errors
/// [`Problem`] if there is none, or the store failed.
pub(crate) async fn find_one(app: &AppState, named: &str) -> Result<ProductView, Problem> {
    Ok(app.shop.product(id(named)?).await?.ok_or_else(Problem::not_found)?.into())
}

/// All products, or the requested page of them.
#[utoipa::path(
    get, path = "/products", tag = "products", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Products", body = [ProductView],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let asked = parsed::<Filter>(request.query_string())?.parse(&parsed(request.query_string())?)?;
    if asked.limit.is_none() {
        return whole(app, &request, asked).await;
    }
    let (headers, views) = find(&app, request.path(), request.query_string()).await?;
    let mut response = HttpResponse::Ok();
    for header in headers {
        response.insert_header(header);
    }
    cache::json(&request, response, &views)
}

/// One product.
#[utoipa::path(
    get, path = "/products/{id}", tag = "products", params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "The product", body = ProductView),
        (status = 404, description = "No such product", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    cache::json(&request, HttpResponse::Ok(), &find_one(&app, &path).await?)
}

/// A product to be added.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewProduct {
    /// Up to 200 characters.
    #[schema(required, nullable = false)]
    pub(super) name: Option<String>,
    /// Up to 5,000 characters.
    #[schema(required, nullable = false)]
    pub(super) description: Option<String>,
    /// Dollars for one unit, at least 0.01.
    #[schema(required, nullable = false)]
    pub(super) price: Option<f64>,
    #[schema(required, nullable = false, value_type = CategoryName)]
    pub(super) category: Option<String>,
    /// Units in stock.
    #[schema(required, nullable = false, value_type = i64)]
    pub(super) available_qty: Option<Whole>,
    /// The smallest quantity that may be ordered; below 50 it is 50.
    #[schema(nullable = false, value_type = Option<i64>)]
    pub(super) min_order: Option<Whole>,
    /// An http(s) address or a path of this shop.
    #[schema(required, nullable = false)]
    pub(super) img: Option<String>,
    /// The maker's number, up to 60 characters.
    pub(super) part_number: Option<String>,
}

impl NewProduct {
    fn parse(self) -> Result<ProductDraft, Problem> {
        self.judge().map_err(Problem::invalid)
    }

    /// Parses the draft, or returns the errors of its fields.
    pub(super) fn judge(self) -> Result<ProductDraft, Vec<FieldError>> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let description = fields.required("description", "Description", self.description.as_deref(), Text::new);
        let price = fields.required("price", "Price", self.price, UnitPrice::from_dollars);
        let category = fields.required("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let available =
            fields.required("availableQty", "Available quantity", self.available_qty, |units| Stock::new(units.0));
        let min_order = fields.optional("minOrder", "Minimum order", self.min_order, |units| match units.0 {
            i64::MIN..0 => Err("must not be negative"),
            units => MinOrder::effective(units).map_err(|_| "is more than any shelf holds"),
        });
        let img = fields.required("img", "Image", self.img.as_deref(), str::parse::<PictureUrl>);
        let part_number = fields
            .optional("partNumber", "Part number", self.part_number.as_deref(), |number| Text::optional(Some(number)));
        let whole = (|| {
            Some(ProductDraft {
                name: name?,
                description: description?,
                part_number: part_number?.flatten(),
                category: category?,
                img: img?,
                price: price?,
                min_order: match min_order? {
                    Some(minimum) => minimum,
                    None => MinOrder::effective(0).ok()?,
                },
                available: available?,
            })
        })();
        fields.judge(whole)
    }
}

/// Adds a product (admins).
#[utoipa::path(
    post, path = "/products", tag = "products", request_body = NewProduct, security(("bearer" = [])),
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn add(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewProduct>,
) -> Result<HttpResponse, Problem> {
    let added = app.shop.add_product(&caller, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// The arriving units, and the price from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Restock {
    /// How many units to add; none is allowed.
    #[schema(required, nullable = false, value_type = i64)]
    updated_quantity: Option<Whole>,
    /// Dollars for one unit, at least 0.01.
    #[schema(required, nullable = false)]
    updated_price: Option<f64>,
    /// Dollars for one unit as the caller last saw them: if the price is another one, nothing changes and the response
    /// is a 409 with it.
    seen_price: Option<f64>,
}

impl Restock {
    fn parse(
        self,
        product: ProductId,
        idempotency_key: Option<ports::IdempotencyKey>,
    ) -> Result<RestockProduct, Problem> {
        let mut fields = Fields::default();
        let arriving =
            fields.required::<_, _, StockError>("updatedQuantity", "Quantity", self.updated_quantity, |units| {
                Stock::new(units.0)
            });
        let price = fields.required("updatedPrice", "Price", self.updated_price, UnitPrice::from_dollars);
        let seen = fields.optional("seenPrice", "Seen price", self.seen_price, UnitPrice::from_dollars);
        let whole = (|| {
            Some(RestockProduct { product, arriving: arriving?, price: price?, seen_price: seen?, idempotency_key })
        })();
        fields.all(whole)
    }
}

/// Adds units to a product's stock and sets its price (admins).
#[utoipa::path(
    put, path = "/products/{id}", tag = "products", request_body = Restock, security(("bearer" = [])),
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Restocked", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such product", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Another price than `seenPrice` (`price`)", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn restock(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<Restock>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.restock_product(&caller, sent.parse(id(&path)?, idempotency_key)?).await?;
    Ok(web::Json(true.into()))
}

/// Archives a product (admins); orders keep their snapshot.
#[utoipa::path(
    delete, path = "/products/{id}", tag = "products", security(("bearer" = [])),
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn archive(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    let archived = app.shop.archive_product(&caller, id(&path)?).await?;
    Ok(web::Json(archived.into()))
}

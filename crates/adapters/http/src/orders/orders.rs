//! Orders.

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use application::{PlaceOrder, ProductSelector, RefundCommand};
use domain::orders::order::Fulfilment;
use domain::{Category, Money, Order, OrderEvent, OrderEventKind, Payment, PictureUrl, Role, Standing, Text};
use ports::{OrderPage, OrderQuery, OrderSort, OrderState};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, MaybeJson, id, query};
use crate::problem::{Problem, ProblemView};
use crate::wire::array::{self, PART};
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::csv;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::page::{self, PageQuery};
use crate::wire::whole::Whole;
use crate::wire::words::{CategoryName, word};

/// The payment of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentView {
    /// The order's id.
    product: String,
    /// The provider's id of the payment.
    transaction_id: String,
    status: PaymentStatus,
}

/// Whether the shop holds the money, or sent it back.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PaymentStatus {
    Paid,
    Refunded,
}

/// `Pending` until an order ships, `paid` from then on.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) enum OrderStatus {
    Pending,
    #[serde(rename = "paid")]
    Shipped,
}

/// An order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Order)]
pub(crate) struct OrderView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// What people call it by, such as `DL-10428`.
    #[schema(required)]
    number: Option<String>,
    product_id: String,
    /// The buyer's name.
    name: String,
    /// The buyer's e-mail.
    email: String,
    phone: String,
    address: String,
    product_name: String,
    /// The maker's number of the product, if it had one when it was ordered.
    #[schema(required)]
    part_number: Option<String>,
    category: CategoryName,
    /// How the product was described when it was ordered.
    description: String,
    /// The same.
    details: String,
    img: String,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    unit_price: Dollars,
    quantity: u32,
    /// The total in dollars.
    #[schema(value_type = f64)]
    price: Dollars,
    /// Whether the money is in.
    paid: bool,
    status: OrderStatus,
    #[schema(required)]
    payment: Option<PaymentView>,
    /// RFC 3339, UTC.
    created_at: String,
    /// Until when its units are kept: the order is cancelled if it is not paid by then. Null once it is paid or shipped.
    #[schema(required)]
    reserved_until: Option<String>,
    /// RFC 3339, UTC.
    #[schema(required)]
    paid_at: Option<String>,
    /// RFC 3339, UTC.
    #[schema(required)]
    shipped_at: Option<String>,
    /// RFC 3339, UTC; only lists that are asked for cancelled orders have any.
    #[schema(required)]
    cancelled_at: Option<String>,
    /// Whether a card can pay it: up to $999,999.99. A larger order is sent on account.
    payable_by_card: bool,
}

impl From<Order> for OrderView {
    fn from(order: Order) -> Self {
        let id = order.id.to_string();
        let (payment, paid_at) = match &order.progress.payment {
            Payment::Unpaid => (None, None),
            Payment::Paid { transaction, at } => (Some((transaction, PaymentStatus::Paid)), Some(at.to_string())),
            Payment::Refunded { transaction, .. } => (Some((transaction, PaymentStatus::Refunded)), None),
        };
        let payment = payment.map(|(transaction, status)| PaymentView {
            product: id.clone(),
            transaction_id: transaction.to_string(),
            status,
        });
        let (status, shipped_at) = match order.progress.fulfilment {
            Fulfilment::Pending => (OrderStatus::Pending, None),
            Fulfilment::Shipped { at } => (OrderStatus::Shipped, Some(at.to_string())),
        };
        let cancelled_at = match order.progress.standing {
            Standing::Open => None,
            Standing::Cancelled { at } => Some(at.to_string()),
        };
        let payable_by_card = order.is_payable_by_card();
        let reserved_until = order.reserved_until().map(|until| until.to_string());
        let details = order.item.details.into_string();
        Self {
            id,
            number: order.assigned.number.map(|number| number.to_string()),
            product_id: order.item.product.to_string(),
            name: order.contact.name.into_string(),
            email: order.contact.email.to_string(),
            phone: order.contact.phone.into_string(),
            address: order.contact.address.into_string(),
            product_name: order.item.name.into_string(),
            part_number: order.item.part_number.map(Text::into_string),
            category: CategoryName(order.item.category),
            description: details.clone(),
            details,
            img: order.item.img.to_string(),
            unit_price: Dollars(order.item.unit_price.money()),
            quantity: order.item.quantity.get(),
            price: Dollars(order.item.total),
            paid: order.progress.payment.is_paid(),
            status,
            payment,
            created_at: order.placed_at.to_string(),
            reserved_until,
            paid_at,
            shipped_at,
            cancelled_at,
            payable_by_card,
        }
    }
}

impl OrderView {
    /// As a row of a file.
    fn cells(self) -> Vec<String> {
        vec![
            self.id,
            self.created_at,
            self.name,
            self.email,
            self.phone,
            self.address,
            self.product_name,
            self.category.0.as_str().to_owned(),
            self.quantity.to_string(),
            self.unit_price.plain(),
            self.price.plain(),
            self.paid.to_string(),
            self.payment.map(|payment| payment.transaction_id).unwrap_or_default(),
            self.paid_at.unwrap_or_default(),
            match self.status {
                OrderStatus::Pending => "Pending",
                OrderStatus::Shipped => "paid",
            }
            .to_owned(),
            self.shipped_at.unwrap_or_default(),
            self.number.unwrap_or_default(),
            self.part_number.unwrap_or_default(),
        ]
    }
}

/// An order to be placed. Name, category, details, picture, price and status are accepted and never believed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewOrder {
    /// The buyer's name, up to 120 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// The buyer's own e-mail; another's is refused.
    email: Option<String>,
    /// Units: a whole number from the product's minimum up to what is available.
    #[schema(required, nullable = false, value_type = i64)]
    quantity: Option<Whole>,
    /// The total in dollars as the buyer was shown it; another one than ours is a 409.
    price: Option<f64>,
    /// Where it goes, up to 500 characters.
    #[schema(required, nullable = false)]
    address: Option<String>,
    /// Up to 40 characters.
    #[schema(required, nullable = false)]
    phone: Option<String>,
    /// Which product; without it the only one with this `productName`, `category` and `img`.
    product_id: Option<String>,
    product_name: Option<String>,
    #[schema(value_type = Option<CategoryName>)]
    category: Option<String>,
    img: Option<String>,
}

impl NewOrder {
    fn parse(self, idempotency_key: Option<ports::IdempotencyKey>) -> Result<PlaceOrder, Problem> {
        let mut fields = Fields::default();
        let selector = match self.product_id.as_deref() {
            Some(product) => Some(ProductSelector::ById(id(product)?)),
            None => self.attributes(&mut fields),
        };
        let quantity = fields.required::<_, _, &str>("quantity", "Quantity", self.quantity, |units| Ok(units.0));
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let phone = fields.required("phone", "Phone", self.phone.as_deref(), Text::new);
        let address = fields.required("address", "Address", self.address.as_deref(), Text::new);
        let whole = (|| {
            Some(PlaceOrder {
                selector: selector?,
                quantity: quantity?,
                shown_total: self.price,
                name: name?,
                email: self.email,
                phone: phone?,
                address: address?,
                idempotency_key,
            })
        })();
        fields.all(whole)
    }

    fn attributes(&self, fields: &mut Fields) -> Option<ProductSelector> {
        let name = fields.required::<_, _, &str>("productName", "Product name", self.product_name.clone(), Ok);
        let category = fields.required("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let img = fields.required("img", "Image", self.img.as_deref(), str::parse::<PictureUrl>);
        Some(ProductSelector::ByAttributes { name: name?, category: category?, img: img? })
    }
}

/// Places an order and takes its units out of stock. One above $999,999.99 is placed too: no card can pay it
/// (`payableByCard`), so it is sent on account.
#[utoipa::path(
    post, path = "/orders", tag = "orders", request_body = NewOrder, security(("bearer" = [])),
    responses(
        (status = 201, description = "Placed", body = InsertedId),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Another's e-mail", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such product", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Not enough in stock (`available`), another price (`price`, `unitPrice`), or as many unpaid orders as an account that never paid may have (`most`)", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn place(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewOrder>,
) -> Result<HttpResponse, Problem> {
    let placed = app.shop.place_order(&caller, sent.parse(idempotency_key)?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&placed)))
}

/// Whose orders.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// The buyer's e-mail; without it one's own.
    email: Option<String>,
    /// `standing` without it.
    #[param(value_type = Option<StateWord>)]
    state: Option<String>,
}

/// A person's orders, latest first.
#[utoipa::path(
    get, path = "/orders", tag = "orders", params(ListQuery), security(("bearer" = [])),
    responses(
        (status = 200, description = "Orders", body = [OrderView]),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "A parameter makes no sense", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Another's", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let asked = query::<ListQuery>(&request)?;
    let mut fields = Fields::default();
    let state = state(&mut fields, asked.state.as_deref());
    let state = fields.all(state)?;
    let read = move |after| {
        let (app, caller, email) = (app.clone(), caller.clone(), asked.email.clone());
        let part = OrderQuery { state, limit: Some(PART), after, uncounted: true, ..OrderQuery::default() };
        async move {
            let OrderPage { orders, next, .. } = app.shop.orders_of(&caller, email.as_deref(), &part).await?;
            Ok::<_, Problem>((views(orders), next))
        }
    };
    let first = read(None).await?;
    Ok(array::send(HttpResponse::Ok(), first, move |after| read(Some(after))))
}

fn views(orders: Vec<Order>) -> Vec<OrderView> {
    orders.into_iter().map(Into::into).collect()
}

/// In which order orders come: latest or first placed first, smallest or largest total first.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderSort)]
pub(crate) enum SortWord {
    Newest,
    Oldest,
    Price,
    #[serde(rename = "-price")]
    PriceDown,
}

impl From<SortWord> for OrderSort {
    fn from(sort: SortWord) -> Self {
        match sort {
            SortWord::Newest => Self::Newest,
            SortWord::Oldest => Self::Oldest,
            SortWord::Price => Self::PriceUp,
            SortWord::PriceDown => Self::PriceDown,
        }
    }
}

/// Which orders: those that stand, of these those not shipped, shipped, not paid, or neither paid nor shipped, which keep
/// units and lapse; those whose money went back, those that were cancelled, or all there ever were.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderState)]
pub(crate) enum StateWord {
    Standing,
    Waiting,
    Shipped,
    Unpaid,
    Reserved,
    Refunded,
    Cancelled,
    All,
}

fn state(fields: &mut Fields, sent: Option<&str>) -> Option<OrderState> {
    let state = fields.optional("state", "State", sent, |state| {
        word::<StateWord>(state)
            .map(OrderState::from)
            .ok_or("must be standing, waiting, shipped, unpaid, reserved, refunded, cancelled or all")
    });
    state.map(Option::unwrap_or_default)
}

impl From<StateWord> for OrderState {
    fn from(state: StateWord) -> Self {
        match state {
            StateWord::Standing => Self::Standing,
            StateWord::Reserved => Self::Reserved,
            StateWord::Refunded => Self::Refunded,
            StateWord::Cancelled => Self::Cancelled,
            StateWord::All => Self::All,
            StateWord::Waiting => Self::Waiting,
            StateWord::Shipped => Self::Shipped,
            StateWord::Unpaid => Self::Unpaid,
        }
    }
}

/// Which of everybody's orders.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those in which every word of this occurs: in the buyer's name, e-mail or phone, the product's name, or the id.
    q: Option<String>,
    /// `standing` without it.
    #[param(value_type = Option<StateWord>)]
    state: Option<String>,
    /// `newest` without it.
    #[param(value_type = Option<SortWord>)]
    sort: Option<String>,
}

impl Filter {
    fn parse(&self, page: &PageQuery) -> Result<OrderQuery, Problem> {
        let mut fields = Fields::default();
        let part = page.parse(&mut fields);
        let search = fields.optional("q", "Search", self.q.as_deref(), |q| Text::<200>::optional(Some(q)));
        let state = state(&mut fields, self.state.as_deref());
        let sort = fields.optional("sort", "Sort", self.sort.as_deref(), |sort| {
            word::<SortWord>(sort).map(OrderSort::from).ok_or("must be newest, oldest, price or -price")
        });
        let whole = (|| {
            let (limit, after) = part?;
            Some(OrderQuery {
                customer: None,
                search: search?.flatten().map(Text::into_string),
                state: state?,
                sort: sort?.unwrap_or_default(),
                limit,
                after,
                uncounted: false,
            })
        })();
        fields.all(whole)
    }
}

/// Everybody's orders, or the page of them that is asked for (admins).
#[utoipa::path(
    get, path = "/allOrders", tag = "orders", params(PageQuery, Filter), security(("bearer" = [])),
    responses(
        (status = 200, description = "Orders", body = [OrderView],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "A parameter makes no sense", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list_all(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let asked = query::<Filter>(&request)?.parse(&query(&request)?)?;
    if asked.limit.is_some() {
        let OrderPage { orders, total, next } = app.shop.list_orders(&caller, &asked).await?;
        return Ok(page::answer::<OrderView>(&request, orders, total, next));
    }
    let first = OrderQuery { limit: Some(PART), ..asked };
    let OrderPage { orders, total, next } = app.shop.list_orders(&caller, &first).await?;
    let is_whole = first.after.is_none() && next.is_none();
    let total = if is_whole { orders.len().to_string() } else { total.to_string() };
    let mut response = HttpResponse::Ok();
    response.insert_header((page::TOTAL, total));
    let read = move |after| {
        let (app, caller) = (app.clone(), caller.clone());
        let part = OrderQuery { after: Some(after), uncounted: true, ..first.clone() };
        async move {
            let OrderPage { orders, next, .. } = app.shop.list_orders(&caller, &part).await?;
            Ok((views(orders), next))
        }
    };
    Ok(array::send(response, (views(orders), next), read))
}

/// What a file of orders has, and in which order.
const COLUMNS: [&str; 18] = [
    "id",
    "createdAt",
    "name",
    "email",
    "phone",
    "address",
    "productName",
    "category",
    "quantity",
    "unitPrice",
    "price",
    "paid",
    "transactionId",
    "paidAt",
    "status",
    "shippedAt",
    "number",
    "partNumber",
];

/// How many orders are read at once while a file goes out.
const FILE_PAGE: u32 = 500;

/// Everybody's orders as CSV (admins), all that match. A cell that a spreadsheet would take for a formula has an apostrophe in
/// front.
#[utoipa::path(
    get, path = "/allOrders.csv", tag = "orders", params(Filter), security(("bearer" = [])),
    responses(
        (status = 200, description = "A file: `id,createdAt,name,email,phone,address,productName,category,quantity,unitPrice,\
            price,paid,transactionId,paidAt,status,shippedAt,number,partNumber`", content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"orders-2026-11-21.csv\"`"))),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "A parameter makes no sense", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn export(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let asked = query::<Filter>(&request)?.parse(&PageQuery::default())?;
    let now = app.shop.clock.now();
    let read = move |after| {
        let (app, caller) = (app.clone(), caller.clone());
        let part = OrderQuery { limit: Some(FILE_PAGE), after, uncounted: true, ..asked.clone() };
        async move {
            let OrderPage { orders, next, .. } = app.shop.list_orders(&caller, &part).await?;
            Ok((orders.into_iter().map(|order| OrderView::from(order).cells()).collect(), next))
        }
    };
    csv::send("orders", now, &COLUMNS, read).await
}

/// One order.
#[utoipa::path(
    get, path = "/orders/{id}", tag = "orders", security(("bearer" = [])),
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "The order", body = OrderView),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Another's, cancelled, or never was", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<OrderView>, Problem> {
    Ok(web::Json(app.shop.order(&caller, id(&path)?).await?.into()))
}

/// Cancels an unpaid order; its units go back to the shelf.
#[utoipa::path(
    delete, path = "/orders/{id}", tag = "orders", security(("bearer" = [])),
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Another's, or never was", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Paid or shipped", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn cancel(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.cancel_order(&caller, id(&path)?).await?.into()))
}

/// Ships an order (admins); an unpaid one on account.
#[utoipa::path(
    put, path = "/orders/status/{id}", tag = "orders", security(("bearer" = [])),
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Cancelled, or never was", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Refunded, disputed, or refunded at the payment provider", body = ProblemView, content_type = "application/problem+json"),
        (status = 503, description = "The payment provider does not say whether the money is still there", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn ship(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    Ok(web::Json(app.shop.ship_order(&caller, id(&path)?).await?.into()))
}

/// What is to be sent back.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewRefund {
    /// How many cents; whatever is left without it.
    #[schema(value_type = Option<i64>, minimum = 1)]
    cents: Option<Whole>,
    /// Why, for the record; up to 500 characters.
    reason: Option<String>,
}

impl NewRefund {
    fn parse(self, idempotency_key: Option<ports::IdempotencyKey>) -> Result<RefundCommand, Problem> {
        let mut fields = Fields::default();
        let amount = fields.optional("cents", "Cents", self.cents, |cents| {
            Money::from_cents(cents.0).ok().filter(|amount| *amount > Money::ZERO).ok_or("must be 1 or more")
        });
        let reason =
            fields.optional("reason", "Reason", self.reason.as_deref(), |reason| Text::<500>::optional(Some(reason)));
        let whole = (|| Some(RefundCommand { amount: amount?, reason: reason?.flatten(), idempotency_key }))();
        fields.all(whole)
    }
}

/// Refunds a paid order, all that is left of it or a part (admins). All of one that has not left calls it off: its units go
/// back to stock. The money goes back at once or as soon as the payment provider answers.
#[utoipa::path(
    post, path = "/orders/{id}/refund", tag = "orders", security(("bearer" = [])),
    params(("id" = String, Path, description = "The order's id")),
    request_body(content = Option<NewRefund>, content_type = "application/json"),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Cancelled unpaid, or never was", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Unpaid", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "More than is left (`left`), or invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn refund(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    MaybeJson(sent): MaybeJson<NewRefund>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let command = sent.unwrap_or_default().parse(idempotency_key)?;
    Ok(web::Json(app.shop.refund_order(&caller, id(&path)?, command).await?.into()))
}

/// What happened to an order.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = OrderEventKind)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventKindView {
    Ordered,
    Paid,
    Shipped,
    Cancelled,
    /// All of its money went back.
    Refunded,
    /// Some of its money went back.
    PartlyRefunded,
    /// Money that was sent back did not arrive, and is owed again.
    RefundFailed,
    /// A second payment came in; it goes back.
    Overpaid,
    /// The buyer's bank asked for the money.
    Disputed,
    /// The bank decided.
    DisputeClosed,
}

/// One entry of an order's timeline.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OrderEvent)]
pub(crate) struct EventView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    what: EventKindView,
    /// An e-mail, or `Driveline` for the shop itself and, to customers, for its staff.
    who: String,
    /// RFC 3339, UTC.
    when: String,
    /// Whether it left before it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    on_account: Option<bool>,
    /// The payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    transaction_id: Option<String>,
    /// Units ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    quantity: Option<u32>,
    /// The total in dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    price: Option<Dollars>,
    /// Dollars that went back, came twice, or are disputed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    amount: Option<Dollars>,
    /// Whether the money of a dispute stays here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    won: Option<bool>,
}

impl EventView {
    fn new(event: &OrderEvent, who: &str) -> Self {
        let bare = |what| Self {
            id: event.id.to_string(),
            what,
            who: who.to_owned(),
            when: event.at.to_string(),
            on_account: None,
            transaction_id: None,
            quantity: None,
            price: None,
            amount: None,
            won: None,
        };
        let money = |what, transaction: &domain::TransactionId, amount: Money| Self {
            transaction_id: Some(transaction.to_string()),
            amount: Some(Dollars(amount)),
            ..bare(what)
        };
        match &event.kind {
            OrderEventKind::Ordered { item, .. } => Self {
                quantity: Some(item.quantity.get()),
                price: Some(Dollars(item.total)),
                ..bare(EventKindView::Ordered)
            },
            OrderEventKind::Paid { transaction } => {
                Self { transaction_id: Some(transaction.to_string()), ..bare(EventKindView::Paid) }
            }
            OrderEventKind::Shipped { on_account } => {
                Self { on_account: Some(*on_account), ..bare(EventKindView::Shipped) }
            }
            OrderEventKind::Cancelled => bare(EventKindView::Cancelled),
            OrderEventKind::Refunded { transaction } => {
                Self { transaction_id: Some(transaction.to_string()), ..bare(EventKindView::Refunded) }
            }
            OrderEventKind::PartlyRefunded(back) => {
                money(EventKindView::PartlyRefunded, &back.transaction, back.amount)
            }
            OrderEventKind::RefundFailed(back) => money(EventKindView::RefundFailed, &back.transaction, back.amount),
            OrderEventKind::Overpaid { transaction, amount } => money(EventKindView::Overpaid, transaction, *amount),
            OrderEventKind::Disputed { transaction, amount, .. } => {
                money(EventKindView::Disputed, transaction, *amount)
            }
            OrderEventKind::DisputeClosed { transaction, won, .. } => Self {
                transaction_id: Some(transaction.to_string()),
                won: Some(*won),
                ..bare(EventKindView::DisputeClosed)
            },
        }
    }
}

/// An order's timeline, oldest entry first; a cancelled order's too.
#[utoipa::path(
    get, path = "/orders/{id}/events", tag = "orders", security(("bearer" = [])),
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "Who did what, and when", body = [EventView]),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Another's, or never was", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn timeline(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<EventView>>, Problem> {
    let events = app.shop.timeline(&caller, id(&path)?).await?;
    let reader = (caller.role != Role::Admin).then_some(caller.account);
    Ok(web::Json(events.iter().map(|event| EventView::new(event, event.signature(reader))).collect()))
}

//! Shared fixtures: a database, accounts, products, and a way to run many calls concurrently.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use domain::Actor;
use domain::orders::order::{Change, EventMeta};
use domain::{
    Account, AccountId, Category, Contact, EventId, MinOrder, Order, OrderEvent, OrderId, Product, ProductDetails,
    ProductId, Quantity, Role, Stock, Text, Timestamp, TransactionId, UnitPrice,
};
use persistence::Database;
use ports::{
    AccountRepository, AccountTokenRepository, Applied, CatalogLog, CatalogSearch, DocumentRepository, Fingerprint,
    GarageRepository, IdempotencyKey, IdempotencyStore, KeyDigest, LoginAttempts, NewAccount, NewOrder, NewProduct,
    NewsletterRepository, NoteRepository, OrderQuery, OrderRepository, Outbox, OwnershipRepository, Page, Pagination,
    PartRepository, PasswordHash, PaymentAttempts, PaymentEvents, PlaceError, PriceBasis, PriceEpoch, ProductCursor,
    ProductQuery, ProductRepository, ProfileRepository, RefundRepository, ReservationRules, ReturnRepository,
    ReviewRepository, SalesRepository, SessionRepository,
};
use testkit::TestDatabase;
use uuid::Uuid;

pub(crate) struct World {
    pub(crate) database: Database,
    // Dropped after the pool, so that the pool's connections are not cut off in the middle of a statement.
    test: TestDatabase,
}

impl World {
    /// A migrated, empty database with a small connection pool.
    pub(crate) async fn fresh() -> Self {
        Self::with_pool(4).await
    }

    pub(crate) async fn with_pool(pool_size: u32) -> Self {
        let test = TestDatabase::fresh(migrate);
        let database = Database::connect(test.url(), pool_size, Duration::from_secs(10)).await.unwrap();
        Self { database, test }
    }

    pub(crate) fn url(&self) -> &str {
        self.test.url()
    }

    pub(crate) fn orders(&self) -> &dyn OrderRepository {
        &self.database
    }

    pub(crate) fn products(&self) -> &dyn ProductRepository {
        &self.database
    }

    pub(crate) fn search(&self) -> &dyn CatalogSearch {
        &self.database
    }

    pub(crate) fn log(&self) -> &dyn CatalogLog {
        &self.database
    }

    pub(crate) fn parts(&self) -> &dyn PartRepository {
        &self.database
    }

    /// A page of products, as `GET /products` lists them.
    pub(crate) async fn found(&self, query: &ProductQuery) -> Page<Product, ProductCursor> {
        if !query.is_search() {
            return self.products().list(query).await.unwrap();
        }
        let Page { items: hits, total, next } = self.search().search(query).await.unwrap();
        let ids: Vec<ProductId> = hits.iter().map(|hit| hit.id).collect();
        let products = self.products().find_all(&ids, query.archived).await.unwrap();
        let with = |id: &ProductId| products.iter().find(|product| product.id == *id).cloned();
        Page { items: ids.iter().filter_map(with).collect(), total, next }
    }

    pub(crate) fn accounts(&self) -> &dyn AccountRepository {
        &self.database
    }

    pub(crate) fn ownership(&self) -> &dyn OwnershipRepository {
        &self.database
    }

    pub(crate) fn account_tokens(&self) -> &dyn AccountTokenRepository {
        &self.database
    }

    pub(crate) fn sessions(&self) -> &dyn SessionRepository {
        &self.database
    }

    pub(crate) fn payment_attempts(&self) -> &dyn PaymentAttempts {
        &self.database
    }

    pub(crate) fn refunds(&self) -> &dyn RefundRepository {
        &self.database
    }

    pub(crate) fn payment_events(&self) -> &dyn PaymentEvents {
        &self.database
    }

    pub(crate) fn outbox(&self) -> &dyn Outbox {
        &self.database
    }

    pub(crate) fn idempotency(&self) -> &dyn IdempotencyStore {
        &self.database
    }

    pub(crate) fn login_attempts(&self) -> &dyn LoginAttempts {
        &self.database
    }

    pub(crate) fn profiles(&self) -> &dyn ProfileRepository {
        &self.database
    }

    /// A customer's orders, as `GET /orders` lists them.
    pub(crate) async fn orders_of(&self, customer: AccountId) -> Vec<Order> {
        let query =
            OrderQuery { customer: Some(customer), page: Pagination::batch(500, None), ..OrderQuery::default() };
        self.orders().list(&query).await.unwrap().items
    }

    pub(crate) fn reviews(&self) -> &dyn ReviewRepository {
        &self.database
    }

    pub(crate) fn sales(&self) -> &dyn SalesRepository {
        &self.database
    }

    pub(crate) fn notes(&self) -> &dyn NoteRepository {
        &self.database
    }

    pub(crate) fn returns(&self) -> &dyn ReturnRepository {
        &self.database
    }

    pub(crate) fn documents(&self) -> &dyn DocumentRepository {
        &self.database
    }

    pub(crate) fn garage(&self) -> &dyn GarageRepository {
        &self.database
    }

    pub(crate) fn newsletter(&self) -> &dyn NewsletterRepository {
        &self.database
    }

    /// Adds a customer account.
    pub(crate) async fn customer(&self, email: &str) -> Account {
        self.account_as(email, Role::Customer).await
    }

    pub(crate) async fn account_as(&self, email: &str, role: Role) -> Account {
        let account = account(email, role);
        self.accounts().add(&new_account(&account)).await.unwrap();
        account
    }

    /// Adds a product with this many units in stock.
    pub(crate) async fn product(&self, units: i64) -> Product {
        self.add(product("Ventilated brake disc", units)).await
    }

    pub(crate) async fn add(&self, product: Product) -> Product {
        let new = NewProduct { product: product.clone(), by: Actor::Shop, idempotency_key: None };
        assert_eq!(self.products().add(&new).await.unwrap(), product.id);
        product
    }

    /// The units in stock of a product that is not archived.
    pub(crate) async fn stock_of(&self, id: ProductId) -> u32 {
        let product = self.products().find(id).await.unwrap();
        product.map_or_else(|| panic!("product {id} is gone"), |product| product.details.available.get())
    }

    pub(crate) async fn place(&self, customer: &Account, product: &Product, units: i64) -> Result<OrderId, PlaceError> {
        self.orders().place(&new_order(customer, product, units, None)).await
    }

    pub(crate) async fn order(&self, id: OrderId) -> Order {
        self.orders().find(id).await.unwrap().unwrap()
    }

    /// Places an order of fifty units and reads it.
    pub(crate) async fn fifty(&self, customer: &Account, product: &Product) -> Order {
        let id = self.place(customer, product, 50).await.unwrap();
        self.order(id).await
    }

    /// Writes a change that no other call contends with.
    pub(crate) async fn write(&self, change: &Change) -> Order {
        assert_eq!(self.orders().apply(change).await.unwrap(), Applied::Written);
        change.after.clone()
    }

    /// Folds everything into the counts. That takes until all transactions of the server have ended that are open now.
    pub(crate) async fn fold(&self) {
        let left = "SELECT (SELECT count(*) FROM orders, rollups WHERE name = 'orders' AND number > folded_to)
            + (SELECT count(*) FROM revenue_ledger, rollups WHERE name = 'revenue' AND id > folded_to)
            + (SELECT count(*) FROM orders, sales_rollups WHERE name = 'placed' AND number > folded_to)
            + (SELECT count(*) FROM revenue_ledger, sales_rollups WHERE name = 'sales' AND id > folded_to)
            + (SELECT count(*) FROM order_changes) + (SELECT count(*) FROM account_changes)";
        for _ in 0..400 {
            self.orders().fold(1_000).await.unwrap();
            self.accounts().fold(1_000).await.unwrap();
            if self.count(left) == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("nothing is folded");
    }

    pub(crate) async fn timeline(&self, id: OrderId) -> Vec<OrderEvent> {
        self.orders().timeline(id).await.unwrap()
    }

    /// A connection that bypasses our code.
    pub(crate) fn raw(&self) -> PgConnection {
        PgConnection::establish(self.url()).unwrap()
    }

    /// Runs a statement that bypasses our code.
    pub(crate) fn sql(&self, statement: &str) {
        self.raw().batch_execute(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
    }

    /// Reads one number by a query that bypasses our code.
    pub(crate) fn count(&self, query: &str) -> i64 {
        #[derive(QueryableByName)]
        struct Count {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            n: i64,
        }
        diesel::sql_query(format!("SELECT ({query})::bigint AS n"))
            .get_result::<Count>(&mut self.raw())
            .unwrap_or_else(|error| panic!("{query}: {error}"))
            .n
    }

    /// Asserts that the database refuses a statement with this name: a constraint, or part of a trigger's message.
    #[track_caller]
    pub(crate) fn refuses(&self, statement: &str, name: &str) {
        let refused = self.raw().batch_execute(statement);
        let Err(diesel::result::Error::DatabaseError(_, info)) = refused else {
            panic!("{statement}: succeeded, but {name} should have refused it ({refused:?})");
        };
        let message = format!("{} {}", info.constraint_name().unwrap_or_default(), info.message());
        assert!(message.contains(name), "{statement}: refused by {message:?} and not by {name:?}");
    }

    /// Asserts every database invariant.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        assert_eq!(testkit::invariants(self.url()), Vec::<String>::new());
    }
}

/// Migrates an empty database; can be called inside and outside a runtime.
pub(crate) fn migrate(url: &str) {
    std::thread::scope(|scope| {
        let migrating = scope.spawn(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(persistence::migrations::run(url)).unwrap()
        });
        assert!(!migrating.join().unwrap().is_empty());
    });
}

/// An id that is unique in this process; later ids are larger.
pub(crate) fn id() -> Uuid {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    Uuid::from_u128(u128::from(NEXT.fetch_add(1, Ordering::Relaxed)))
}

/// A time in seconds after a fixed start.
pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

/// An idempotency key with the fingerprint of the one request that is sent under it.
pub(crate) fn key(n: u8) -> IdempotencyKey {
    IdempotencyKey { key: KeyDigest([n; 32]), fingerprint: Fingerprint([n; 32]) }
}

pub(crate) fn account(email: &str, role: Role) -> Account {
    Account {
        id: AccountId::new(id()),
        email: email.parse().unwrap(),
        display_name: Text::new("Customer").unwrap(),
        photo_url: None,
        role,
        created_at: at(0),
        email_verified_at: Some(at(0)),
        proved_at: Some(at(0)),
    }
}

pub(crate) fn new_account(account: &Account) -> NewAccount {
    NewAccount { account: account.clone(), password: Some(PasswordHash::new("$argon2id$a-hash".to_owned())) }
}

pub(crate) fn product(name: &str, units: i64) -> Product {
    let details = ProductDetails::new(
        Text::new(name).unwrap(),
        Text::new("A pair, drilled and vented.").unwrap(),
        Category::Brakes,
        "/pictures/brake-disc-640.webp".parse().unwrap(),
        price(12_999),
        MinOrder::effective(50).unwrap(),
        Stock::new(units).unwrap(),
    );
    Product { id: ProductId::new(id()), details, created_at: at(0) }
}

pub(crate) fn price(cents: i64) -> UnitPrice {
    UnitPrice::new(domain::Money::from_cents(cents).unwrap()).unwrap()
}

pub(crate) fn actor(account: &Account) -> Actor {
    Actor::Account { id: account.id, email: account.email.clone() }
}

/// An order that follows the rules, of the product as passed in; the database may have a newer version.
pub(crate) fn new_order(
    customer: &Account,
    product: &Product,
    units: i64,
    idempotency_key: Option<IdempotencyKey>,
) -> NewOrder {
    let contact = Contact {
        name: Text::new("Åse O'Neil \"the\\buyer\" 🛒").unwrap(),
        email: customer.email.clone(),
        phone: Text::new("555 0100").unwrap(),
        address: Text::new("1 Workshop Lane\n2nd yard").unwrap(),
    };
    let quantity = Quantity::new(units).unwrap();
    let order =
        Order::place(OrderId::new(id()), customer.id, contact, product, quantity, product.details.price, at(10))
            .unwrap();
    let event = order.placed(EventId::new(id()), actor(customer));
    // As in a shop whose rules of prices were never changed.
    let basis = PriceBasis { list: product.details.price, epoch: PriceEpoch(1) };
    NewOrder { order, event, basis, idempotency_key, holds_claim: true, reservations: ReservationRules::UNLIMITED }
}

pub(crate) fn meta(second: i64, by: Actor) -> EventMeta {
    EventMeta { event: EventId::new(id()), by, at: at(second) }
}

pub(crate) fn transaction(n: u128) -> TransactionId {
    format!("pi_{n}").parse().unwrap()
}

/// Runs `many` calls concurrently and returns their results.
pub(crate) async fn concurrently<T, F>(many: u32, start: impl Fn(u32) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let running: Vec<_> = (0..many).map(|n| tokio::spawn(start(n))).collect();
    let mut done = Vec::with_capacity(running.len());
    for one in running {
        done.push(one.await.unwrap());
    }
    done
}

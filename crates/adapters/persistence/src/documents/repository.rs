//! The repository of documents.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Jsonb, Uuid as SqlUuid};
use domain::{AccountId, CheckoutId, InvoiceId, InvoiceKind, Money, OrderId, Seller};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{
    DocumentRepository, InvoiceSummary, Page, Pagination, PrintedPurchase, PurchaseId, StoreError, StoredInvoice,
};
use serde_json::Value;
use uuid::Uuid;

use crate::Database;
use crate::documents::printed::{self, InvoiceColumns};
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::page::{cut_page, limited};
use crate::platform::sql_file::sql_file;
use crate::schema::{invoice_orders, invoices, seller};

#[async_trait]
impl DocumentRepository for Database {
    async fn invoice(&self, id: InvoiceId) -> Result<Option<StoredInvoice>, StoreError> {
        self.read(move |connection| {
            let found: Option<(SummaryRow, Uuid, Value)> = invoices::table
                .find(id.uuid())
                .select((SummaryRow::as_select(), invoices::account_id, invoices::data))
                .first(connection)
                .optional()?;
            let stored = |(row, owner, data): (SummaryRow, Uuid, Value)| {
                let invoice = printed::invoice(&row.columns()?, data)?;
                Ok(StoredInvoice { invoice, owner: AccountId::new(owner) })
            };
            found.map(stored).transpose()
        })
        .await
    }

    async fn invoices_of(
        &self,
        owner: AccountId,
        page: Pagination<InvoiceId>,
    ) -> Result<Page<InvoiceSummary, InvoiceId>, StoreError> {
        self.read_list(move |connection| {
            let theirs = invoices::table.filter(invoices::account_id.eq(owner.uuid()));
            let rows: Vec<SummaryRow> = limited(
                theirs
                    .filter(invoices::id.lt(page.after.map_or(Uuid::max(), InvoiceId::uuid)))
                    .order(invoices::id.desc())
                    .select(SummaryRow::as_select())
                    .into_boxed(),
                &page,
            )
            .load(connection)?;
            let items = decode_all::<_, InvoiceSummary>(rows)?;
            cut_page(items, &page, |invoice| invoice.id, || theirs.count().get_result(connection))
        })
        .await
    }

    async fn invoices_about(&self, purchase: PurchaseId) -> Result<Vec<InvoiceSummary>, StoreError> {
        self.read_list(move |connection| {
            let about = invoices::table.into_boxed();
            let about = match purchase {
                PurchaseId::Checkout(id) => about.filter(invoices::checkout_id.eq(id.uuid())),
                PurchaseId::Order(id) => {
                    let on: Vec<Uuid> =
                        invoice_orders::table.find(id.uuid()).select(invoice_orders::invoice_id).load(connection)?;
                    about.filter(invoices::id.eq_any(on).or(invoices::order_id.eq(id.uuid())))
                }
            };
            decode_all(about.order(invoices::id).select(SummaryRow::as_select()).load(connection)?)
        })
        .await
    }

    async fn purchase(&self, purchase: PurchaseId) -> Result<Option<PrintedPurchase>, StoreError> {
        self.read(move |connection| {
            let (id, found): (Uuid, Option<PrintedRow>) = match purchase {
                PurchaseId::Order(id) => {
                    let found = sql_file!("order_as_printed.sql", { order_id: SqlUuid = id.uuid() });
                    (id.uuid(), found.get_result(connection).optional()?)
                }
                PurchaseId::Checkout(id) => {
                    let found = sql_file!("checkout_as_printed.sql", { checkout_id: SqlUuid = id.uuid() });
                    (id.uuid(), found.get_result(connection).optional()?)
                }
            };
            found.map(|row| printed::purchase(id, row.owner, row.printed)).transpose()
        })
        .await
    }

    async fn seller(&self) -> Result<Seller, StoreError> {
        self.read(|connection| seller::table.select(SellerRow::as_select()).first(connection)?.decode()).await
    }

    async fn set_seller(&self, new: &Seller) -> Result<(), StoreError> {
        let row = SellerRow::of(new);
        self.run(move |connection| diesel::update(seller::table).set(row).execute(connection).map(drop)).await
    }
}

#[derive(QueryableByName)]
struct PrintedRow {
    #[diesel(sql_type = SqlUuid)]
    owner: Uuid,
    #[diesel(sql_type = Jsonb)]
    printed: Value,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = invoices, check_for_backend(diesel::pg::Pg))]
struct SummaryRow {
    id: Uuid,
    kind: String,
    number: i64,
    order_id: Option<Uuid>,
    checkout_id: Option<Uuid>,
    issued_at: SqlTimestamp,
    total_cents: i64,
}

impl SummaryRow {
    fn columns(&self) -> QueryResult<InvoiceColumns> {
        let kind = match self.kind.as_str() {
            "invoice" => InvoiceKind::Invoice,
            "credit" => InvoiceKind::Credit,
            _ => return Err(RowDecoder { what: "invoice", id: self.id }.refuse("kind", "neither of both")),
        };
        Ok(InvoiceColumns {
            id: self.id,
            kind,
            number: self.number,
            order: self.order_id,
            checkout: self.checkout_id,
            issued_at: self.issued_at.to_jiff(),
            total_cents: self.total_cents,
        })
    }
}

impl TryFrom<SummaryRow> for InvoiceSummary {
    type Error = diesel::result::Error;

    fn try_from(row: SummaryRow) -> QueryResult<Self> {
        let columns = row.columns()?;
        let decoder = RowDecoder { what: "invoice", id: row.id };
        let total: Money = decoder.money("total_cents", row.total_cents)?;
        Ok(Self {
            id: InvoiceId::new(row.id),
            number: columns.number()?,
            issued_at: columns.issued_at,
            order: row.order_id.map(OrderId::new),
            checkout: row.checkout_id.map(CheckoutId::new),
            total,
        })
    }
}

#[derive(Queryable, Selectable, AsChangeset)]
#[diesel(table_name = seller, check_for_backend(diesel::pg::Pg), treat_none_as_null = true)]
struct SellerRow {
    name: String,
    line1: String,
    line2: Option<String>,
    city: String,
    region: Option<String>,
    postcode: Option<String>,
    country: String,
    tax_id: Option<String>,
    email: String,
    phone: Option<String>,
    terms: Option<String>,
}

impl SellerRow {
    fn of(seller: &Seller) -> Self {
        Self {
            name: seller.name.to_string(),
            line1: seller.line1.to_string(),
            line2: seller.line2.as_ref().map(ToString::to_string),
            city: seller.city.to_string(),
            region: seller.region.as_ref().map(ToString::to_string),
            postcode: seller.postcode.as_ref().map(ToString::to_string),
            country: seller.country.code().to_owned(),
            tax_id: seller.tax_id.as_ref().map(ToString::to_string),
            email: seller.email.as_str().to_owned(),
            phone: seller.phone.as_ref().map(ToString::to_string),
            terms: seller.terms.as_ref().map(ToString::to_string),
        }
    }

    fn decode(self) -> QueryResult<Seller> {
        let decoder = RowDecoder { what: "seller", id: "of the shop" };
        Ok(Seller {
            name: decoder.text("name", &self.name)?,
            line1: decoder.text("line1", &self.line1)?,
            line2: decoder.maybe_text("line2", self.line2.as_deref())?,
            city: decoder.text("city", &self.city)?,
            region: decoder.maybe_text("region", self.region.as_deref())?,
            postcode: decoder.maybe_text("postcode", self.postcode.as_deref())?,
            country: decoder.parse("country", &self.country)?,
            tax_id: decoder.maybe_text("tax_id", self.tax_id.as_deref())?,
            email: decoder.parse("email", &self.email)?,
            phone: decoder.maybe_text("phone", self.phone.as_deref())?,
            terms: decoder.maybe_text("terms", self.terms.as_deref())?,
        })
    }
}

//! Decodes rows into domain values. A row that the domain refuses is a defect, never left out of a list.

use std::fmt::Display;
use std::str::FromStr;

use diesel::prelude::*;
use diesel::result::Error;
use domain::Actor;
use domain::accounts::profile::Link;
use domain::{
    Account, AccountId, Category, Contact, Email, Fulfilment, Item, MinOrder, Money, Order, OrderId, OrderNumber,
    Payment, PictureUrl, Product, ProductId, Profile, Progress, Quantity, Rating, Review, ReviewId, Role, Standing,
    Stock, StoreAssigned, Text, Timestamp, TransactionId, UnitPrice,
};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Credentials, PasswordHash, PaymentAttempt};
use thiserror::Error as ThisError;
use uuid::Uuid;

use crate::schema;

/// A stored value that the domain refuses.
#[derive(Debug, ThisError)]
#[error("{what} {id} holds a {column} that the rules refuse: {why}")]
pub(crate) struct Refused {
    what: &'static str,
    id: String,
    column: &'static str,
    why: String,
}

/// Decodes the columns of one row; its errors name the row, for the operator who has to fix it.
#[derive(Clone, Copy)]
pub(crate) struct RowDecoder<Id = Uuid> {
    pub(crate) what: &'static str,
    pub(crate) id: Id,
}

impl<Id: Display + Copy> RowDecoder<Id> {
    pub(crate) fn refuse(self, column: &'static str, why: &(impl ToString + ?Sized)) -> Error {
        Error::DeserializationError(Box::new(Refused {
            what: self.what,
            id: self.id.to_string(),
            column,
            why: why.to_string(),
        }))
    }

    pub(crate) fn parse<T>(self, column: &'static str, value: &str) -> QueryResult<T>
    where
        T: FromStr,
        T::Err: ToString,
    {
        value.parse().map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn maybe<T>(self, column: &'static str, value: Option<&str>) -> QueryResult<Option<T>>
    where
        T: FromStr,
        T::Err: ToString,
    {
        value.map(|value| self.parse(column, value)).transpose()
    }

    pub(crate) fn text<const MAX: usize>(self, column: &'static str, value: &str) -> QueryResult<Text<MAX>> {
        Text::new(value).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn maybe_text<const MAX: usize>(
        self,
        column: &'static str,
        value: Option<&str>,
    ) -> QueryResult<Option<Text<MAX>>> {
        value.map(|value| self.text(column, value)).transpose()
    }

    pub(crate) fn money(self, column: &'static str, cents: i64) -> QueryResult<Money> {
        Money::from_cents(cents).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn unit_price(self, column: &'static str, cents: i64) -> QueryResult<UnitPrice> {
        UnitPrice::new(self.money(column, cents)?).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn quantity(self, column: &'static str, units: i64) -> QueryResult<Quantity> {
        Quantity::new(units).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn number(self, column: &'static str, number: i64) -> QueryResult<OrderNumber> {
        OrderNumber::new(number).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn stock(self, column: &'static str, units: i32) -> QueryResult<Stock> {
        Stock::new(i64::from(units)).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn role(self, name: &str) -> QueryResult<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == name).ok_or_else(|| self.refuse("role", name))
    }

    /// A timestamp that the row's state requires.
    pub(crate) fn moment(self, column: &'static str, at: Option<SqlTimestamp>) -> QueryResult<Timestamp> {
        at.map(SqlTimestamp::to_jiff).ok_or_else(|| self.refuse(column, "null"))
    }

    pub(crate) fn actor(self, id: Option<Uuid>, email: Option<&str>) -> QueryResult<Actor> {
        match (id, email) {
            (Some(id), Some(email)) => {
                Ok(Actor::Account { id: AccountId::new(id), email: self.parse("actor_email", email)? })
            }
            (None, None) => Ok(Actor::Shop),
            _ => Err(self.refuse("actor_id", "half an actor")),
        }
    }
}

/// The two columns that identify the actor.
pub(crate) fn actor_columns(actor: &Actor) -> (Option<Uuid>, Option<String>) {
    match actor {
        Actor::Account { id, email } => (Some(id.uuid()), Some(email.as_str().to_owned())),
        Actor::Shop => (None, None),
    }
}

/// A number of units as the column's type.
pub(crate) fn to_i32(units: u32) -> QueryResult<i32> {
    i32::try_from(units).map_err(|error| Error::SerializationError(Box::new(error)))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::products, check_for_backend(diesel::pg::Pg))]
pub(crate) struct ProductRow {
    id: Uuid,
    name: String,
    description: String,
    part_number: Option<String>,
    category: String,
    img: String,
    price_cents: i64,
    min_order: i32,
    available: i32,
    created_at: SqlTimestamp,
}

impl TryFrom<ProductRow> for Product {
    type Error = Error;

    fn try_from(row: ProductRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "product", id: row.id };
        Ok(Self {
            id: ProductId::new(row.id),
            name: decoder.text("name", &row.name)?,
            description: decoder.text("description", &row.description)?,
            part_number: decoder.maybe_text("part_number", row.part_number.as_deref())?,
            category: decoder.parse::<Category>("category", &row.category)?,
            img: decoder.parse::<PictureUrl>("img", &row.img)?,
            price: decoder.unit_price("price_cents", row.price_cents)?,
            min_order: MinOrder::effective(i64::from(row.min_order))
                .map_err(|why| decoder.refuse("min_order", &why))?,
            available: decoder.stock("available", row.available)?,
            created_at: row.created_at.to_jiff(),
        })
    }
}

/// The columns of an order's progress, as they are compared and set.
#[derive(Debug)]
pub(crate) struct ProgressColumns {
    pub(crate) payment_state: &'static str,
    pub(crate) transaction_id: Option<String>,
    pub(crate) paid_at: Option<SqlTimestamp>,
    pub(crate) refunded_at: Option<SqlTimestamp>,
    pub(crate) fulfilment: &'static str,
    pub(crate) shipped_at: Option<SqlTimestamp>,
    pub(crate) cancelled_at: Option<SqlTimestamp>,
}

impl From<&Progress> for ProgressColumns {
    fn from(progress: &Progress) -> Self {
        let (payment_state, paid_at, refunded_at) = match &progress.payment {
            Payment::Unpaid => ("unpaid", None, None),
            Payment::Paid { at, .. } => ("paid", Some(at.to_diesel()), None),
            Payment::Refunded { at, .. } => ("refunded", None, Some(at.to_diesel())),
        };
        let (fulfilment, shipped_at) = match progress.fulfilment {
            Fulfilment::Pending => ("pending", None),
            Fulfilment::Shipped { at } => ("shipped", Some(at.to_diesel())),
        };
        let cancelled_at = match progress.standing {
            Standing::Open => None,
            Standing::Cancelled { at } => Some(at.to_diesel()),
        };
        Self {
            payment_state,
            transaction_id: progress.payment.transaction().map(|transaction| transaction.as_str().to_owned()),
            paid_at,
            refunded_at,
            fulfilment,
            shipped_at,
            cancelled_at,
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::orders, check_for_backend(diesel::pg::Pg))]
pub(crate) struct OrderRow {
    id: Uuid,
    buyer_id: Uuid,
    contact_name: String,
    contact_email: String,
    contact_phone: String,
    contact_address: String,
    product_id: Uuid,
    product_name: String,
    category: String,
    details: String,
    img: String,
    part_number: Option<String>,
    unit_price_cents: i64,
    quantity: i32,
    total_cents: i64,
    number: Option<i64>,
    reserved_until: Option<SqlTimestamp>,
    placed_at: SqlTimestamp,
    payment_state: String,
    transaction_id: Option<String>,
    paid_at: Option<SqlTimestamp>,
    refunded_at: Option<SqlTimestamp>,
    fulfilment: String,
    shipped_at: Option<SqlTimestamp>,
    cancelled_at: Option<SqlTimestamp>,
}

impl OrderRow {
    fn progress(&self, decoder: RowDecoder) -> QueryResult<Progress> {
        let transaction = || -> QueryResult<TransactionId> {
            let id = self.transaction_id.as_deref();
            decoder.maybe("transaction_id", id)?.ok_or_else(|| decoder.refuse("transaction_id", "null"))
        };
        let payment = match self.payment_state.as_str() {
            "unpaid" => Payment::Unpaid,
            "paid" => Payment::Paid { transaction: transaction()?, at: decoder.moment("paid_at", self.paid_at)? },
            "refunded" => {
                Payment::Refunded { transaction: transaction()?, at: decoder.moment("refunded_at", self.refunded_at)? }
            }
            other => return Err(decoder.refuse("payment_state", other)),
        };
        let fulfilment = match self.fulfilment.as_str() {
            "pending" => Fulfilment::Pending,
            "shipped" => Fulfilment::Shipped { at: decoder.moment("shipped_at", self.shipped_at)? },
            other => return Err(decoder.refuse("fulfilment", other)),
        };
        let standing = self.cancelled_at.map_or(Standing::Open, |at| Standing::Cancelled { at: at.to_jiff() });
        Ok(Progress { payment, fulfilment, standing })
    }
}

impl TryFrom<OrderRow> for Order {
    type Error = Error;

    fn try_from(row: OrderRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "order", id: row.id };
        let contact = Contact {
            name: decoder.text("contact_name", &row.contact_name)?,
            email: decoder.parse::<Email>("contact_email", &row.contact_email)?,
            phone: decoder.text("contact_phone", &row.contact_phone)?,
            address: decoder.text("contact_address", &row.contact_address)?,
        };
        let item = Item {
            product: ProductId::new(row.product_id),
            name: decoder.text("product_name", &row.product_name)?,
            category: decoder.parse("category", &row.category)?,
            details: decoder.text("details", &row.details)?,
            img: decoder.parse("img", &row.img)?,
            part_number: decoder.maybe_text("part_number", row.part_number.as_deref())?,
            unit_price: decoder.unit_price("unit_price_cents", row.unit_price_cents)?,
            quantity: decoder.quantity("quantity", i64::from(row.quantity))?,
            total: decoder.money("total_cents", row.total_cents)?,
        };
        Ok(Self {
            id: OrderId::new(row.id),
            assigned: StoreAssigned {
                number: row.number.map(|number| decoder.number("number", number)).transpose()?,
                reserved_until: row.reserved_until.map(SqlTimestamp::to_jiff),
            },
            customer: AccountId::new(row.buyer_id),
            contact,
            item,
            placed_at: row.placed_at.to_jiff(),
            progress: row.progress(decoder)?,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::accounts, check_for_backend(diesel::pg::Pg))]
pub(crate) struct AccountRow {
    id: Uuid,
    email: String,
    display_name: String,
    photo_url: Option<String>,
    role: String,
    password_hash: Option<String>,
    created_at: SqlTimestamp,
    removed_at: Option<SqlTimestamp>,
    email_verified_at: Option<SqlTimestamp>,
    proved_at: Option<SqlTimestamp>,
    google_linked_at: Option<SqlTimestamp>,
}

impl TryFrom<AccountRow> for Credentials {
    type Error = Error;

    fn try_from(row: AccountRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "account", id: row.id };
        let account = Account {
            id: AccountId::new(row.id),
            email: decoder.parse("email", &row.email)?,
            display_name: decoder.text("display_name", &row.display_name)?,
            photo_url: decoder.maybe("photo_url", row.photo_url.as_deref())?,
            role: decoder.role(&row.role)?,
            created_at: row.created_at.to_jiff(),
            email_verified_at: row.email_verified_at.map(SqlTimestamp::to_jiff),
            proved_at: row.proved_at.map(SqlTimestamp::to_jiff),
        };
        Ok(Self {
            account,
            password: row.password_hash.map(PasswordHash::new),
            google_linked: row.google_linked_at.is_some(),
            removed: row.removed_at.is_some(),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::reviews, check_for_backend(diesel::pg::Pg))]
pub(crate) struct ReviewRow {
    id: Uuid,
    name: String,
    details: String,
    rating: i16,
    created_at: SqlTimestamp,
}

impl TryFrom<ReviewRow> for Review {
    type Error = Error;

    fn try_from(row: ReviewRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "review", id: row.id };
        Ok(Self {
            id: ReviewId::new(row.id),
            name: decoder.text("name", &row.name)?,
            details: decoder.text("details", &row.details)?,
            rating: Rating::new(i64::from(row.rating)).map_err(|why| decoder.refuse("rating", &why))?,
            created_at: row.created_at.to_jiff(),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::profiles, check_for_backend(diesel::pg::Pg))]
pub(crate) struct ProfileRow {
    account_id: Uuid,
    study_in: Option<String>,
    lives_in: Option<String>,
    phone: Option<String>,
    facebook: Option<String>,
    linkedin: Option<String>,
    github: Option<String>,
}

impl TryFrom<ProfileRow> for Profile {
    type Error = Error;

    fn try_from(row: ProfileRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "profile of account", id: row.account_id };
        Ok(Self {
            study_in: decoder.maybe_text("study_in", row.study_in.as_deref())?,
            lives_in: decoder.maybe_text("lives_in", row.lives_in.as_deref())?,
            phone: decoder.maybe_text("phone", row.phone.as_deref())?,
            facebook: decoder.maybe::<Link>("facebook", row.facebook.as_deref())?,
            linkedin: decoder.maybe("linkedin", row.linkedin.as_deref())?,
            github: decoder.maybe("github", row.github.as_deref())?,
        })
    }
}

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = schema::payment_intents, check_for_backend(diesel::pg::Pg))]
pub(crate) struct PaymentAttemptRow {
    id: String,
    order_id: Uuid,
    amount_cents: i64,
}

impl TryFrom<PaymentAttemptRow> for PaymentAttempt {
    type Error = Error;

    fn try_from(row: PaymentAttemptRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "payment intent of order", id: row.order_id };
        Ok(Self {
            id: decoder.parse("id", &row.id)?,
            order: OrderId::new(row.order_id),
            amount: decoder.money("amount_cents", row.amount_cents)?,
        })
    }
}

/// Removes the extra row that shows whether there is a next page; if there is one, returns the last row of this page.
pub(crate) fn split_page<T>(found: &mut Vec<T>, limit: Option<u32>) -> Option<&T> {
    let limit = limit.and_then(|limit| usize::try_from(limit).ok())?;
    if found.len() <= limit {
        return None;
    }
    found.truncate(limit);
    found.last()
}

/// Every row that can be decoded, for queues: one that the domain refuses is skipped, counted and logged, and does not
/// hold up the others.
pub(crate) fn readable<R, T>(what: &'static str, rows: Vec<R>) -> Vec<T>
where
    T: TryFrom<R, Error = Error>,
{
    let set_aside = |error: &Error| {
        metrics::counter!("rows_set_aside", "what" => what).increment(1);
        tracing::error!(%error, what, "a row that cannot be decoded is skipped");
    };
    rows.into_iter().filter_map(|row| T::try_from(row).inspect_err(set_aside).ok()).collect()
}

/// Every row, or the first error.
pub(crate) fn decode_all<R, T>(rows: Vec<R>) -> QueryResult<Vec<T>>
where
    T: TryFrom<R, Error = Error>,
{
    rows.into_iter().map(T::try_from).collect()
}

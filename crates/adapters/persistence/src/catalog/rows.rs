//! Rows of products and reviews.

use std::fmt::Display;

use diesel::prelude::*;
use diesel::result::Error;
use domain::{
    Category, MinOrder, PartFacts, PictureUrl, Product, ProductDetails, ProductId, Quantity, Rating, Review, ReviewId,
    ReviewedPart, Stock, UnitPrice, fold,
};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::IdempotencyKey;
use uuid::Uuid;

use crate::catalog::facts::{FactsRow, NewFacts};
use crate::platform::decode::{RowDecoder, to_i32};
use crate::platform::idempotency;
use crate::platform::search;
use crate::pricing::ladder_json;
use crate::schema;

impl<Id: Display + Copy> RowDecoder<Id> {
    pub(crate) fn unit_price(self, column: &'static str, cents: i64) -> QueryResult<UnitPrice> {
        UnitPrice::new(self.money(column, cents)?).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn quantity(self, column: &'static str, units: i64) -> QueryResult<Quantity> {
        Quantity::new(units).map_err(|why| self.refuse(column, &why))
    }

    pub(crate) fn stock(self, column: &'static str, units: i32) -> QueryResult<Stock> {
        Stock::new(i64::from(units)).map_err(|why| self.refuse(column, &why))
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::products, check_for_backend(diesel::pg::Pg))]
pub(crate) struct ProductRow {
    id: Uuid,
    #[diesel(embed)]
    details: DetailsRow,
    #[diesel(embed)]
    facts: FactsRow,
    created_at: SqlTimestamp,
    pub(crate) no: i32,
}

/// The attributes of a product, as they are read and written.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = schema::products, check_for_backend(diesel::pg::Pg))]
pub(crate) struct DetailsRow {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) part_number: Option<String>,
    pub(crate) category: String,
    pub(crate) img: String,
    pub(crate) price_cents: i64,
    pub(crate) min_order: i32,
    available: i32,
    tiers: Option<serde_json::Value>,
}

impl TryFrom<ProductRow> for Product {
    type Error = Error;

    fn try_from(row: ProductRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "product", id: row.id };
        let (facts, further_pictures) = row.facts.decode(decoder)?;
        let details = ProductDetails { facts, further_pictures, ..row.details.decode(decoder)? };
        Ok(Self { id: ProductId::new(row.id), details, created_at: row.created_at.to_jiff() })
    }
}

impl DetailsRow {
    fn decode(self, decoder: RowDecoder) -> QueryResult<ProductDetails> {
        Ok(ProductDetails {
            name: decoder.text("name", &self.name)?,
            description: decoder.text("description", &self.description)?,
            part_number: decoder.maybe_text("part_number", self.part_number.as_deref())?,
            category: decoder.parse::<Category>("category", &self.category)?,
            img: decoder.parse::<PictureUrl>("img", &self.img)?,
            further_pictures: Vec::new(),
            price: decoder.unit_price("price_cents", self.price_cents)?,
            ladder: ladder_json::read(decoder, self.tiers)?,
            min_order: MinOrder::effective(i64::from(self.min_order))
                .map_err(|why| decoder.refuse("min_order", &why))?,
            available: decoder.stock("available", self.available)?,
            facts: PartFacts::NONE,
        })
    }

    pub(crate) fn of(details: &ProductDetails) -> QueryResult<Self> {
        Ok(Self {
            name: details.name.to_string(),
            description: details.description.to_string(),
            part_number: details.part_number.as_ref().map(ToString::to_string),
            category: details.category.to_string(),
            img: details.img.to_string(),
            price_cents: details.price.money().cents(),
            min_order: to_i32(details.min_order.get())?,
            available: to_i32(details.available.get())?,
            tiers: ladder_json::write(&details.ladder)?,
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
    product_id: Option<Uuid>,
    product_name: Option<String>,
    part_number: Option<String>,
    is_verified: bool,
    author: Option<String>,
}

impl TryFrom<ReviewRow> for Review {
    type Error = Error;

    fn try_from(row: ReviewRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "review", id: row.id };
        let part = match (row.product_id, row.product_name.as_deref()) {
            (Some(id), Some(name)) => Some(ReviewedPart {
                id: ProductId::new(id),
                name: decoder.text("product_name", name)?,
                part_number: decoder.maybe_text("part_number", row.part_number.as_deref())?,
            }),
            _ => None,
        };
        Ok(Self {
            id: ReviewId::new(row.id),
            name: decoder.text("name", &row.name)?,
            author: decoder.maybe_text("author", row.author.as_deref())?,
            part,
            is_verified: row.is_verified,
            details: decoder.text("details", &row.details)?,
            rating: Rating::new(i64::from(row.rating)).map_err(|why| decoder.refuse("rating", &why))?,
            created_at: row.created_at.to_jiff(),
        })
    }
}

/// The columns of a new product.
#[derive(Insertable)]
#[diesel(table_name = schema::products)]
pub(crate) struct NewRow {
    id: Uuid,
    #[diesel(embed)]
    details: DetailsRow,
    #[diesel(embed)]
    pub(crate) facts: NewFacts,
    created_at: SqlTimestamp,
    pub(crate) once_key: Option<Vec<u8>>,
    once_fingerprint: Option<Vec<u8>>,
    name_key: String,
    search_key: String,
}

impl NewRow {
    pub(crate) fn new(product: &Product, idempotency_key: Option<IdempotencyKey>) -> QueryResult<Self> {
        let (once_key, once_fingerprint) = idempotency::columns(idempotency_key);
        Ok(Self {
            id: product.id.uuid(),
            details: DetailsRow::of(&product.details)?,
            facts: NewFacts::unnamed(&product.details.facts)?,
            created_at: product.created_at.to_diesel(),
            once_key,
            once_fingerprint,
            name_key: fold(product.details.name.as_str()),
            search_key: search::key(&product.details.search_texts()),
        })
    }
}

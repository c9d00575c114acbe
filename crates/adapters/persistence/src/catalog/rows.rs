//! Rows of products and reviews.

use std::fmt::Display;

use diesel::prelude::*;
use diesel::result::Error;
use domain::{
    Category, MinOrder, PictureUrl, Product, ProductId, Quantity, Rating, Review, ReviewId, Stock, UnitPrice,
};
use jiff_diesel::Timestamp as SqlTimestamp;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
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

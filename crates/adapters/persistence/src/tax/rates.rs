//! Tax rates.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use domain::{BasisPoints, Day, TaxRate, TaxRateId, Text, Validity, fold};
use jiff_diesel::{Date as SqlDate, ToDiesel};
use ports::{RatesOn, RatesOverlap, StoreError, TaxRates, WriteError};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::schema::tax_rates;

#[async_trait]
impl TaxRates for Database {
    async fn list(&self) -> Result<Vec<TaxRate>, StoreError> {
        self.read_many(|connection| {
            let place = (tax_rates::country, tax_rates::region_key, tax_rates::valid_from);
            decode_all(tax_rates::table.order(place).select(RateRow::as_select()).load(connection)?)
        })
        .await
    }

    async fn valid_on(&self, day: Day) -> Result<RatesOn, StoreError> {
        self.read(move |connection| {
            let day: SqlDate = day.date().to_diesel();
            let not_over = tax_rates::valid_until.is_null().or(tax_rates::valid_until.ge(day));
            let valid = tax_rates::table.filter(tax_rates::valid_from.le(day)).filter(not_over);
            let rates: Vec<TaxRate> = decode_all(valid.select(RateRow::as_select()).load(connection)?)?;
            let any = !rates.is_empty()
                || diesel::select(diesel::dsl::exists(tax_rates::table.select(tax_rates::id)))
                    .get_result::<bool>(connection)?;
            Ok(RatesOn { rates, any })
        })
        .await
    }

    async fn add(&self, rates: &[TaxRate]) -> Result<(), WriteError<RatesOverlap>> {
        let rows: Vec<RateRow> = rates.iter().map(RateRow::of).collect();
        self.run(move |connection| {
            unless_overlap(diesel::insert_into(tax_rates::table).values(rows).execute(connection))
        })
        .await?
        .map(drop)
        .map_err(WriteError::Refused)
    }

    async fn replace(&self, rate: &TaxRate) -> Result<bool, WriteError<RatesOverlap>> {
        let row = RateRow::of(rate);
        self.run(move |connection| {
            unless_overlap(diesel::update(tax_rates::table.find(row.id)).set(row).execute(connection))
        })
        .await?
        .map(|written| written > 0)
        .map_err(WriteError::Refused)
    }

    async fn remove(&self, id: TaxRateId) -> Result<bool, StoreError> {
        self.run(move |connection| Ok(diesel::delete(tax_rates::table.find(id.uuid())).execute(connection)? > 0)).await
    }
}

/// The database compares the days, of whoever writes at the same time too.
fn unless_overlap(written: QueryResult<usize>) -> QueryResult<Result<usize, RatesOverlap>> {
    match written {
        Err(Error::DatabaseError(_, info)) if info.constraint_name() == Some("tax_rates_share_no_day") => {
            Ok(Err(RatesOverlap))
        }
        written => written.map(Ok),
    }
}

/// What two regions of a country are compared by; the whole country is ''.
pub(super) fn region_key(region: Option<&Text<60>>) -> String {
    region.map(|region| fold(region.as_str())).unwrap_or_default()
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = tax_rates, check_for_backend(diesel::pg::Pg), treat_none_as_null = true)]
struct RateRow {
    id: Uuid,
    country: String,
    region: Option<String>,
    region_key: String,
    name: String,
    basis_points: i32,
    valid_from: SqlDate,
    valid_until: Option<SqlDate>,
}

impl RateRow {
    fn of(rate: &TaxRate) -> Self {
        Self {
            id: rate.id.uuid(),
            country: rate.country.code().to_owned(),
            region: rate.region.as_ref().map(ToString::to_string),
            region_key: region_key(rate.region.as_ref()),
            name: rate.name.to_string(),
            basis_points: i32::from(rate.basis_points.get()),
            valid_from: rate.valid.from().date().to_diesel(),
            valid_until: rate.valid.until().map(|until| until.date().to_diesel()),
        }
    }
}

impl TryFrom<RateRow> for TaxRate {
    type Error = Error;

    fn try_from(row: RateRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "tax rate", id: row.id };
        let day = |date: SqlDate| Day::new(date.to_jiff());
        let points = BasisPoints::new(i64::from(row.basis_points));
        Ok(Self {
            id: TaxRateId::new(row.id),
            country: decoder.parse("country", &row.country)?,
            region: decoder.maybe_text("region", row.region.as_deref())?,
            name: decoder.text("name", &row.name)?,
            basis_points: points.map_err(|why| decoder.refuse("basis_points", &why))?,
            valid: Validity::new(day(row.valid_from), row.valid_until.map(day))
                .map_err(|why| decoder.refuse("valid_until", &why))?,
        })
    }
}

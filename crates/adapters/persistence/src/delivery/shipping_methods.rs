//! How goods are delivered.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::{
    Country, Divisor, Grams, Money, PalletRate, ProductId, ShippingMethod, ShippingMethodId, ShippingTerms, WeightBand,
    WeightBands,
};
use ports::{MethodNameTaken, ShippingMethods, StoreError, UNWEIGHED_MAX, UnweighedProduct, WriteError};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::{RowDecoder, decode_all, to_i32};
use crate::schema::{products, shipping_methods};

#[async_trait]
impl ShippingMethods for Database {
    async fn list(&self) -> Result<Vec<ShippingMethod>, StoreError> {
        self.read(|connection| {
            let all = shipping_methods::table.order(shipping_methods::id).select(MethodRow::as_select());
            decode_all(all.load(connection)?)
        })
        .await
    }

    async fn add(&self, terms: &ShippingTerms) -> Result<ShippingMethodId, WriteError<MethodNameTaken>> {
        let terms = terms.clone();
        self.run(move |connection| {
            let added = diesel::insert_into(shipping_methods::table)
                .values(TermsRow::of(&terms)?)
                .returning(shipping_methods::id)
                .get_result(connection);
            unless_taken(added.map(ShippingMethodId))
        })
        .await?
        .map_err(WriteError::Refused)
    }

    async fn replace(&self, method: &ShippingMethod) -> Result<bool, WriteError<MethodNameTaken>> {
        let method = method.clone();
        self.run(move |connection| {
            let written = diesel::update(shipping_methods::table.find(method.id.0))
                .set(TermsRow::of(&method.terms)?)
                .execute(connection);
            unless_taken(written.map(|count| count > 0))
        })
        .await?
        .map_err(WriteError::Refused)
    }

    async fn remove(&self, id: ShippingMethodId) -> Result<bool, StoreError> {
        self.run(move |connection| Ok(diesel::delete(shipping_methods::table.find(id.0)).execute(connection)? > 0))
            .await
    }

    async fn unweighed(&self) -> Result<Vec<UnweighedProduct>, StoreError> {
        self.read_many(|connection| {
            let most = i64::try_from(UNWEIGHED_MAX).unwrap_or(i64::MAX);
            let rows: Vec<(Uuid, String, Option<String>)> = products::table
                .filter(products::weight_grams.is_null().and(products::archived_at.is_null()))
                .order(products::no.desc())
                .limit(most)
                .select((products::id, products::name, products::part_number))
                .load(connection)?;
            let decode = |(id, name, part_number): (Uuid, String, Option<String>)| {
                let decoder = RowDecoder { what: "product", id };
                Ok(UnweighedProduct {
                    id: ProductId::new(id),
                    name: decoder.text("name", &name)?,
                    part_number: decoder.maybe_text("part_number", part_number.as_deref())?,
                })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }
}

fn unless_taken<T>(written: QueryResult<T>) -> QueryResult<Result<T, MethodNameTaken>> {
    match written {
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(Err(MethodNameTaken)),
        written => written.map(Ok),
    }
}

/// A weight band as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct BandJson {
    grams: i64,
    cents: i64,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = shipping_methods, check_for_backend(diesel::pg::Pg))]
struct MethodRow {
    id: i32,
    name: String,
    countries: Option<Vec<Option<String>>>,
    divisor: i32,
    free_over_cents: Option<i64>,
    bands: serde_json::Value,
    per_extra_kg_cents: i64,
    pallet_from_grams: Option<i32>,
    per_pallet_cents: Option<i64>,
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = shipping_methods, treat_none_as_null = true)]
struct TermsRow {
    name: String,
    countries: Option<Vec<Option<String>>>,
    divisor: i32,
    free_over_cents: Option<i64>,
    bands: serde_json::Value,
    per_extra_kg_cents: i64,
    pallet_from_grams: Option<i32>,
    per_pallet_cents: Option<i64>,
}

impl TermsRow {
    fn of(terms: &ShippingTerms) -> QueryResult<Self> {
        let band = |band: &WeightBand| BandJson { grams: i64::from(band.up_to.get()), cents: band.price.cents() };
        let bands: Vec<BandJson> = terms.bands.as_slice().iter().map(band).collect();
        let code = |country: &Country| Some(country.code().to_owned());
        Ok(Self {
            name: terms.name.to_string(),
            countries: terms.countries.as_ref().map(|listed| listed.iter().map(code).collect()),
            divisor: to_i32(terms.divisor.get())?,
            free_over_cents: terms.free_over.map(Money::cents),
            bands: serde_json::to_value(bands).map_err(|error| Error::SerializationError(Box::new(error)))?,
            per_extra_kg_cents: terms.per_extra_kg.cents(),
            pallet_from_grams: terms.pallet.map(|pallet| to_i32(pallet.from.get())).transpose()?,
            per_pallet_cents: terms.pallet.and_then(|pallet| pallet.per_pallet).map(Money::cents),
        })
    }
}

impl TryFrom<MethodRow> for ShippingMethod {
    type Error = Error;

    fn try_from(row: MethodRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "shipping method", id: row.id };
        let money = |column, cents: Option<i64>| cents.map(|cents| decoder.money(column, cents)).transpose();
        let grams = |column, grams: i64| Grams::new(grams).map_err(|why| decoder.refuse(column, &why));
        let country = |code: Option<String>| decoder.parse::<Country>("countries", &code.unwrap_or_default());
        let countries = row.countries.map(|listed| listed.into_iter().map(country).collect()).transpose()?;
        let bands: Vec<BandJson> =
            Deserialize::deserialize(row.bands).map_err(|why: serde_json::Error| decoder.refuse("bands", &why))?;
        let band = |band: BandJson| -> QueryResult<WeightBand> {
            Ok(WeightBand { up_to: grams("bands", band.grams)?, price: decoder.money("bands", band.cents)? })
        };
        let bands = bands.into_iter().map(band).collect::<QueryResult<_>>()?;
        let per_pallet = money("per_pallet_cents", row.per_pallet_cents)?;
        let pallet = |from| -> QueryResult<PalletRate> {
            Ok(PalletRate { from: grams("pallet_from_grams", i64::from(from))?, per_pallet })
        };
        let terms = ShippingTerms {
            name: decoder.text("name", &row.name)?,
            countries,
            divisor: Divisor::new(i64::from(row.divisor)).map_err(|why| decoder.refuse("divisor", &why))?,
            free_over: money("free_over_cents", row.free_over_cents)?,
            bands: WeightBands::new(bands).map_err(|why| decoder.refuse("bands", &why))?,
            per_extra_kg: decoder.money("per_extra_kg_cents", row.per_extra_kg_cents)?,
            pallet: row.pallet_from_grams.map(pallet).transpose()?,
        };
        Ok(Self { id: ShippingMethodId(row.id), terms })
    }
}

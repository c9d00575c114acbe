//! The rows of a feed in a table of their own, for as long as one connection works on them.

use diesel::prelude::*;
use domain::{Edit, FeedFinding, FeedRow, FeedTier, Size, fold};
use uuid::Uuid;

use crate::platform::decode::to_i32;
use crate::platform::search;

/// Rows, and vehicles that they name, which are copied together.
const BATCH: usize = 5_000;
const SPANS_BATCH: usize = 50_000;
/// Findings of one feed that are kept; the rest is counted.
pub(crate) const FINDINGS_MAX: usize = 10_000;

// Temporary tables, as `merge/stage.sql` makes them.
diesel::table! {
    feed_rows (line) {
        line -> Int8,
        refused -> Bool,
        sent_id -> Nullable<Uuid>,
        fresh_id -> Uuid,
        brand -> Nullable<Text>,
        brand_key -> Nullable<Text>,
        part_number -> Nullable<Text>,
        part_key -> Nullable<Text>,
        name -> Nullable<Text>,
        name_key -> Nullable<Text>,
        description -> Nullable<Text>,
        category -> Nullable<Text>,
        category_key -> Nullable<Text>,
        price_cents -> Nullable<Int8>,
        available -> Nullable<Int4>,
        arriving -> Nullable<Int4>,
        min_order -> Nullable<Int4>,
        img -> Nullable<Text>,
        part_type_key -> Nullable<Text>,
        universal -> Nullable<Bool>,
        pack_size -> Nullable<Int4>,
        weight_grams -> Nullable<Int4>,
        length_mm -> Nullable<Int4>,
        width_mm -> Nullable<Int4>,
        height_mm -> Nullable<Int4>,
        number_kind -> Nullable<Int2>,
        number_shown -> Nullable<Text>,
        number_key -> Nullable<Text>,
        number_brand -> Nullable<Text>,
        number_brand_key -> Nullable<Text>,
        number_note -> Nullable<Text>,
        search_key -> Nullable<Text>,
        price_list -> Nullable<Text>,
        tier_from -> Nullable<Int4>,
        tier_cents -> Nullable<Int8>,
    }
}

diesel::table! {
    feed_problems (line) {
        line -> Int8,
        field -> Text,
        reason -> Text,
        message -> Text,
    }
}

diesel::table! {
    feed_fitments (line) {
        line -> Int8,
        span_id -> Int4,
        said -> Text,
        said_with_engine -> Text,
        position -> Int2,
        per_vehicle -> Int2,
        removes -> Bool,
    }
}

diesel::table! {
    feed_spans (span_id, vehicle_id, engine_id) {
        span_id -> Int4,
        vehicle_id -> Int4,
        engine_id -> Int4,
        engine_is_said -> Bool,
    }
}

/// A row as it is copied. A cleared text is empty and a cleared number is 0, which no value is.
#[derive(Insertable)]
#[diesel(table_name = feed_rows, treat_none_as_default_value = false)]
pub(crate) struct StagedRow {
    line: i64,
    refused: bool,
    sent_id: Option<Uuid>,
    fresh_id: Uuid,
    brand: Option<String>,
    brand_key: Option<String>,
    part_number: Option<String>,
    part_key: Option<String>,
    name: Option<String>,
    name_key: Option<String>,
    description: Option<String>,
    category: Option<String>,
    category_key: Option<String>,
    price_cents: Option<i64>,
    available: Option<i32>,
    arriving: Option<i32>,
    min_order: Option<i32>,
    img: Option<String>,
    part_type_key: Option<String>,
    universal: Option<bool>,
    pack_size: Option<i32>,
    weight_grams: Option<i32>,
    length_mm: Option<i32>,
    width_mm: Option<i32>,
    height_mm: Option<i32>,
    number_kind: Option<i16>,
    number_shown: Option<String>,
    number_key: Option<String>,
    number_brand: Option<String>,
    number_brand_key: Option<String>,
    number_note: Option<String>,
    search_key: Option<String>,
    price_list: Option<String>,
    tier_from: Option<i32>,
    tier_cents: Option<i64>,
}

fn cleared<T, U>(edit: Edit<T>, empty: U, value: impl FnOnce(T) -> QueryResult<U>) -> QueryResult<Option<U>> {
    match edit {
        Edit::Keep => Ok(None),
        Edit::Set(None) => Ok(Some(empty)),
        Edit::Set(Some(set)) => value(set).map(Some),
    }
}

fn size(edit: Edit<Size>) -> QueryResult<Option<i32>> {
    cleared(edit, 0, |size| to_i32(size.get()))
}

/// List, least quantity and cents.
type TierColumns = (Option<String>, Option<i32>, Option<i64>);

fn tier(tier: Option<FeedTier>) -> QueryResult<TierColumns> {
    let Some(FeedTier { list, from, price }) = tier else { return Ok((None, None, None)) };
    let cents = cleared(price, 0, |price| Ok(price.money().cents()))?;
    Ok((list.map(domain::Text::into_string), Some(to_i32(from)?), cents))
}

impl StagedRow {
    /// `fresh` is the id of the product if the row adds one.
    pub(crate) fn of(row: FeedRow, fresh: Uuid) -> QueryResult<Self> {
        let brand = row.brand.map(domain::Text::into_string);
        let part_number = row.part_number.map(domain::Text::into_string);
        let name = row.name.map(domain::Text::into_string);
        let category = row.category.map(domain::Category::as_str);
        // Of a new product; one that is there gets its own from what it has.
        let whole_key = name
            .as_deref()
            .zip(category)
            .map(|(name, category)| search::key(&[name, category, part_number.as_deref().unwrap_or_default()]));
        let part_type = cleared(row.part_type, String::new(), |name| Ok(fold(name.as_str())))?;
        let number = row.number;
        let (number_brand, number_note) = match &number {
            None => (None, None),
            Some(number) => (
                number.brand.as_ref().map(|brand| brand.as_str().to_owned()),
                cleared(number.note.clone(), String::new(), |note| Ok(note.into_string()))?,
            ),
        };
        let (price_list, tier_from, tier_cents) = tier(row.tier)?;
        Ok(Self {
            line: i64::try_from(row.line).unwrap_or(i64::MAX),
            refused: row.refused,
            sent_id: row.id.map(domain::ProductId::uuid),
            fresh_id: fresh,
            brand_key: brand.as_deref().map(fold),
            brand,
            part_number,
            part_key: row.part_key.map(|key| key.as_str().to_owned()),
            name_key: name.as_deref().map(fold),
            name,
            description: row.description.map(domain::Text::into_string),
            category: category.map(ToOwned::to_owned),
            category_key: category.map(fold),
            price_cents: row.price.map(|price| price.money().cents()),
            available: row.available.map(|units| to_i32(units.get())).transpose()?,
            arriving: row.arriving.map(|units| to_i32(units.get())).transpose()?,
            min_order: row.min_order.map(|units| to_i32(units.get())).transpose()?,
            img: row.img.map(|img| img.to_string()),
            part_type_key: part_type,
            universal: row.universal,
            pack_size: row.pack_size.map(|units| to_i32(units.get())).transpose()?,
            weight_grams: size(row.weight)?,
            length_mm: size(row.length)?,
            width_mm: size(row.width)?,
            height_mm: size(row.height)?,
            number_kind: number.as_ref().map(|number| number.kind.code()),
            number_key: number.as_ref().map(|number| number.key.as_str().to_owned()),
            number_shown: number.map(|number| number.shown.into_string()),
            number_brand_key: number_brand.as_deref().map(fold),
            number_brand,
            number_note,
            search_key: whole_key,
            price_list,
            tier_from,
            tier_cents,
        })
    }
}

/// A finding as it is copied.
#[derive(Insertable)]
#[diesel(table_name = feed_problems, treat_none_as_default_value = false)]
pub(crate) struct StagedProblem {
    line: i64,
    field: String,
    reason: String,
    message: String,
}

impl From<FeedFinding> for StagedProblem {
    fn from(finding: FeedFinding) -> Self {
        let FeedFinding { line, field, reason, message } = finding;
        Self { line: i64::try_from(line).unwrap_or(i64::MAX), field, reason, message }
    }
}

/// What a row says of vehicles, as it is copied. `said_with_engine` is the condition for vehicles that do not have the row's engine.
#[derive(Insertable)]
#[diesel(table_name = feed_fitments, treat_none_as_default_value = false)]
pub(crate) struct StagedFitment {
    pub(crate) line: i64,
    pub(crate) span_id: i32,
    pub(crate) said: String,
    pub(crate) said_with_engine: String,
    pub(crate) position: i16,
    pub(crate) per_vehicle: i16,
    pub(crate) removes: bool,
}

/// A vehicle that rows name.
#[derive(Insertable)]
#[diesel(table_name = feed_spans, treat_none_as_default_value = false)]
pub(crate) struct StagedSpan {
    pub(crate) span_id: i32,
    pub(crate) vehicle_id: i32,
    pub(crate) engine_id: i32,
    pub(crate) engine_is_said: bool,
}

/// What is copied together.
#[derive(Default)]
pub(crate) struct Staged {
    pub(crate) rows: Vec<StagedRow>,
    pub(crate) fitments: Vec<StagedFitment>,
    pub(crate) spans: Vec<StagedSpan>,
    pub(crate) problems: Vec<StagedProblem>,
}

impl Staged {
    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() >= BATCH || self.spans.len() >= SPANS_BATCH
    }

    pub(crate) fn copy(self, connection: &mut PgConnection) -> QueryResult<()> {
        let Self { rows, fitments, spans, problems } = self;
        if !rows.is_empty() {
            diesel::copy_from(feed_rows::table).from_insertable(rows).execute(connection)?;
        }
        if !fitments.is_empty() {
            diesel::copy_from(feed_fitments::table).from_insertable(fitments).execute(connection)?;
        }
        if !spans.is_empty() {
            diesel::copy_from(feed_spans::table).from_insertable(spans).execute(connection)?;
        }
        if !problems.is_empty() {
            diesel::copy_from(feed_problems::table).from_insertable(problems).execute(connection)?;
        }
        Ok(())
    }
}

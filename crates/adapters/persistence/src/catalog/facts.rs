//! What is known of a part, as it is read and written.

use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Jsonb;
use domain::{
    Attribute, AttributeValue, Edit, FactsEdit, Measure, PackSize, PartFacts, PartRefused, PictureUrl, Size, Text, fold,
};
use serde::Deserialize;

use crate::platform::decode::{RowDecoder, to_i32};
use crate::schema::{attributes, brands, part_types, product_attributes, products};

/// The names of a product's brand and part type, its attributes and its further pictures, as one value. An expression and not a join, so that
/// whoever reads products need not know of the other tables; of its own type, because Diesel prepares a statement with a
/// literal every time anew.
#[derive(Debug, Clone, Copy, Default, QueryId)]
pub(crate) struct NamedFacts;

const NAMED_FACTS: &str = "jsonb_build_object( \
    'brand', (SELECT brands.name FROM brands WHERE brands.id = products.brand_id), \
    'type', (SELECT part_types.name FROM part_types WHERE part_types.id = products.part_type_id), \
    'attributes', (SELECT jsonb_agg(jsonb_build_object('name', attributes.name, 'unit', attributes.unit, \
        'number', product_attributes.number, 'words', product_attributes.words, 'flag', product_attributes.flag) \
        ORDER BY product_attributes.place) \
        FROM product_attributes JOIN attributes ON attributes.id = product_attributes.attribute_id \
        WHERE product_attributes.product_no = products.no), \
    'pictures', (SELECT jsonb_agg(product_pictures.img ORDER BY product_pictures.place) FROM product_pictures \
        WHERE product_pictures.product_no = products.no AND product_pictures.img <> products.img))";

impl QueryFragment<Pg> for NamedFacts {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(NAMED_FACTS);
        Ok(())
    }
}

impl Expression for NamedFacts {
    type SqlType = Jsonb;
}

impl AppearsOnTable<products::table> for NamedFacts {}
impl SelectableExpression<products::table> for NamedFacts {}

impl ValidGrouping<()> for NamedFacts {
    type IsAggregate = is_aggregate::No;
}

/// What [`NamedFacts`] reads.
#[derive(Debug, Deserialize)]
struct NamedRow {
    brand: Option<String>,
    #[serde(rename = "type")]
    part_type: Option<String>,
    attributes: Option<Vec<AttributeRow>>,
    pictures: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct AttributeRow {
    name: String,
    unit: Option<String>,
    number: Option<i64>,
    words: Option<String>,
    flag: Option<bool>,
}

/// The facts of a product.
#[derive(Queryable, Selectable)]
#[diesel(table_name = products, check_for_backend(diesel::pg::Pg))]
pub(crate) struct FactsRow {
    universal: bool,
    pack_size: i32,
    weight_grams: Option<i32>,
    length_mm: Option<i32>,
    width_mm: Option<i32>,
    height_mm: Option<i32>,
    tax_class: String,
    #[diesel(select_expression = NamedFacts)]
    named: serde_json::Value,
}

impl FactsRow {
    /// The facts, and the further pictures.
    pub(crate) fn decode(self, decoder: RowDecoder) -> QueryResult<(PartFacts, Vec<PictureUrl>)> {
        let named = NamedRow::deserialize(self.named).map_err(|why| decoder.refuse("facts", &why))?;
        let size = |column, size: Option<i32>| {
            let size = size.map(|size| Size::new(i64::from(size))).transpose();
            size.map_err(|why| decoder.refuse(column, &why))
        };
        let attributes = named.attributes.unwrap_or_default().into_iter().map(|row| row.decode(decoder));
        let pictures = named.pictures.unwrap_or_default();
        let pictures =
            pictures.iter().map(|img| decoder.parse("picture", img)).collect::<QueryResult<Vec<PictureUrl>>>()?;
        let facts = PartFacts {
            brand: decoder.maybe_text("brand", named.brand.as_deref())?,
            part_type: decoder.maybe_text("part type", named.part_type.as_deref())?,
            universal: self.universal,
            pack_size: PackSize::new(i64::from(self.pack_size)).map_err(|why| decoder.refuse("pack_size", &why))?,
            weight: size("weight_grams", self.weight_grams)?,
            length: size("length_mm", self.length_mm)?,
            width: size("width_mm", self.width_mm)?,
            height: size("height_mm", self.height_mm)?,
            tax_class: decoder.parse("tax_class", &self.tax_class)?,
            attributes: attributes.collect::<QueryResult<_>>()?,
        };
        Ok((facts, pictures))
    }
}

impl AttributeRow {
    fn decode(self, decoder: RowDecoder) -> QueryResult<Attribute> {
        let value = match (self.number, self.words, self.flag) {
            (Some(number), ..) => AttributeValue::Number(
                Measure::from_thousandths(number).map_err(|why| decoder.refuse("attribute", &why))?,
                decoder.maybe_text("unit", self.unit.as_deref())?,
            ),
            (None, Some(words), _) => AttributeValue::Words(decoder.text("attribute", &words)?),
            (None, None, flag) => AttributeValue::Flag(flag.unwrap_or_default()),
        };
        Ok(Attribute { name: decoder.text("attribute", &self.name)?, value })
    }
}

/// The columns of a product's facts; the names are ids already.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = products, treat_none_as_null = true)]
pub(crate) struct NewFacts {
    brand_id: Option<i32>,
    part_type_id: Option<i32>,
    universal: bool,
    pack_size: i32,
    weight_grams: Option<i32>,
    length_mm: Option<i32>,
    width_mm: Option<i32>,
    height_mm: Option<i32>,
    tax_class: &'static str,
}

impl NewFacts {
    /// The columns of facts that name neither brand nor part type.
    pub(crate) fn unnamed(facts: &PartFacts) -> QueryResult<Self> {
        let size = |size: Option<Size>| size.map(|size| to_i32(size.get())).transpose();
        Ok(Self {
            brand_id: None,
            part_type_id: None,
            universal: facts.universal,
            pack_size: to_i32(facts.pack_size.get())?,
            weight_grams: size(facts.weight)?,
            length_mm: size(facts.length)?,
            width_mm: size(facts.width)?,
            height_mm: size(facts.height)?,
            tax_class: facts.tax_class.as_str(),
        })
    }

    /// The columns of facts; a brand that is not known is added.
    pub(crate) fn of(connection: &mut PgConnection, facts: &PartFacts) -> QueryResult<Result<Self, PartRefused>> {
        let brand_id = facts.brand.as_ref().map(|brand| brand_id(connection, brand)).transpose()?;
        let part_type_id = match &facts.part_type {
            None => None,
            Some(named) => match part_type_id(connection, named.as_str())? {
                None => return Ok(Err(PartRefused::UnknownPartType)),
                found => found,
            },
        };
        Ok(Ok(Self { brand_id, part_type_id, ..Self::unnamed(facts)? }))
    }
}

/// An edit in the words that the shop knows: a brand or an attribute written in another case, a part type by its id and a number
/// without its unit are no other ones. What is not known stays as it is.
pub(crate) fn as_known(connection: &mut PgConnection, edit: &FactsEdit) -> QueryResult<FactsEdit> {
    let mut known = edit.clone();
    if let Edit::Set(Some(brand)) = &mut known.brand {
        let found = brands::table.filter(brands::name_key.eq(fold(brand.as_str()))).select(brands::name);
        rename(brand, found.first(connection).optional()?);
    }
    if let Edit::Set(Some(named)) = &mut known.part_type
        && let Some(id) = part_type_id(connection, named.as_str())?
    {
        let found = part_types::table.find(id).select(part_types::name);
        rename(named, found.first(connection).optional()?);
    }
    for attribute in known.attributes.iter_mut().flatten() {
        let found: Option<(String, Option<String>)> = attributes::table
            .filter(attributes::name_key.eq(fold(attribute.name.as_str())))
            .select((attributes::name, attributes::unit))
            .first(connection)
            .optional()?;
        let Some((name, unit)) = found else { continue };
        rename(&mut attribute.name, Some(name));
        if let AttributeValue::Number(_, none @ None) = &mut attribute.value {
            *none = unit.and_then(|unit| Text::new(&unit).ok());
        }
    }
    Ok(known)
}

fn rename<const MAX: usize>(name: &mut Text<MAX>, known: Option<String>) {
    if let Some(known) = known.and_then(|known| Text::new(&known).ok()) {
        *name = known;
    }
}

/// A brand's id; it is added if it is not known.
pub(crate) fn brand_id(connection: &mut PgConnection, name: &Text<60>) -> QueryResult<i32> {
    let key = fold(name.as_str());
    let known = brands::table.filter(brands::name_key.eq(&key)).select(brands::id);
    if let Some(id) = known.first(connection).optional()? {
        return Ok(id);
    }
    diesel::insert_into(brands::table)
        .values((brands::name.eq(name.as_str()), brands::name_key.eq(&key)))
        .on_conflict(brands::name_key)
        .do_nothing()
        .execute(connection)?;
    known.first(connection)
}

fn part_type_id(connection: &mut PgConnection, named: &str) -> QueryResult<Option<i32>> {
    let by_name: Option<i32> = part_types::table
        .filter(part_types::name_key.eq(fold(named)))
        .select(part_types::id)
        .first(connection)
        .optional()?;
    match (by_name, named.parse::<i32>()) {
        (None, Ok(id)) => part_types::table.find(id).select(part_types::id).first(connection).optional(),
        (found, _) => Ok(found),
    }
}

/// Replaces the attributes of a product. A name that is not known becomes an attribute of this kind and unit.
pub(crate) fn write_attributes(
    connection: &mut PgConnection,
    product_no: i32,
    wanted: &[Attribute],
) -> QueryResult<Result<(), PartRefused>> {
    diesel::delete(product_attributes::table.filter(product_attributes::product_no.eq(product_no)))
        .execute(connection)?;
    for (place, attribute) in wanted.iter().enumerate() {
        let id = match attribute_id(connection, attribute)? {
            Ok(id) => id,
            Err(refused) => return Ok(Err(refused)),
        };
        let (number, words, flag) = match &attribute.value {
            AttributeValue::Number(number, _) => (Some(number.thousandths()), None, None),
            AttributeValue::Words(words) => (None, Some(words.as_str()), None),
            AttributeValue::Flag(flag) => (None, None, Some(*flag)),
        };
        diesel::insert_into(product_attributes::table)
            .values((
                product_attributes::product_no.eq(product_no),
                product_attributes::attribute_id.eq(id),
                product_attributes::place.eq(i16::try_from(place).unwrap_or(i16::MAX)),
                product_attributes::number.eq(number),
                product_attributes::words.eq(words),
                product_attributes::words_key.eq(words.map(fold)),
                product_attributes::flag.eq(flag),
            ))
            .execute(connection)?;
    }
    Ok(Ok(()))
}

fn attribute_id(connection: &mut PgConnection, attribute: &Attribute) -> QueryResult<Result<i32, PartRefused>> {
    let name = attribute.name.as_str();
    let (kind, unit) = match &attribute.value {
        AttributeValue::Number(_, unit) => ("number", unit.as_ref().map(Text::as_str)),
        AttributeValue::Words(_) => ("words", None),
        AttributeValue::Flag(_) => ("flag", None),
    };
    diesel::insert_into(attributes::table)
        .values((
            attributes::name.eq(name),
            attributes::name_key.eq(fold(name)),
            attributes::kind.eq(kind),
            attributes::unit.eq(unit),
        ))
        .on_conflict(attributes::name_key)
        .do_nothing()
        .execute(connection)?;
    let (id, known_kind, known_unit): (i32, String, Option<String>) = attributes::table
        .filter(attributes::name_key.eq(fold(name)))
        .select((attributes::id, attributes::kind, attributes::unit))
        .first(connection)?;
    let other = |kind| Ok(Err(PartRefused::OtherKind { name: name.to_owned(), kind }));
    if known_kind != kind {
        return other(match known_kind.as_str() {
            "number" => "a number",
            "flag" => "yes or no",
            _ => "words",
        });
    }
    match (unit, known_unit) {
        (Some(unit), Some(known)) if unit != known => other("in another unit"),
        (Some(unit), None) => {
            diesel::update(attributes::table.find(id)).set(attributes::unit.eq(unit)).execute(connection)?;
            Ok(Ok(id))
        }
        _ => Ok(Ok(id)),
    }
}

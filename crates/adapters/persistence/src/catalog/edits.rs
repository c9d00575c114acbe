//! Editing products, and bringing archived ones back.

use diesel::prelude::*;
use domain::{EditRefused, PartRefused, Product, ProductDetails, ProductEdit, ProductId, Text, fold};
use jiff_diesel::ToDiesel;
use ports::Editing;
use uuid::Uuid;

use crate::accounts::rows::actor_columns;
use crate::catalog::facts::{NewFacts, as_known, write_attributes};
use crate::catalog::part_numbers::number_taken;
use crate::catalog::rows::{DetailsRow, ProductRow};
use crate::platform::search;
use crate::schema::{products, restockings};

/// Whether the edit changed something. The row is locked before it is compared, so that of two edits of the same
/// attribute the second sees the first.
pub(crate) fn edit(connection: &mut PgConnection, editing: &Editing) -> QueryResult<Result<bool, EditRefused>> {
    let id = editing.product.uuid();
    let row: Option<ProductRow> = products::table
        .find(id)
        .filter(products::archived_at.is_null())
        .select(ProductRow::as_select())
        .for_no_key_update()
        .first(connection)
        .optional()?;
    let Some(row) = row else { return Ok(Err(EditRefused::Unknown)) };
    let no = row.no;
    let now = Product::try_from(row)?;
    let wanted = ProductEdit { facts: as_known(connection, &editing.wanted.facts)?, ..editing.wanted.clone() };
    let seen = ProductEdit { facts: as_known(connection, &editing.seen.facts)?, ..editing.seen.clone() };
    let Ok(edited) = now.details.edited(&wanted, &seen) else {
        return Ok(Err(EditRefused::Changed { now: Box::new(now) }));
    };
    if edited == now.details {
        return Ok(Ok(false));
    }
    if let Err(refused) = write(connection, id, &edited)? {
        return Ok(Err(refused.into()));
    }
    if edited.facts.attributes != now.details.facts.attributes
        && let Err(refused) = write_attributes(connection, no, &edited.facts.attributes)?
    {
        return Ok(Err(refused.into()));
    }
    if edited.price != now.details.price {
        enter_price(connection, editing, &edited)?;
    }
    Ok(Ok(true))
}

/// All attributes but the stock, which is the orders' to change.
fn write(connection: &mut PgConnection, id: Uuid, details: &ProductDetails) -> QueryResult<Result<(), PartRefused>> {
    let row = DetailsRow::of(details)?;
    let facts = match NewFacts::of(connection, &details.facts)? {
        Ok(facts) => facts,
        Err(refused) => return Ok(Err(refused)),
    };
    let written = diesel::update(products::table.find(id))
        .set((
            facts,
            products::name.eq(row.name),
            products::description.eq(row.description),
            products::part_number.eq(row.part_number),
            products::category.eq(row.category),
            products::img.eq(row.img),
            products::price_cents.eq(row.price_cents),
            products::min_order.eq(row.min_order),
            products::name_key.eq(fold(details.name.as_str())),
            products::search_key.eq(search::key(&details.search_texts())),
        ))
        .execute(connection);
    number_taken(written.map(|_| ()), details.facts.brand.as_ref().map(Text::as_str))
}

/// A new price is part of the product's history, as one that came with a delivery of no units.
fn enter_price(connection: &mut PgConnection, editing: &Editing, edited: &ProductDetails) -> QueryResult<()> {
    let (actor_id, actor_email) = actor_columns(&editing.by);
    diesel::insert_into(restockings::table)
        .values((
            restockings::product_id.eq(editing.product.uuid()),
            restockings::arriving.eq(0),
            restockings::price_cents.eq(edited.price.money().cents()),
            restockings::actor_id.eq(actor_id),
            restockings::actor_email.eq(actor_email),
            restockings::at.eq(editing.at.to_diesel()),
        ))
        .execute(connection)?;
    Ok(())
}

/// `None` if there never was such a product.
pub(crate) fn restore(connection: &mut PgConnection, id: ProductId) -> QueryResult<Option<bool>> {
    let product = products::table.find(id.uuid());
    let restored = diesel::update(product)
        .filter(products::archived_at.is_not_null())
        .set((
            products::archived_at.eq(None::<jiff_diesel::Timestamp>),
            products::archived_by.eq(None::<Uuid>),
            products::archived_by_email.eq(None::<String>),
        ))
        .execute(connection)?;
    if restored > 0 {
        return Ok(Some(true));
    }
    let is_there: bool = diesel::select(diesel::dsl::exists(product)).get_result(connection)?;
    Ok(is_there.then_some(false))
}

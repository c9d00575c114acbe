//! The pictures of products.

use diesel::prelude::*;
use domain::{PictureUrl, Pictures, ProductId};

use crate::schema::{product_pictures, products};

/// Replaces the pictures of a product for sale, unless they are these already. The row is locked before it is compared, so that of
/// two calls the second sees what the first wrote.
pub(crate) fn set(connection: &mut PgConnection, id: ProductId, wanted: &Pictures) -> QueryResult<Option<bool>> {
    let product: Option<(i32, String)> = products::table
        .find(id.uuid())
        .filter(products::archived_at.is_null())
        .select((products::no, products::img))
        .for_no_key_update()
        .first(connection)
        .optional()?;
    let Some((no, img)) = product else { return Ok(None) };
    let kept = product_pictures::table.filter(product_pictures::product_no.eq(no));
    let further: Vec<String> = kept.order(product_pictures::place).select(product_pictures::img).load(connection)?;
    if img == wanted.first().as_str() && further.iter().eq(wanted.further().iter().map(PictureUrl::as_str)) {
        return Ok(Some(false));
    }
    diesel::delete(kept).execute(connection)?;
    write_further(connection, no, wanted.further())?;
    // Even if the first one stays: whoever follows the products hears of a change by their row.
    diesel::update(products::table.find(id.uuid()))
        .set(products::img.eq(wanted.first().as_str()))
        .execute(connection)?;
    Ok(Some(true))
}

/// Enters the further pictures of a product that has none.
pub(crate) fn write_further(connection: &mut PgConnection, no: i32, further: &[PictureUrl]) -> QueryResult<()> {
    let row = |(place, img): (i16, &PictureUrl)| {
        (
            product_pictures::product_no.eq(no),
            product_pictures::place.eq(place),
            product_pictures::img.eq(img.to_string()),
        )
    };
    let rows: Vec<_> = (1..).zip(further).map(row).collect();
    diesel::insert_into(product_pictures::table).values(rows).execute(connection)?;
    Ok(())
}

//! Products that are for sale, by their ids.

use diesel::prelude::*;
use domain::Product;
use uuid::Uuid;

use crate::catalog::rows::ProductRow;
use crate::platform::finding::Found;
use crate::schema::products;

impl Found for Product {
    type Asked = ();

    fn load(connection: &mut PgConnection, asked: &[(Uuid, ())]) -> QueryResult<Vec<(Uuid, QueryResult<Self>)>> {
        let for_sale =
            products::table.filter(products::archived_at.is_null()).select((products::id, ProductRow::as_select()));
        let found: Vec<(Uuid, ProductRow)> = match asked {
            // Postgres keeps the plan of this one.
            [(id, ())] => for_sale.filter(products::id.eq(*id)).load(connection)?,
            asked => {
                let ids: Vec<Uuid> = asked.iter().map(|(id, ())| *id).collect();
                for_sale.filter(products::id.eq_any(ids)).load(connection)?
            }
        };
        Ok(found.into_iter().map(|(id, row)| (id, Self::try_from(row))).collect())
    }
}

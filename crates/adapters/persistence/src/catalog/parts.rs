//! Brands, part types and synonyms.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::{Category, PartNumber, PartRefused, ProductId, Text, fold};
use ports::{Brand, EntryRefused, PartRepository, PartType, StoreError, Synonym, WriteError};

use crate::Database;
use crate::catalog::facts::brand_id;
use crate::catalog::part_numbers::{self as numbers, refusable};
use crate::platform::changes::{ChangedRows, Channel};
use crate::platform::decode::RowDecoder;
use crate::schema::{brands, part_numbers, part_types, product_search, products, synonyms};

// Of foreign keys, Diesel's command notes those alone that lead to a primary key, which `products.no` is not.
diesel::allow_tables_to_appear_in_same_query!(products, product_search);

#[async_trait]
impl PartRepository for Database {
    async fn brands(&self) -> Result<Vec<Brand>, StoreError> {
        self.read_list(|connection| {
            let rows: Vec<(i32, String)> =
                brands::table.order(brands::name_key).select((brands::id, brands::name)).load(connection)?;
            let decode = |(id, name): (i32, String)| {
                Ok(Brand { id, name: RowDecoder { what: "brand", id }.text("name", &name)? })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    async fn add_brand(&self, name: &Text<60>) -> Result<i32, StoreError> {
        let name = name.clone();
        self.run(move |connection| brand_id(connection, &name)).await
    }

    async fn rename_brand(&self, id: i32, name: &Text<60>) -> Result<(), WriteError<EntryRefused>> {
        let name = name.clone();
        self.entry(move |connection| {
            let named = (brands::name.eq(name.as_str()), brands::name_key.eq(fold(name.as_str())));
            let written = diesel::update(brands::table.find(id)).set(named).execute(connection);
            if let Err(refused) = entered(written)? {
                return Ok(Err(refused));
            }
            // Announces the products and their words.
            diesel::update(products::table.filter(products::no.eq_any(with_brand(id))))
                .set(products::brand_id.eq(id))
                .execute(connection)?;
            Ok(Ok(()))
        })
        .await
    }

    async fn remove_brand(&self, id: i32) -> Result<(), WriteError<EntryRefused>> {
        self.entry(move |connection| {
            let of_products: i64 =
                product_search::table.filter(product_search::brand_id.eq(id)).count().get_result(connection)?;
            let of_numbers: i64 =
                part_numbers::table.filter(part_numbers::brand_id.eq(id)).count().get_result(connection)?;
            remove(connection, of_products.max(of_numbers), |connection| {
                diesel::delete(brands::table.find(id)).execute(connection)
            })
        })
        .await
    }

    async fn part_types(&self) -> Result<Vec<PartType>, StoreError> {
        self.read_list(|connection| {
            let rows: Vec<(i32, String, String)> = part_types::table
                .order(part_types::name_key)
                .select((part_types::id, part_types::name, part_types::category))
                .load(connection)?;
            let decode = |(id, name, category): (i32, String, String)| {
                let decoder = RowDecoder { what: "part type", id };
                Ok(PartType {
                    id,
                    name: decoder.text("name", &name)?,
                    category: decoder.parse::<Category>("category", &category)?,
                })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    async fn add_part_type(&self, name: &Text<80>, category: Category) -> Result<i32, WriteError<EntryRefused>> {
        let name = name.clone();
        self.entry(move |connection| {
            let added = diesel::insert_into(part_types::table)
                .values((
                    part_types::name.eq(name.as_str()),
                    part_types::name_key.eq(fold(name.as_str())),
                    part_types::category.eq(category.as_str()),
                ))
                .returning(part_types::id)
                .get_result(connection);
            unique(added)
        })
        .await
    }

    async fn edit_part_type(&self, edited: &PartType) -> Result<(), WriteError<EntryRefused>> {
        let PartType { id, name, category } = edited.clone();
        self.entry(move |connection| {
            let written = diesel::update(part_types::table.find(id))
                .set((
                    part_types::name.eq(name.as_str()),
                    part_types::name_key.eq(fold(name.as_str())),
                    part_types::category.eq(category.as_str()),
                ))
                .execute(connection);
            if let Err(refused) = entered(written)? {
                return Ok(Err(refused));
            }
            diesel::update(products::table.filter(products::no.eq_any(of_type(id))))
                .set(products::part_type_id.eq(id))
                .execute(connection)?;
            Ok(Ok(()))
        })
        .await
    }

    async fn remove_part_type(&self, id: i32) -> Result<(), WriteError<EntryRefused>> {
        self.entry(move |connection| {
            let uses =
                product_search::table.filter(product_search::part_type_id.eq(id)).count().get_result(connection)?;
            remove(connection, uses, |connection| diesel::delete(part_types::table.find(id)).execute(connection))
        })
        .await
    }

    async fn synonyms(&self) -> Result<Vec<Synonym>, StoreError> {
        self.read_list(|connection| {
            let rows: Vec<(i32, String, String)> = synonyms::table
                .order((synonyms::word, synonyms::id))
                .select((synonyms::id, synonyms::word, synonyms::means))
                .load(connection)?;
            let decode = |(id, word, means): (i32, String, String)| {
                let decoder = RowDecoder { what: "synonym", id };
                Ok(Synonym { id, word: decoder.text("word", &word)?, means: decoder.text("means", &means)? })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    async fn add_synonym(&self, word: &Text<60>, means: &Text<60>) -> Result<i32, WriteError<EntryRefused>> {
        let (word, means) = (fold(word.as_str()), fold(means.as_str()));
        self.entry(move |connection| {
            if word == means {
                return Ok(Err(EntryRefused::Itself));
            }
            diesel::insert_into(synonyms::table)
                .values((synonyms::word.eq(&word), synonyms::means.eq(&means)))
                .on_conflict_do_nothing()
                .execute(connection)?;
            let known = synonyms::table.filter(synonyms::word.eq(&word)).filter(synonyms::means.eq(&means));
            known.select(synonyms::id).first(connection).map(Ok)
        })
        .await
    }

    async fn edit_synonym(&self, edited: &Synonym) -> Result<(), WriteError<EntryRefused>> {
        let (id, word, means) = (edited.id, fold(edited.word.as_str()), fold(edited.means.as_str()));
        self.entry(move |connection| {
            if word == means {
                return Ok(Err(EntryRefused::Itself));
            }
            let meaning = (synonyms::word.eq(word), synonyms::means.eq(means));
            entered(diesel::update(synonyms::table.find(id)).set(meaning).execute(connection))
        })
        .await
    }

    async fn remove_synonym(&self, id: i32) -> Result<(), WriteError<EntryRefused>> {
        self.entry(move |connection| {
            remove(connection, 0, |connection| diesel::delete(synonyms::table.find(id)).execute(connection))
        })
        .await
    }

    async fn numbers(&self, id: ProductId) -> Result<Option<Vec<PartNumber>>, StoreError> {
        self.read_list(move |connection| numbers::of_product(connection, id)).await
    }

    async fn set_numbers(&self, id: ProductId, wanted: &[PartNumber]) -> Result<Option<()>, WriteError<PartRefused>> {
        let wanted = wanted.to_vec();
        let written = self
            .run_on(id.uuid(), move |connection| {
                refusable(connection, |connection| numbers::set(connection, id, &wanted))
            })
            .await?;
        self.note_product(id);
        written.map_err(WriteError::Refused)
    }

    async fn successor(&self, id: ProductId) -> Result<Option<ProductId>, StoreError> {
        self.read(move |connection| numbers::successor(connection, id)).await
    }
}

impl Database {
    /// Changes an entry of a list that products refer to by name; all of them may look different then.
    async fn entry<T, F>(&self, work: F) -> Result<T, WriteError<EntryRefused>>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<Result<T, EntryRefused>> + Send + 'static,
    {
        let written = self.run_long(move |connection| refusable(connection, work)).await?;
        self.changes().note(Channel::Products, ChangedRows::everything());
        written.map_err(WriteError::Refused)
    }
}

/// The products of a brand, by the index that is not on the products themselves.
#[diesel::dsl::auto_type]
fn with_brand(id: i32) -> _ {
    product_search::table.filter(product_search::brand_id.eq(id)).select(product_search::product_no)
}

#[diesel::dsl::auto_type]
fn of_type(id: i32) -> _ {
    product_search::table.filter(product_search::part_type_id.eq(id)).select(product_search::product_no)
}

fn unique<T>(written: QueryResult<T>) -> QueryResult<Result<T, EntryRefused>> {
    match written {
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(Err(EntryRefused::NameTaken)),
        written => written.map(Ok),
    }
}

/// The result of changing the one entry with an id.
fn entered(written: QueryResult<usize>) -> QueryResult<Result<(), EntryRefused>> {
    Ok(match unique(written)? {
        Ok(0) => Err(EntryRefused::Unknown),
        Ok(_) => Ok(()),
        Err(refused) => Err(refused),
    })
}

/// Removes an entry that nothing uses.
fn remove(
    connection: &mut PgConnection,
    uses: i64,
    delete: impl FnOnce(&mut PgConnection) -> QueryResult<usize>,
) -> QueryResult<Result<(), EntryRefused>> {
    if uses > 0 {
        return Ok(Err(EntryRefused::InUse(u64::try_from(uses).unwrap_or_default())));
    }
    match delete(connection) {
        // A product has taken it in the meantime.
        Err(Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _)) => Ok(Err(EntryRefused::InUse(1))),
        deleted => Ok(if deleted? == 0 { Err(EntryRefused::Unknown) } else { Ok(()) }),
    }
}

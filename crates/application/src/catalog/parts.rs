//! Part numbers, brands, part types, synonyms, and what can be chosen of a list.

use domain::accounts::access::Denied;
use domain::{Caller, Category, PartNumber, PartRefused, Permission, ProductId, Text};
use ports::{Brand, Candidate, EntryRefused, Facets, PartType, ProductQuery, StoreError, Synonym};

use crate::{Catalog, Failure, FoundProduct};

/// The products that a number leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// How well the number matches, from 1, its own, to 7, close to one of its numbers.
    pub tier: u8,
    /// The products, best first.
    pub products: Vec<FoundProduct>,
}

impl Catalog {
    /// The products for sale that a number leads to, however it is written; `None` if there is nothing like it.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn products_by_number(&self, number: &str) -> Result<Option<Numbered>, StoreError> {
        let Some(found) = self.search.by_number(number).await? else { return Ok(None) };
        let products = self.as_they_are(found.hits, false).await?;
        Ok((!products.is_empty()).then_some(Numbered { tier: found.tier, products }))
    }

    /// What can be chosen of a list.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn facets(&self, query: &ProductQuery) -> Result<Facets, StoreError> {
        self.search.facets(query).await
    }

    /// What the words or the vehicle of a query find; `None` if that does not say enough. See [`ports::CatalogSearch::candidates`].
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn candidates(&self, query: &ProductQuery) -> Result<Option<Vec<Candidate>>, StoreError> {
        self.search.candidates(query).await
    }

    /// The products of these part types that belong somewhere on some vehicle.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn placed(&self, part_types: &[String]) -> Result<Vec<Candidate>, StoreError> {
        self.search.placed(part_types).await
    }

    /// Whether words and numbers with a slip in them are found, for the admins.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn search_forgives_slips(&self) -> Result<bool, StoreError> {
        self.search.forgives_slips().await
    }

    /// The numbers of a product; `None` if it is not for sale.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn part_numbers(&self, id: ProductId) -> Result<Option<Vec<PartNumber>>, StoreError> {
        self.parts.numbers(id).await
    }

    /// Replaces the numbers of a product; its own stays if none is given.
    ///
    /// # Errors
    /// [`PartRefused`], and [`Denied::NotFound`] if it is not for sale.
    pub async fn set_part_numbers(
        &self,
        caller: &Caller,
        id: ProductId,
        numbers: &[PartNumber],
    ) -> Result<(), Failure<PartRefused>> {
        caller.require(Permission::ManageProducts)?;
        self.parts.set_numbers(id, numbers).await?.ok_or(Denied::NotFound.into())
    }

    /// The part for sale that an archived one was replaced by.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn successor(&self, id: ProductId) -> Result<Option<ProductId>, StoreError> {
        self.parts.successor(id).await
    }

    /// All brands.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn brands(&self) -> Result<Vec<Brand>, StoreError> {
        self.parts.brands().await
    }

    /// Adds a brand, or returns the one of this name.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn add_brand(&self, caller: &Caller, name: &Text<60>) -> Result<i32, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.add_brand(name).await?)
    }

    /// Renames a brand.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn rename_brand(&self, caller: &Caller, id: i32, name: &Text<60>) -> Result<(), Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.rename_brand(id, name).await?)
    }

    /// Removes a brand that nothing uses.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn remove_brand(&self, caller: &Caller, id: i32) -> Result<(), Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.remove_brand(id).await?)
    }

    /// All part types.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn part_types(&self) -> Result<Vec<PartType>, StoreError> {
        self.parts.part_types().await
    }

    /// Adds a part type.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn add_part_type(
        &self,
        caller: &Caller,
        name: &Text<80>,
        category: Category,
    ) -> Result<i32, Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.add_part_type(name, category).await?)
    }

    /// Changes a part type.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn edit_part_type(&self, caller: &Caller, edited: &PartType) -> Result<(), Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.edit_part_type(edited).await?)
    }

    /// Removes a part type that nothing uses.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn remove_part_type(&self, caller: &Caller, id: i32) -> Result<(), Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.remove_part_type(id).await?)
    }

    /// All synonyms, for the admins.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn synonyms(&self, caller: &Caller) -> Result<Vec<Synonym>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.synonyms().await?)
    }

    /// Adds a synonym, or returns the one that is the same.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn add_synonym(
        &self,
        caller: &Caller,
        word: &Text<60>,
        means: &Text<60>,
    ) -> Result<i32, Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.add_synonym(word, means).await?)
    }

    /// Changes a synonym.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn edit_synonym(&self, caller: &Caller, edited: &Synonym) -> Result<(), Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.edit_synonym(edited).await?)
    }

    /// Removes a synonym.
    ///
    /// # Errors
    /// [`EntryRefused`].
    pub async fn remove_synonym(&self, caller: &Caller, id: i32) -> Result<(), Failure<EntryRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.parts.remove_synonym(id).await?)
    }
}

#[cfg(test)]
mod tests;

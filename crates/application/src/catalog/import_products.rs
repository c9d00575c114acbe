//! Importing and exporting products.

use std::collections::HashMap;

use domain::{Caller, Permission, Product, ProductDetails, ProductId};
use ports::{IdempotencyKey, Imported, NewProducts, Page, ProductCursor, ProductQuery};

use crate::{Catalog, Failure, FoundProduct};

/// Products to be imported together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProducts {
    pub drafts: Vec<ProductDetails>,
    /// Whether duplicates are skipped. If not, one duplicate prevents the whole import.
    pub partial: bool,
    /// Whether to report only what an import would do.
    pub dry_run: bool,
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why a draft was not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicate {
    /// A product with the same name, category and picture is for sale.
    ForSale,
    /// The earlier draft at this index, from 0, has the same name, category and picture.
    Draft(usize),
}

/// The result of an import or a dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// How many were added; in a dry run, how many would be.
    pub added: usize,
    /// The drafts that are duplicates, by index from 0 and ascending.
    pub left_out: Vec<(usize, Duplicate)>,
}

impl Catalog {
    /// Adds products in one transaction: all of them, or all except duplicates. An order that selects its product by
    /// attributes could not tell two duplicates apart, so the second cannot be added.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn import_products(&self, caller: &Caller, import: ImportProducts) -> Result<ImportReport, Failure> {
        caller.require(Permission::ManageProducts)?;
        let at = self.clock.now();
        let fresh = |details| Product { id: ProductId::new(self.ids.fresh()), details, created_at: at };
        let wanted: Vec<Product> = import.drafts.into_iter().map(fresh).collect();
        let copies = copies(&wanted);
        let (places, products): (Vec<usize>, Vec<Product>) =
            wanted.into_iter().enumerate().filter(|(place, _)| !copies.contains_key(place)).unzip();
        let refused = !import.partial && !copies.is_empty();
        let imported = if import.dry_run || refused {
            let duplicates = self.products.duplicates(&products).await?;
            Imported { added: if import.dry_run { products.len() - duplicates.len() } else { 0 }, duplicates }
        } else {
            let (by, partial, idempotency_key) = (caller.actor(), import.partial, import.idempotency_key);
            self.products.add_all(&NewProducts { products, by, at, partial, idempotency_key }).await?
        };
        let for_sale =
            imported.duplicates.iter().filter_map(|duplicate| Some((*places.get(*duplicate)?, Duplicate::ForSale)));
        let mut left_out: Vec<(usize, Duplicate)> = for_sale.collect();
        left_out.extend(copies.into_iter().map(|(place, first)| (place, Duplicate::Draft(first))));
        left_out.sort_unstable_by_key(|(place, _)| *place);
        Ok(ImportReport { added: imported.added, left_out })
    }

    /// A page of products for sale, to be exported as a file.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn export_products(
        &self,
        caller: &Caller,
        query: &ProductQuery,
    ) -> Result<Page<FoundProduct, ProductCursor>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.browse_products(query).await?)
    }
}

/// The indexes of the products with the same attributes as an earlier one, and the index of that one.
fn copies(products: &[Product]) -> HashMap<usize, usize> {
    let mut first_of = HashMap::new();
    let mut copies = HashMap::new();
    for (place, product) in products.iter().enumerate() {
        let first = *first_of.entry(product.details.selector()).or_insert(place);
        if first != place {
            copies.insert(place, first);
        }
    }
    copies
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::accounts::access::Denied;
    use domain::{Role, Text};
    use ports::MockProductRepository;

    use super::*;
    use crate::testing::{caller, catalog, product};

    fn draft(name: &str) -> ProductDetails {
        ProductDetails { name: Text::new(name).unwrap(), ..product().details }
    }

    fn import(names: &[&str], partial: bool, dry_run: bool) -> ImportProducts {
        ImportProducts {
            drafts: names.iter().map(|name| draft(name)).collect(),
            partial,
            dry_run,
            idempotency_key: None,
        }
    }

    /// A catalog that already sells `sold`; `writes` says whether its repository accepts an import.
    fn selling(sold: &'static str, writes: bool) -> Catalog {
        let duplicates = move |products: &[Product]| -> Vec<usize> {
            (0..products.len()).filter(|place| products[*place].details.name.as_str() == sold).collect()
        };
        let mut products = MockProductRepository::new();
        if writes {
            products.expect_add_all().returning(move |new| {
                let duplicates = duplicates(&new.products);
                let added =
                    if duplicates.is_empty() || new.partial { new.products.len() - duplicates.len() } else { 0 };
                Ok(Imported { added, duplicates })
            });
        } else {
            products.expect_duplicates().returning(move |products| Ok(duplicates(products)));
        }
        Catalog { products: Arc::new(products), ..catalog() }
    }

    #[tokio::test]
    async fn a_dry_run_reports_the_result_and_writes_nothing() {
        let command = import(&["a", "sold", "a", "b", "a"], false, true);
        let report = selling("sold", false).import_products(&caller(Role::Admin), command).await.unwrap();
        assert_eq!(report.added, 2);
        assert_eq!(report.left_out, [(1, Duplicate::ForSale), (2, Duplicate::Draft(0)), (4, Duplicate::Draft(0))]);
    }

    #[tokio::test]
    async fn a_duplicate_among_the_drafts_prevents_a_full_import_and_is_skipped_in_a_partial_one() {
        let names = ["a", "a", "sold", "b"];
        let admin = caller(Role::Admin);
        let report = selling("sold", false).import_products(&admin, import(&names, false, false)).await.unwrap();
        assert_eq!((report.added, report.left_out.len()), (0, 2));
        let report = selling("sold", true).import_products(&admin, import(&names, true, false)).await.unwrap();
        assert_eq!(report.added, 2);
        assert_eq!(report.left_out, [(1, Duplicate::Draft(0)), (2, Duplicate::ForSale)]);
    }

    #[tokio::test]
    async fn drafts_with_different_pictures_or_categories_are_no_duplicates() {
        let mut other_picture = draft("a");
        other_picture.img = "/pictures/other.webp".parse().unwrap();
        let mut other_category = draft("a");
        other_category.category = domain::Category::Tires;
        let drafts = vec![draft("a"), other_picture, other_category];
        let command = ImportProducts { drafts, partial: false, dry_run: false, idempotency_key: None };
        let report = selling("sold", true).import_products(&caller(Role::Admin), command).await.unwrap();
        assert_eq!(report, ImportReport { added: 3, left_out: Vec::new() });
    }

    #[tokio::test]
    async fn a_customer_neither_imports_nor_exports() {
        let customer = caller(Role::Customer);
        let refused = catalog().import_products(&customer, import(&["a"], true, false)).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = catalog().export_products(&customer, &ProductQuery::default()).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}

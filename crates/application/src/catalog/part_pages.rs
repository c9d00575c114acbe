//! Parts by the addresses of their pages, and lists of all of them for search engines.

use std::collections::HashMap;

use domain::catalog::slug::{numbers_after, short_id};
use domain::{Gtin, PartKey, ProductId, VehicleNo};
use ports::{ListedPart, PartsBlock, StoreError};

use crate::Catalog;

impl Catalog {
    /// The part that a slug leads to, for sale or archived: the one whose slug it is, or else the one with the brand and the
    /// number, or the short id, that it names. A part that got another name is so still found by its old address.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn part_by_slug(&self, slug: &str) -> Result<Option<ListedPart>, StoreError> {
        let mut numbers: Vec<PartKey> = Vec::new();
        let mut brands = Vec::new();
        for brand in self.parts.brands().await? {
            let of_brand = numbers_after(slug, brand.name.as_str());
            if !of_brand.is_empty() {
                brands.push(brand.id);
                numbers.extend(of_brand);
            }
        }
        let mut found =
            if brands.is_empty() { Vec::new() } else { self.part_pages.listed_by_number(&brands, &numbers).await? };
        let length = |part: &ListedPart| {
            let key = part.part_number.as_ref().and_then(|number| PartKey::new(number.as_str()).ok());
            key.map_or(0, |key| key.as_str().len())
        };
        found.sort_by_key(|part| (std::cmp::Reverse(length(part)), part.no));
        if let Some(no) = short_id(slug)
            && let Some(part) = self.part_pages.listed_by_no(no).await?
        {
            found.push(part);
        }
        let exact = found.iter().position(|part| part.slug() == slug);
        Ok((!found.is_empty()).then(|| found.swap_remove(exact.unwrap_or(0))))
    }

    /// The part with this id, for sale or archived.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn listed_part(&self, id: ProductId) -> Result<Option<ListedPart>, StoreError> {
        Ok(self.part_pages.listed(&[id]).await?.pop())
    }

    /// The slugs of these parts, those for sale and archived ones.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn part_slugs(&self, ids: &[ProductId]) -> Result<HashMap<ProductId, String>, StoreError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let listed = self.part_pages.listed(ids).await?;
        Ok(listed.into_iter().map(|part| (part.id, part.slug())).collect())
    }

    /// Parts for sale, see [`ports::PartPages::listed_after`].
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn parts_after(&self, after: i32, up_to: Option<i32>, limit: u32) -> Result<Vec<ListedPart>, StoreError> {
        self.part_pages.listed_after(after, up_to, limit).await
    }

    /// The blocks of parts, see [`ports::PartPages::blocks`].
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn blocks_of_parts(&self, size: i32) -> Result<Vec<PartsBlock>, StoreError> {
        self.part_pages.blocks(size).await
    }

    /// Those of these vehicles that parts for sale fit, see [`ports::PartPages::vehicles_with_parts`].
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn vehicles_with_parts(&self, vehicles: &[VehicleNo]) -> Result<Vec<VehicleNo>, StoreError> {
        if vehicles.is_empty() {
            return Ok(Vec::new());
        }
        self.part_pages.vehicles_with_parts(vehicles).await
    }

    /// One GTIN of each of these parts that has one which means the same everywhere.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn worldwide_gtins(&self, ids: &[ProductId]) -> Result<HashMap<ProductId, Gtin>, StoreError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let gtins = self.part_pages.gtins(ids).await?;
        let mut worldwide = HashMap::new();
        for (id, gtin) in gtins.into_iter().filter(|(_, gtin)| gtin.is_worldwide()) {
            worldwide.entry(id).or_insert(gtin);
        }
        Ok(worldwide)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Text, Timestamp};
    use ports::{Brand, MockPartPages, MockPartRepository};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{catalog, ports};

    fn id(no: i32) -> ProductId {
        ProductId::new(Uuid::from_u128(u128::try_from(no).unwrap()))
    }

    fn part(no: i32, number: Option<&str>, name: &str) -> ListedPart {
        ListedPart {
            id: id(no),
            no,
            name: Text::new(name).unwrap(),
            brand: number.map(|_| Text::new("Acme").unwrap()),
            part_number: number.map(|number| Text::new(number).unwrap()),
            changed_at: Timestamp::UNIX_EPOCH,
            is_archived: false,
        }
    }

    /// The number of the part that a slug leads to.
    async fn found(slug: &str) -> Option<i32> {
        let all = || vec![part(1, Some("12"), "Disc"), part(2, Some("12-3"), "Pad"), part(3, None, "Acme 12 disc")];
        let mut parts = MockPartRepository::new();
        parts.expect_brands().returning(|| Ok(vec![Brand { id: 5, name: Text::new("Acme").unwrap() }]));
        let mut pages = MockPartPages::new();
        pages.expect_listed_by_number().returning(move |brands, keys| {
            assert_eq!(brands, [5]);
            let is_wanted = |part: &ListedPart| {
                let number = part.part_number.as_ref().map(|number| PartKey::new(number.as_str()).unwrap());
                number.is_some_and(|number| keys.contains(&number))
            };
            Ok(all().into_iter().filter(is_wanted).collect())
        });
        pages.expect_listed_by_no().returning(move |no| Ok(all().into_iter().find(|part| part.no == no)));
        let catalog = Catalog::new(&Ports { parts: Arc::new(parts), part_pages: Arc::new(pages), ..ports() });
        catalog.part_by_slug(slug).await.unwrap().map(|part| part.no)
    }

    #[tokio::test]
    async fn a_slug_leads_to_the_part_whose_slug_it_is_or_whose_number_it_names() {
        for (slug, expected) in [
            ("acme-12-disc", Some(1)),
            ("acme-12-3-pad", Some(2)),
            // Under an older name.
            ("acme-12-rotor", Some(1)),
            ("acme-12-3", Some(2)),
            ("acme-12-disc-p3", Some(3)),
            ("anything-p3", Some(3)),
            ("acme-13-disc", None),
            ("acme", None),
            ("disc-p4", None),
            ("", None),
        ] {
            assert_eq!(found(slug).await, expected, "{slug}");
        }
    }

    fn disc() -> ListedPart {
        part(1, Some("12"), "Disc")
    }

    fn with(pages: MockPartPages) -> Catalog {
        Catalog { part_pages: Arc::new(pages), ..catalog() }
    }

    #[tokio::test]
    async fn parts_are_addressed_by_their_ids() {
        let mut pages = MockPartPages::new();
        pages.expect_listed().returning(|ids| {
            let all = [disc(), part(3, None, "Acme 12 disc")];
            Ok(all.into_iter().filter(|part| ids.contains(&part.id)).collect())
        });
        let catalog = with(pages);
        assert_eq!(catalog.listed_part(id(1)).await.unwrap(), Some(disc()));
        assert_eq!(catalog.listed_part(id(2)).await.unwrap(), None);
        let slugs = catalog.part_slugs(&[id(1), id(2), id(3)]).await.unwrap();
        let expected = [(id(1), "acme-12-disc".to_owned()), (id(3), "acme-12-disc-p3".to_owned())];
        assert_eq!(slugs, HashMap::from(expected));
    }

    #[tokio::test]
    async fn search_engines_get_parts_blocks_of_them_and_the_vehicles_that_have_any() {
        let block = PartsBlock { nth: 3, changed_at: Timestamp::UNIX_EPOCH };
        let [with_parts, without] = [7, 8].map(VehicleNo::new);
        let mut pages = MockPartPages::new();
        pages
            .expect_listed_after()
            .withf(|after, up_to, limit| (*after, *up_to, *limit) == (0, Some(50), 20))
            .returning(|_, _, _| Ok(vec![disc()]));
        pages.expect_blocks().withf(|size| *size == 1_000).returning(move |_| Ok(vec![block]));
        pages
            .expect_vehicles_with_parts()
            .withf(move |vehicles| vehicles == [with_parts, without])
            .returning(move |_| Ok(vec![with_parts]));
        let catalog = with(pages);
        assert_eq!(catalog.parts_after(0, Some(50), 20).await.unwrap(), [disc()]);
        assert_eq!(catalog.blocks_of_parts(1_000).await.unwrap(), [block]);
        assert_eq!(catalog.vehicles_with_parts(&[with_parts, without]).await.unwrap(), [with_parts]);
    }

    #[tokio::test]
    async fn a_part_has_the_first_of_its_gtins_that_means_the_same_everywhere() {
        let gtin = |digits: &str| digits.parse::<Gtin>().unwrap();
        let mut pages = MockPartPages::new();
        pages.expect_gtins().withf(|ids| ids == [id(1), id(2)]).returning(move |_| {
            // What begins with 2 is the shop's own.
            let of_one = ["2012345678903", "4006381333931", "036000291452"].map(|digits| (id(1), gtin(digits)));
            Ok(of_one.into_iter().chain([(id(2), gtin("2012345678903"))]).collect())
        });
        let gtins = with(pages).worldwide_gtins(&[id(1), id(2)]).await.unwrap();
        assert_eq!(gtins, HashMap::from([(id(1), gtin("4006381333931"))]));
    }

    #[tokio::test]
    async fn where_nothing_is_asked_for_nothing_is_looked_up() {
        // No repository may be called.
        let catalog = catalog();
        assert_eq!(catalog.part_slugs(&[]).await.unwrap(), HashMap::new());
        assert_eq!(catalog.vehicles_with_parts(&[]).await.unwrap(), []);
        assert_eq!(catalog.worldwide_gtins(&[]).await.unwrap(), HashMap::new());
    }
}

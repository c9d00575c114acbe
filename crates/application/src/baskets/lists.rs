//! The saved lists of the caller.

use domain::accounts::access::Denied;
use domain::{BasketLine, BasketRefused, Caller, ListId, Permission, ProductId, Text, summed};
use ports::{IdempotencyKey, ListEdit, ListSummary, ListsFull, NewList, SavedList};
use thiserror::Error;

use crate::baskets::check::PricedBy;
use crate::baskets::row::CheckedRow;
use crate::{Baskets, Failure};

/// Why a list was not saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SaveListRefused {
    #[error(transparent)]
    Full(#[from] ListsFull),
    #[error(transparent)]
    Lines(#[from] BasketRefused),
}

/// A list with what its products are called.
#[derive(Debug, Clone)]
pub struct ListView {
    pub list: SavedList,
    /// A row for each of its lines.
    pub rows: Vec<CheckedRow>,
}

impl Baskets {
    /// The caller's lists, by name.
    ///
    /// # Errors
    /// [`Failure::Unavailable`].
    pub async fn lists(&self, caller: &Caller) -> Result<Vec<ListSummary>, Failure> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        Ok(self.lists.lists(caller.account).await?)
    }

    /// One list of the caller's.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such list.
    pub async fn list(&self, caller: &Caller, id: ListId) -> Result<ListView, Failure> {
        let list = self.own_list(caller, id).await?;
        let rows = self.check_lines(caller, &list.lines, PricedBy::Orderable).await?;
        Ok(ListView { list, rows })
    }

    /// Keeps a list, and returns its id; lines of one product become one.
    ///
    /// # Errors
    /// [`SaveListRefused`].
    pub async fn add_list(
        &self,
        caller: &Caller,
        name: Text<80>,
        lines: &[BasketLine],
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<ListId, Failure<SaveListRefused>> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        let lines = without_prices(lines).map_err(|error| Failure::Refused(error.into()))?;
        let list = SavedList { id: ListId::new(self.ids.fresh()), name, lines, changed_at: self.clock.now() };
        let new = NewList { account: caller.account, list, idempotency_key };
        self.lists.add_list(&new).await.map_err(|error| Failure::from(error).map(SaveListRefused::Full))
    }

    /// Changes a list; what is not given stays. `false` if it is so already.
    ///
    /// # Errors
    /// [`BasketRefused`]; [`Failure::Denied`] if the caller has no such list.
    pub async fn edit_list(&self, caller: &Caller, id: ListId, edit: ListEdit) -> Result<bool, Failure<BasketRefused>> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        let lines = edit.lines.as_deref().map(without_prices).transpose().map_err(Failure::Refused)?;
        let edit = ListEdit { lines, ..edit };
        let edited = self.lists.edit_list(caller.account, id, &edit, self.clock.now()).await?;
        edited.ok_or(Denied::NotFound.into())
    }

    /// Removes a list.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such list.
    pub async fn remove_list(&self, caller: &Caller, id: ListId) -> Result<(), Failure> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        if self.lists.remove_list(caller.account, id).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    /// Checks the lines of a list as a quick order.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such list.
    pub async fn check_list(&self, caller: &Caller, id: ListId) -> Result<Vec<CheckedRow>, Failure> {
        let list = self.own_list(caller, id).await?;
        Ok(self.check_lines(caller, &list.lines, PricedBy::Orderable).await?)
    }

    async fn own_list(&self, caller: &Caller, id: ListId) -> Result<SavedList, Failure> {
        caller.require_owner(Permission::KeepBasket, caller.account)?;
        self.lists.list(caller.account, id).await?.ok_or(Denied::NotFound.into())
    }
}

/// A list is kept for longer than any price.
fn without_prices(lines: &[BasketLine]) -> Result<Vec<BasketLine>, BasketRefused> {
    let bare: Vec<BasketLine> = lines.iter().map(|line| BasketLine { shown: None, ..*line }).collect();
    summed(&bare)
}

impl ListView {
    /// Each product with its row.
    pub fn lines(&self) -> impl Iterator<Item = (ProductId, &BasketLine, &CheckedRow)> {
        self.list.lines.iter().zip(&self.rows).map(|(line, row)| (line.product, line, row))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Money, Role, SecondFactor};
    use ports::{Fingerprint, KeyDigest, MockListRepository};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::baskets::check::tests::{baskets, id, line, part, selling};
    use crate::testing::{caller, now, ports};

    fn list_id() -> ListId {
        ListId::new(Uuid::from_u128(70))
    }

    fn name() -> Text<80> {
        Text::new("Brakes").unwrap()
    }

    /// A line with the price at which it was shown.
    fn shown(n: u128, units: i64) -> BasketLine {
        BasketLine { shown: Money::from_cents(100).ok(), ..line(n, units) }
    }

    fn list() -> SavedList {
        SavedList { id: list_id(), name: name(), lines: vec![line(5, 70), line(4, 60)], changed_at: now() }
    }

    /// The service on these lists, with parts 4 and 5 for sale.
    fn on(lists: MockListRepository) -> Baskets {
        let products = selling(vec![part(4), part(5)], Vec::new());
        baskets(&Ports { lists: Arc::new(lists), products: Arc::new(products), ..ports() })
    }

    #[tokio::test]
    async fn an_account_has_the_lists_that_are_kept_for_it() {
        let kept = vec![ListSummary { id: list_id(), name: name(), lines: 3, changed_at: now() }];
        let (mut lists, returned) = (MockListRepository::new(), kept.clone());
        lists
            .expect_lists()
            .withf(|account| *account == caller(Role::Customer).account)
            .returning(move |_| Ok(returned.clone()));
        assert_eq!(on(lists).lists(&caller(Role::Customer)).await.unwrap(), kept);
    }

    #[tokio::test]
    async fn a_list_is_shown_and_checked_line_by_line() {
        let mut lists = MockListRepository::new();
        lists
            .expect_list()
            .times(2)
            .withf(|account, id| (*account, *id) == (caller(Role::Customer).account, list_id()))
            .returning(|_, _| Ok(Some(list())));
        let (baskets, customer) = (on(lists), caller(Role::Customer));
        let view = baskets.list(&customer, list_id()).await.unwrap();
        let lines: Vec<_> =
            view.lines().map(|(product, line, row)| (product, line.units.get(), row.text.as_str())).collect();
        assert_eq!(lines, [(id(5), 70, "DL-5 70"), (id(4), 60, "DL-4 60")]);
        let checked = baskets.check_list(&customer, list_id()).await.unwrap();
        let rows: Vec<_> = checked.iter().map(|row| (row.for_sale(), row.quantity)).collect();
        assert_eq!(rows, [(Some(id(5)), 70), (Some(id(4)), 60)]);
    }

    #[tokio::test]
    async fn a_new_list_has_each_part_once_and_no_prices() {
        let key = IdempotencyKey { key: KeyDigest([7; 32]), fingerprint: Fingerprint([7; 32]) };
        let mut lists = MockListRepository::new();
        lists
            .expect_add_list()
            .times(1)
            .withf(move |new| {
                let SavedList { name, lines, changed_at, .. } = &new.list;
                new.account == caller(Role::Customer).account
                    && new.idempotency_key == Some(key)
                    && (name.as_str(), *changed_at) == ("Brakes", now())
                    && *lines == [line(4, 100), line(5, 50)]
            })
            .returning(|_| Ok(list_id()));
        let lines = [shown(4, 60), shown(5, 50), shown(4, 40)];
        let added = on(lists).add_list(&caller(Role::Customer), name(), &lines, Some(key)).await.unwrap();
        assert_eq!(added, list_id());
    }

    #[tokio::test]
    async fn an_edit_keeps_no_prices_and_says_whether_it_changed_anything() {
        for is_changed in [true, false] {
            let mut lists = MockListRepository::new();
            lists
                .expect_edit_list()
                .times(1)
                .withf(|account, id, edit, at| {
                    (*account, *id, *at) == (caller(Role::Customer).account, list_id(), now())
                        && *edit == ListEdit { name: Some(name()), lines: Some(vec![line(4, 60)]) }
                })
                .returning(move |_, _, _, _| Ok(Some(is_changed)));
            let edit = ListEdit { name: Some(name()), lines: Some(vec![shown(4, 60)]) };
            let edited = on(lists).edit_list(&caller(Role::Customer), list_id(), edit).await.unwrap();
            assert_eq!(edited, is_changed);
        }
    }

    #[tokio::test]
    async fn a_list_that_the_caller_does_not_have_is_neither_shown_nor_changed() {
        let mut lists = MockListRepository::new();
        lists.expect_list().returning(|_, _| Ok(None));
        lists.expect_edit_list().returning(|_, _, _, _| Ok(None));
        lists.expect_remove_list().times(1).returning(|_, _| Ok(false));
        let (baskets, customer) = (on(lists), caller(Role::Customer));
        let shown = baskets.list(&customer, list_id()).await;
        assert!(matches!(shown, Err(Failure::Denied(Denied::NotFound))));
        let checked = baskets.check_list(&customer, list_id()).await;
        assert!(matches!(checked, Err(Failure::Denied(Denied::NotFound))));
        let edited = baskets.edit_list(&customer, list_id(), ListEdit { name: None, lines: None }).await;
        assert!(matches!(edited, Err(Failure::Denied(Denied::NotFound))));
        let removed = baskets.remove_list(&customer, list_id()).await;
        assert!(matches!(removed, Err(Failure::Denied(Denied::NotFound))));
    }

    #[tokio::test]
    async fn only_the_list_that_is_named_is_removed() {
        let mut lists = MockListRepository::new();
        lists
            .expect_remove_list()
            .times(1)
            .withf(|account, id| (*account, *id) == (caller(Role::Customer).account, list_id()))
            .returning(|_, _| Ok(true));
        on(lists).remove_list(&caller(Role::Customer), list_id()).await.unwrap();
    }

    #[tokio::test]
    async fn a_session_that_has_not_proved_its_second_factor_sees_and_removes_no_list() {
        let unproved = Caller { second_factor: SecondFactor::Unproved, ..caller(Role::Customer) };
        let baskets = on(MockListRepository::new());
        let shown = baskets.lists(&unproved).await;
        assert!(matches!(shown, Err(Failure::Denied(Denied::SecondFactor(_)))));
        let removed = baskets.remove_list(&unproved, list_id()).await;
        assert!(matches!(removed, Err(Failure::Denied(Denied::SecondFactor(_)))));
    }
}

//! The saved lists of the caller.

use domain::accounts::access::Denied;
use domain::{BasketLine, BasketRefused, Caller, ListId, Permission, ProductId, Text, summed};
use ports::{IdempotencyKey, ListEdit, ListSummary, ListsFull, NewList, SavedList};
use thiserror::Error;

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
        let rows = self.check_lines(caller, &list.lines).await?;
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
        Ok(self.check_lines(caller, &list.lines).await?)
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

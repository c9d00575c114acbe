//! Internal notes of admins about orders and customers.

use domain::accounts::access::Denied;
use domain::{Caller, Note, NoteId, NoteSubject, OrderId, Permission, Text};
use ports::{IdempotencyKey, NewNote};

use crate::{Failure, Orders};

/// How many notes about one order or customer are returned.
const LIST_LIMIT: u32 = 200;

/// What notes are to be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotesAbout<'a> {
    Order(OrderId),
    /// The account with this address.
    Customer(&'a str),
}

impl Orders {
    /// The notes about an order, cancelled or not, or about a customer; latest first, at most 200.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin, and if there is no such order or account.
    pub async fn notes(&self, caller: &Caller, about: NotesAbout<'_>) -> Result<Vec<Note>, Failure> {
        caller.require(Permission::KeepNotes)?;
        Ok(self.notes.about(self.note_subject(about).await?, LIST_LIMIT).await?)
    }

    /// Adds a note.
    ///
    /// # Errors
    /// As [`Self::notes`].
    pub async fn add_note(
        &self,
        caller: &Caller,
        about: NotesAbout<'_>,
        text: Text<2000>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<NoteId, Failure> {
        caller.require(Permission::KeepNotes)?;
        let note = Note {
            id: NoteId::new(self.ids.fresh()),
            about: self.note_subject(about).await?,
            author: caller.account,
            author_email: caller.email.clone(),
            text,
            created_at: self.clock.now(),
        };
        Ok(self.notes.add(&NewNote { note, idempotency_key }).await?)
    }

    /// Removes a note; `false` if it was not there.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn remove_note(&self, caller: &Caller, id: NoteId) -> Result<bool, Failure> {
        caller.require(Permission::KeepNotes)?;
        Ok(self.notes.remove(id, caller.account, self.clock.now()).await?)
    }

    async fn note_subject(&self, about: NotesAbout<'_>) -> Result<NoteSubject, Failure> {
        Ok(match about {
            NotesAbout::Order(id) => NoteSubject::Order(self.orders.find(id).await?.ok_or(Denied::NotFound)?.id),
            NotesAbout::Customer(address) => NoteSubject::Customer(self.account_at(address).await?.id),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{MockAccountRepository, MockNoteRepository, MockOrderRepository};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, credentials, customers_order, holding, now, orders_on, ports};

    fn text() -> Text<2000> {
        Text::new("Called twice.").unwrap()
    }

    fn note(about: NoteSubject) -> Note {
        let Caller { account, email, .. } = caller(Role::Admin);
        let id = NoteId::new(Uuid::from_u128(7));
        Note { id, about, author: account, author_email: email, text: text(), created_at: now() }
    }

    #[tokio::test]
    async fn an_admin_notes_something_about_an_order_in_their_own_name() {
        let order = customers_order();
        let mut notes = MockNoteRepository::new();
        let about = NoteSubject::Order(order.id);
        notes
            .expect_add()
            .times(1)
            .withf(move |new| new.note.about == about && new.note.author == caller(Role::Admin).account)
            .returning(|new| Ok(new.note.id));
        let service = orders_on(Ports { orders: Arc::new(holding(&order)), notes: Arc::new(notes), ..ports() });
        service.add_note(&caller(Role::Admin), NotesAbout::Order(order.id), text(), None).await.unwrap();
    }

    #[tokio::test]
    async fn an_admin_reads_the_latest_notes_about_an_order_or_a_customer() {
        let order = customers_order();
        for (about, subject) in [
            (NotesAbout::Order(order.id), NoteSubject::Order(order.id)),
            (NotesAbout::Customer("nia@example.com"), NoteSubject::Customer(credentials("nia@example.com").account.id)),
        ] {
            let mut accounts = MockAccountRepository::new();
            accounts.expect_by_email().returning(|email| Ok(Some(credentials(email.as_str()))));
            let mut notes = MockNoteRepository::new();
            notes
                .expect_about()
                .times(1)
                .withf(move |of, limit| (*of, *limit) == (subject, 200))
                .returning(|of, _| Ok(vec![note(of)]));
            let service = orders_on(Ports {
                accounts: Arc::new(accounts),
                orders: Arc::new(holding(&order)),
                notes: Arc::new(notes),
                ..ports()
            });
            assert_eq!(service.notes(&caller(Role::Admin), about).await.unwrap(), [note(subject)]);
        }
    }

    #[tokio::test]
    async fn an_admin_removes_a_note_in_their_own_name_and_learns_whether_it_was_there() {
        let admin = caller(Role::Admin);
        let (id, by) = (note(NoteSubject::Customer(admin.account)).id, admin.account);
        for was_there in [true, false] {
            let mut notes = MockNoteRepository::new();
            notes
                .expect_remove()
                .times(1)
                .withf(move |note, author, at| (*note, *author, *at) == (id, by, now()))
                .returning(move |_, _, _| Ok(was_there));
            let service = orders_on(Ports { notes: Arc::new(notes), ..ports() });
            assert_eq!(service.remove_note(&admin, id).await.unwrap(), was_there);
        }
    }

    #[tokio::test]
    async fn an_order_that_never_was_takes_no_note() {
        let mut orders = MockOrderRepository::new();
        orders.expect_find().returning(|_| Ok(None));
        let service = orders_on(Ports { orders: Arc::new(orders), ..ports() });
        let about = NotesAbout::Order(customers_order().id);
        let refused = service.add_note(&caller(Role::Admin), about, text(), None).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
    }

    #[tokio::test]
    async fn a_customer_neither_reads_writes_nor_removes_notes_about_their_own_order() {
        // No repository may be called.
        let (service, customer) = (orders_on(ports()), caller(Role::Customer));
        let about = NotesAbout::Order(customers_order().id);
        assert!(matches!(service.notes(&customer, about).await, Err(Failure::Denied(Denied::Forbidden))));
        let refused = service.add_note(&customer, about, text(), None).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = service.remove_note(&customer, NoteId::new(service.ids.fresh())).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}

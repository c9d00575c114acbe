//! Internal notes of admins about orders and customers.

use crate::{AccountId, Email, NoteId, OrderId, Text, Timestamp};

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteSubject {
    /// An order.
    Order(OrderId),
    /// A customer, whichever order it is.
    Customer(AccountId),
}

/// An internal note. Admins write and read it; customers never see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The note's id.
    pub id: NoteId,
    /// What it is about.
    pub about: NoteSubject,
    /// The admin who wrote it.
    pub author: AccountId,
    /// The author's e-mail address when they wrote it.
    pub author_email: Email,
    /// What it says.
    pub text: Text<2000>,
    /// When it was written.
    pub created_at: Timestamp,
}

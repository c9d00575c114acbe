//! Rows of accounts and profiles, and the columns that say who did something.

use std::fmt::Display;

use diesel::prelude::*;
use diesel::result::Error;
use domain::accounts::profile::Link;
use domain::{Account, AccountId, Actor, Profile};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{Credentials, PasswordHash};
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema;

impl<Id: Display + Copy> RowDecoder<Id> {
    pub(crate) fn actor(self, id: Option<Uuid>, email: Option<&str>) -> QueryResult<Actor> {
        match (id, email) {
            (Some(id), Some(email)) => {
                Ok(Actor::Account { id: AccountId::new(id), email: self.parse("actor_email", email)? })
            }
            (None, None) => Ok(Actor::Shop),
            _ => Err(self.refuse("actor_id", "half an actor")),
        }
    }
}

/// The two columns that identify the actor.
pub(crate) fn actor_columns(actor: &Actor) -> (Option<Uuid>, Option<String>) {
    match actor {
        Actor::Account { id, email } => (Some(id.uuid()), Some(email.as_str().to_owned())),
        Actor::Shop => (None, None),
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::accounts, check_for_backend(diesel::pg::Pg))]
pub(crate) struct AccountRow {
    id: Uuid,
    email: String,
    display_name: String,
    photo_url: Option<String>,
    role: String,
    password_hash: Option<String>,
    created_at: SqlTimestamp,
    removed_at: Option<SqlTimestamp>,
    email_verified_at: Option<SqlTimestamp>,
    proved_at: Option<SqlTimestamp>,
    google_linked_at: Option<SqlTimestamp>,
}

impl TryFrom<AccountRow> for Credentials {
    type Error = Error;

    fn try_from(row: AccountRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "account", id: row.id };
        let account = Account {
            id: AccountId::new(row.id),
            email: decoder.parse("email", &row.email)?,
            display_name: decoder.text("display_name", &row.display_name)?,
            photo_url: decoder.maybe("photo_url", row.photo_url.as_deref())?,
            role: decoder.parse("role", &row.role)?,
            created_at: row.created_at.to_jiff(),
            email_verified_at: row.email_verified_at.map(SqlTimestamp::to_jiff),
            proved_at: row.proved_at.map(SqlTimestamp::to_jiff),
        };
        Ok(Self {
            account,
            password: row.password_hash.map(PasswordHash::new),
            google_linked: row.google_linked_at.is_some(),
            removed: row.removed_at.is_some(),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::profiles, check_for_backend(diesel::pg::Pg))]
pub(crate) struct ProfileRow {
    account_id: Uuid,
    study_in: Option<String>,
    lives_in: Option<String>,
    phone: Option<String>,
    facebook: Option<String>,
    linkedin: Option<String>,
    github: Option<String>,
}

impl TryFrom<ProfileRow> for Profile {
    type Error = Error;

    fn try_from(row: ProfileRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "profile of account", id: row.account_id };
        Ok(Self {
            study_in: decoder.maybe_text("study_in", row.study_in.as_deref())?,
            lives_in: decoder.maybe_text("lives_in", row.lives_in.as_deref())?,
            phone: decoder.maybe_text("phone", row.phone.as_deref())?,
            facebook: decoder.maybe::<Link>("facebook", row.facebook.as_deref())?,
            linkedin: decoder.maybe("linkedin", row.linkedin.as_deref())?,
            github: decoder.maybe("github", row.github.as_deref())?,
        })
    }
}

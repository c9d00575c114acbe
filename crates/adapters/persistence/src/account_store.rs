//! Who can sign in.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::{Account, AccountId, Edit, Email, PictureUrl, Role, Text, Timestamp};
use jiff_diesel::ToDiesel;
use ports::{AccountStore, AddAccountError, Credentials, NewAccount, PasswordHash, Removal, RoleChange, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::rows::{AccountRow, all};
use crate::schema::{accounts, sessions};

#[async_trait]
impl AccountStore for Database {
    async fn add(&self, new: &NewAccount) -> Result<(), AddAccountError> {
        let new = new.clone();
        let added = self
            .run(move |connection| {
                let account = &new.account;
                diesel::insert_into(accounts::table)
                    .values((
                        accounts::id.eq(account.id.uuid()),
                        accounts::email.eq(account.email.as_str()),
                        accounts::display_name.eq(account.display_name.as_str()),
                        accounts::photo_url.eq(account.photo_url.as_ref().map(PictureUrl::as_str)),
                        accounts::role.eq(account.role.as_str()),
                        accounts::password_hash.eq(new.password.as_ref().map(PasswordHash::as_str)),
                        accounts::google_subject.eq(new.google_subject.as_deref()),
                        accounts::created_at.eq(account.created_at.to_diesel()),
                    ))
                    .on_conflict_do_nothing()
                    .execute(connection)
            })
            .await?;
        if added > 0 { Ok(()) } else { Err(AddAccountError::Taken) }
    }

    async fn by_email(&self, email: &Email) -> Result<Option<Credentials>, StoreError> {
        let email = email.as_str().to_owned();
        self.run(move |connection| {
            accounts::table
                .filter(accounts::email.eq(email))
                .select(AccountRow::as_select())
                .first(connection)
                .optional()?
                .map(Credentials::try_from)
                .transpose()
        })
        .await
    }

    async fn by_google(&self, subject: &str) -> Result<Option<Credentials>, StoreError> {
        if subject.contains('\0') {
            return Ok(None);
        }
        let subject = subject.to_owned();
        self.run(move |connection| {
            accounts::table
                .filter(accounts::google_subject.eq(subject))
                .select(AccountRow::as_select())
                .first(connection)
                .optional()?
                .map(Credentials::try_from)
                .transpose()
        })
        .await
    }

    async fn find(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        self.run(move |connection| living(connection, id)).await
    }

    async fn link_google(&self, id: AccountId, subject: &str) -> Result<bool, StoreError> {
        if subject.contains('\0') {
            return Ok(false);
        }
        let subject = subject.to_owned();
        self.run(move |connection| {
            let linked = diesel::update(accounts::table.find(id.uuid()))
                .filter(accounts::removed_at.is_null())
                .filter(accounts::google_subject.is_null().or(accounts::google_subject.eq(&subject)))
                .set(accounts::google_subject.eq(&subject))
                .execute(connection);
            match linked {
                Ok(linked) => Ok(linked > 0),
                Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(false),
                Err(error) => Err(error),
            }
        })
        .await
    }

    async fn rename(
        &self,
        id: AccountId,
        display_name: Option<Text<120>>,
        photo_url: Edit<PictureUrl>,
    ) -> Result<Option<Account>, StoreError> {
        self.run(move |connection| {
            let photo_url = match photo_url {
                Edit::Keep => None,
                Edit::Set(photo) => Some(accounts::photo_url.eq(photo.map(|url| url.as_str().to_owned()))),
            };
            if display_name.is_none() && photo_url.is_none() {
                return living(connection, id);
            }
            diesel::update(accounts::table.find(id.uuid()))
                .filter(accounts::removed_at.is_null())
                .set((display_name.map(|name| accounts::display_name.eq(name.into_string())), photo_url))
                .returning(AccountRow::as_returning())
                .get_result(connection)
                .optional()?
                .map(account)
                .transpose()
        })
        .await
    }

    async fn all(&self) -> Result<Vec<Account>, StoreError> {
        self.run(|connection| {
            let credentials: Vec<Credentials> = all(accounts::table
                .filter(accounts::removed_at.is_null())
                .order((accounts::created_at, accounts::id))
                .select(AccountRow::as_select())
                .load(connection)?)?;
            Ok(credentials.into_iter().map(|one| one.account).collect())
        })
        .await
    }

    async fn set_role(&self, email: &Email, role: Role) -> Result<RoleChange, StoreError> {
        let email = email.as_str().to_owned();
        self.run(move |connection| {
            connection.transaction(|connection| {
                let admins = match role {
                    Role::Customer => lock_admins(connection)?,
                    Role::Admin => Vec::new(),
                };
                let Some((id, now)) = lock_living(connection, &email)? else {
                    return Ok(RoleChange::Unknown);
                };
                if now == role.as_str() {
                    return Ok(RoleChange::Same);
                }
                if role == Role::Customer && !admins.iter().any(|admin| *admin != id) {
                    return Ok(RoleChange::LastAdmin);
                }
                diesel::update(accounts::table.find(id)).set(accounts::role.eq(role.as_str())).execute(connection)?;
                Ok(RoleChange::Changed)
            })
        })
        .await
    }

    async fn remove(&self, email: &Email, at: Timestamp) -> Result<Removal, StoreError> {
        let email = email.as_str().to_owned();
        self.run(move |connection| {
            connection.transaction(|connection| {
                let admins = lock_admins(connection)?;
                let Some((id, role)) = lock_living(connection, &email)? else {
                    return Ok(Removal::Unknown);
                };
                if role == Role::Admin.as_str() && !admins.iter().any(|admin| *admin != id) {
                    return Ok(Removal::LastAdmin);
                }
                diesel::update(accounts::table.find(id))
                    .set(accounts::removed_at.eq(at.to_diesel()))
                    .execute(connection)?;
                diesel::update(sessions::table)
                    .filter(sessions::account_id.eq(id))
                    .filter(sessions::closed_at.is_null())
                    .set(sessions::closed_at.eq(at.to_diesel()))
                    .execute(connection)?;
                Ok(Removal::Removed)
            })
        })
        .await
    }
}

fn account(row: AccountRow) -> QueryResult<Account> {
    Credentials::try_from(row).map(|credentials| credentials.account)
}

fn living(connection: &mut PgConnection, id: AccountId) -> QueryResult<Option<Account>> {
    accounts::table
        .find(id.uuid())
        .filter(accounts::removed_at.is_null())
        .select(AccountRow::as_select())
        .first(connection)
        .optional()?
        .map(account)
        .transpose()
}

/// Every admin, held fast in one order until the transaction ends: of two that would each leave the other as the last,
/// the second waits and then sees what the first did.
fn lock_admins(connection: &mut PgConnection) -> QueryResult<Vec<Uuid>> {
    accounts::table
        .filter(accounts::role.eq(Role::Admin.as_str()))
        .filter(accounts::removed_at.is_null())
        .order(accounts::id)
        .select(accounts::id)
        .for_no_key_update()
        .load(connection)
}

fn lock_living(connection: &mut PgConnection, email: &str) -> QueryResult<Option<(Uuid, String)>> {
    accounts::table
        .filter(accounts::email.eq(email))
        .filter(accounts::removed_at.is_null())
        .select((accounts::id, accounts::role))
        .for_no_key_update()
        .first(connection)
        .optional()
}

//! The steps that change who owns an account. Each runs inside the caller's transaction.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use domain::notifications::delivery::Topic;
use domain::{Account, Email, OrderId, PictureUrl, Role, Text, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Credentials, GoogleClaim, GoogleClaimed, GoogleLink, GoogleSubject, Linking};
use uuid::Uuid;

use crate::accounts::repository::{coalesce, verified};
use crate::accounts::rows::AccountRow;
use crate::accounts::{login_attempts, second_factors, sessions, void_tokens};
use crate::notifications::outbox as outbox_store;
use crate::platform::decode::RowDecoder;
use crate::platform::search;
use crate::platform::sql_file::sql_file;
use crate::schema::{accounts, addresses, carts, exemptions, garage, google_sign_ins, lists, profiles};

/// What the ownership changes need to know of an account.
#[derive(Queryable, Selectable)]
#[diesel(table_name = accounts, check_for_backend(diesel::pg::Pg))]
pub(crate) struct Held {
    pub(crate) id: Uuid,
    email: String,
    role: String,
    pub(crate) password_hash: Option<String>,
    pub(crate) google_subject: Option<String>,
    google_linked_at: Option<SqlTimestamp>,
    proved_at: Option<SqlTimestamp>,
    removed_at: Option<SqlTimestamp>,
}

/// The Google columns; `None` sets them to NULL.
#[derive(Debug, Clone, Default, AsChangeset)]
#[diesel(table_name = accounts, treat_none_as_null = true)]
pub(crate) struct GoogleColumns {
    #[diesel(column_name = google_subject)]
    subject: Option<String>,
    #[diesel(column_name = google_issuer)]
    issuer: Option<String>,
    #[diesel(column_name = google_linked_at)]
    linked_at: Option<SqlTimestamp>,
}

impl GoogleColumns {
    fn of(google: &GoogleSubject, at: Timestamp) -> Self {
        Self {
            subject: Some(google.subject.clone()),
            issuer: Some(google.issuer.clone()),
            linked_at: Some(at.to_diesel()),
        }
    }
}

/// Marks the account as proved at this moment, unless it was proved before.
#[diesel::dsl::auto_type(no_type_alias)]
pub(crate) fn proved(at: Timestamp) -> _ {
    let at: SqlTimestamp = at.to_diesel();
    accounts::proved_at.eq(coalesce(accounts::proved_at, at))
}

/// Loads an account that is not removed, and locks it until the transaction ends.
pub(crate) fn lock(connection: &mut PgConnection, id: Uuid) -> QueryResult<Option<Held>> {
    accounts::table
        .find(id)
        .filter(accounts::removed_at.is_null())
        .select(Held::as_select())
        .for_no_key_update()
        .first(connection)
        .optional()
}

impl Held {
    pub(crate) fn email(&self) -> QueryResult<Email> {
        RowDecoder { what: "account", id: self.id }.parse("email", &self.email)
    }

    /// Unlinks a Google account, and removes second factors, of before the address was proved: whose they are need not be the
    /// owner. An admin's second factor stays, because a mailbox alone must not be enough for an admin's account.
    pub(crate) fn remove_access_of_before(&self, connection: &mut PgConnection, at: Timestamp) -> QueryResult<()> {
        if self.proved_at.is_some() {
            return Ok(());
        }
        if self.role != Role::Admin.as_str() {
            second_factors::forget_all(connection, self.id)?;
        }
        if self.google_subject.is_none() {
            return Ok(());
        }
        diesel::update(accounts::table.find(self.id)).set(GoogleColumns::default()).execute(connection)?;
        outbox_store::request_email(connection, Topic::AccountGoogleUnlinked, &self.email()?, at)
    }

    /// Revokes everything that may give another person access to the account, now or later, and deletes what they
    /// entered.
    pub(crate) fn empty(
        &self,
        connection: &mut PgConnection,
        name: &Text<120>,
        photo: Option<&PictureUrl>,
        at: Timestamp,
    ) -> QueryResult<()> {
        sessions::close_all(connection, self.id, at)?;
        void_tokens::void(connection, self.id, None, at)?;
        second_factors::forget_all(connection, self.id)?;
        diesel::update(google_sign_ins::table)
            .filter(google_sign_ins::email.eq(&self.email))
            .filter(google_sign_ins::used_at.is_null())
            .set(google_sign_ins::used_at.eq(at.to_diesel()))
            .execute(connection)?;
        diesel::delete(profiles::table.find(self.id)).execute(connection)?;
        diesel::delete(garage::table.filter(garage::account_id.eq(self.id))).execute(connection)?;
        diesel::delete(carts::table.find(self.id)).execute(connection)?;
        diesel::delete(lists::table.filter(lists::account_id.eq(self.id))).execute(connection)?;
        diesel::delete(addresses::table.filter(addresses::account_id.eq(self.id))).execute(connection)?;
        diesel::delete(exemptions::table.filter(exemptions::account_id.eq(self.id))).execute(connection)?;
        login_attempts::forget_of(connection, &self.email)?;
        diesel::update(accounts::table.find(self.id))
            .set((
                accounts::display_name.eq(name.as_str()),
                accounts::photo_url.eq(photo.map(PictureUrl::as_str)),
                accounts::photo_uploaded.eq(false),
                accounts::search_key.eq(search::key(&[name.as_str(), &self.email])),
                accounts::cancel_orders_before.eq(at.to_diesel()),
            ))
            .execute(connection)
            .map(drop)
    }

    /// Removes the account and frees its address: the row gets one under `.invalid`, which no one can have (RFC 2606).
    pub(crate) fn delete(&self, connection: &mut PgConnection, at: Timestamp) -> QueryResult<()> {
        let nobodys = format!("deleted.{}@account.invalid", self.id.simple());
        let name: Text<120> = Text::new("Deleted account")
            .map_err(|why| RowDecoder { what: "account", id: self.id }.refuse("name", &why))?;
        self.empty(connection, &name, None, at)?;
        diesel::update(accounts::table.find(self.id))
            .set((
                accounts::password_hash.eq(None::<String>),
                GoogleColumns::default(),
                accounts::search_key.eq(search::key(&[name.as_str(), &nobodys])),
                accounts::email.eq(nobodys),
                accounts::removed_at.eq(at.to_diesel()),
            ))
            .execute(connection)
            .map(drop)
    }
}

/// Creates, links or takes over the account of an address.
pub(crate) fn claim(connection: &mut PgConnection, claim: &GoogleClaim) -> QueryResult<GoogleClaimed> {
    let (account, at) = (&claim.account, claim.at);
    let google = GoogleColumns::of(&claim.google, at);
    let made = diesel::insert_into(accounts::table)
        .values((
            accounts::id.eq(account.id.uuid()),
            accounts::email.eq(account.email.as_str()),
            accounts::display_name.eq(account.display_name.as_str()),
            accounts::photo_url.eq(account.photo_url.as_ref().map(PictureUrl::as_str)),
            accounts::role.eq(account.role.as_str()),
            accounts::created_at.eq(account.created_at.to_diesel()),
            accounts::email_verified_at.eq(at.to_diesel()),
            accounts::proved_at.eq(at.to_diesel()),
            accounts::google_subject.eq(&claim.google.subject),
            accounts::google_issuer.eq(&claim.google.issuer),
            accounts::google_linked_at.eq(at.to_diesel()),
            accounts::search_key.eq(search::key(&[account.display_name.as_str(), account.email.as_str()])),
        ))
        .on_conflict(accounts::email)
        .do_nothing()
        .execute(connection)?;
    if made > 0 {
        return Ok(GoogleClaimed::Made(account.clone()));
    }
    let found: Held = accounts::table
        .filter(accounts::email.eq(account.email.as_str()))
        .select(Held::as_select())
        .for_no_key_update()
        .first(connection)?;
    if found.removed_at.is_some() {
        return Ok(GoogleClaimed::Removed);
    }
    let is_same = found.google_subject.as_deref() == Some(claim.google.subject.as_str());
    if is_same && found.google_linked_at.is_some() {
        return Ok(GoogleClaimed::Linked(read(connection, found.id)?));
    }
    let other = found.google_subject.is_some() && !is_same;
    // An admin's account needs a sign-in first: a person who gains control of the address, or of a Google account that
    // vouches for it, must not gain control of the shop.
    if found.role == Role::Admin.as_str() || (found.proved_at.is_some() && other) {
        return Ok(GoogleClaimed::SignInFirst);
    }
    if found.proved_at.is_some() {
        diesel::update(accounts::table.find(found.id)).set((google, verified(at))).execute(connection)?;
        outbox_store::request_email(connection, Topic::AccountGoogleLinked, &account.email, at)?;
        return Ok(GoogleClaimed::Linked(read(connection, found.id)?));
    }
    found.empty(connection, &account.display_name, account.photo_url.as_ref(), at)?;
    diesel::update(accounts::table.find(found.id))
        .set((google, accounts::password_hash.eq(None::<String>), verified(at), proved(at)))
        .execute(connection)?;
    outbox_store::request_email(connection, Topic::AccountTakenOver, &account.email, at)?;
    Ok(GoogleClaimed::TakenOver(read(connection, found.id)?))
}

/// Links a Google account to a signed-in account.
pub(crate) fn link(connection: &mut PgConnection, link: &GoogleLink) -> QueryResult<Linking> {
    let Some(found) = lock(connection, link.account.uuid())? else { return Ok(Linking::Gone) };
    let is_same = found.google_subject.as_deref() == Some(link.google.subject.as_str());
    if is_same && found.google_linked_at.is_some() {
        return Ok(Linking::Same);
    }
    if found.google_subject.is_some() && !is_same {
        return Ok(Linking::Taken);
    }
    if found.proved_at.is_none() && !link.proves {
        return Ok(Linking::Unproved);
    }
    let google = GoogleColumns::of(&link.google, link.at);
    let row = accounts::table.find(found.id);
    if link.proves {
        diesel::update(row).set((google, verified(link.at), proved(link.at))).execute(connection)?;
    } else {
        diesel::update(row).set(google).execute(connection)?;
    }
    outbox_store::request_email(connection, Topic::AccountGoogleLinked, &found.email()?, link.at)?;
    Ok(Linking::Linked)
}

fn read(connection: &mut PgConnection, id: Uuid) -> QueryResult<Account> {
    let row: AccountRow = accounts::table.find(id).select(AccountRow::as_select()).first(connection)?;
    Credentials::try_from(row).map(|found| found.account)
}

/// Unpaid orders that are still to be cancelled. First clears the mark of accounts that have none left.
pub(crate) fn abandoned_orders(
    connection: &mut PgConnection,
    after: Option<OrderId>,
    limit: u32,
) -> QueryResult<Vec<OrderId>> {
    sql_file!("clear_abandoned.sql", {}).execute(connection)?;
    let abandoned: Vec<Uuid> = sql_file!("abandoned_orders.sql" => SqlUuid, {
        after: SqlUuid = after.map_or(Uuid::nil(), OrderId::uuid),
        limit: BigInt = i64::from(limit),
    })
    .load(connection)?;
    Ok(abandoned.into_iter().map(OrderId::new).collect())
}

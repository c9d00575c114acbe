//! Accounts and their credentials.

use async_trait::async_trait;
use diesel::dsl::{InnerJoin, InnerJoinQuerySource, IntoBoxed};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Text as SqlText};
use domain::notifications::delivery::Topic;
use domain::{Account, AccountId, Edit, Email, EmailTaken, PictureUrl, Role, Text, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    AccountQuery, AccountRepository, AccountSort, AccountTotals, Credentials, NewAccount, Page, PasswordChange,
    PasswordHash, Removal, RoleChange, RoleGrant, SortOrder, StoreError, TokenPurpose, WriteError,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::rows::AccountRow;
use crate::accounts::{login_attempts, sessions as session_store, void_tokens};
use crate::notifications::outbox as outbox_store;
use crate::platform::decode::RowDecoder;
use crate::platform::finding::Finding;
use crate::platform::page::{cut_page, limited, page_past_end};
use crate::platform::search::{self, least, strpos};
use crate::platform::sql_file::sql_file;
use crate::schema::{account_notices, accounts, customer_totals};

type WithTotals = InnerJoinQuerySource<accounts::table, customer_totals::table>;
type Filtered<'a> = IntoBoxed<'a, InnerJoin<accounts::table, customer_totals::table>, Pg>;
/// Where an account stands in each order of the list.
type Anchor = (SqlTimestamp, String, i64);
/// An account, whether its photo was uploaded, and how much it has ordered and spent.
type ListRow = (AccountRow, bool, (i64, i64));
type WordAt<'a> = Box<dyn BoxableExpression<WithTotals, Pg, SqlType = Integer> + 'a>;

#[async_trait]
impl AccountRepository for Database {
    async fn add(&self, new: &NewAccount) -> Result<(), WriteError<EmailTaken>> {
        let new = new.clone();
        let added = self
            .run(move |connection| {
                let account = &new.account;
                connection.transaction(|connection| {
                    let added = diesel::insert_into(accounts::table)
                        .values((
                            accounts::id.eq(account.id.uuid()),
                            accounts::email.eq(account.email.as_str()),
                            accounts::display_name.eq(account.display_name.as_str()),
                            accounts::photo_url.eq(account.photo_url.as_ref().map(PictureUrl::as_str)),
                            accounts::role.eq(account.role.as_str()),
                            accounts::password_hash.eq(new.password.as_ref().map(PasswordHash::expose)),
                            accounts::created_at.eq(account.created_at.to_diesel()),
                            accounts::email_verified_at.eq(account.email_verified_at.map(ToDiesel::to_diesel)),
                            accounts::proved_at.eq(account.proved_at.map(ToDiesel::to_diesel)),
                            accounts::search_key
                                .eq(search::key(&[account.display_name.as_str(), account.email.as_str()])),
                        ))
                        .on_conflict_do_nothing()
                        .execute(connection)?;
                    if added > 0 && account.proved_at.is_none() {
                        outbox_store::request_email(
                            connection,
                            Topic::AccountVerify,
                            &account.email,
                            account.created_at,
                        )?;
                    }
                    Ok(added)
                })
            })
            .await?;
        if added > 0 { Ok(()) } else { Err(WriteError::Refused(EmailTaken)) }
    }

    async fn by_email(&self, email: &Email) -> Result<Option<Credentials>, StoreError> {
        let email = email.as_str().to_owned();
        self.read(move |connection| {
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

    async fn find(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        self.share(Finding::<Account>::new(id.uuid(), ())).await
    }

    async fn update(
        &self,
        id: AccountId,
        display_name: Option<Text<120>>,
        photo_url: Edit<PictureUrl>,
    ) -> Result<Option<Account>, StoreError> {
        self.run_on_accounts(move |connection| {
            let photo_url = match photo_url {
                Edit::Keep => None,
                Edit::Set(photo) => Some((
                    accounts::photo_url.eq(photo.map(|url| url.as_str().to_owned())),
                    accounts::photo_uploaded.eq(false),
                )),
            };
            if display_name.is_none() && photo_url.is_none() {
                return living(connection, id);
            }
            let named = display_name.map(|name| {
                // The search key ends with the e-mail address, which does not change here.
                let key = search::key(&[name.as_str(), ""]).into_sql::<SqlText>().concat(accounts::email);
                (accounts::display_name.eq(name.into_string()), accounts::search_key.eq(key))
            });
            diesel::update(accounts::table.find(id.uuid()))
                .filter(accounts::removed_at.is_null())
                .set((named, photo_url))
                .returning(AccountRow::as_returning())
                .get_result(connection)
                .optional()?
                .map(account)
                .transpose()
        })
        .await
    }

    async fn set_uploaded_photo(&self, id: AccountId, photo: &PictureUrl) -> Result<Option<Account>, StoreError> {
        let photo = photo.as_str().to_owned();
        self.run_on_accounts(move |connection| {
            diesel::update(accounts::table.find(id.uuid()))
                .filter(accounts::removed_at.is_null())
                .set((accounts::photo_url.eq(photo), accounts::photo_uploaded.eq(true)))
                .returning(AccountRow::as_returning())
                .get_result(connection)
                .optional()?
                .map(account)
                .transpose()
        })
        .await
    }

    async fn change_password(&self, change: &PasswordChange) -> Result<bool, StoreError> {
        let change = change.clone();
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| change_password(connection, &change))
        })
        .await
    }

    async fn list(&self, query: &AccountQuery) -> Result<Page<AccountTotals, AccountId>, StoreError> {
        let query = query.clone();
        self.read_list(move |connection| list(connection, &query)).await
    }

    async fn fold(&self, limit: u32) -> Result<bool, StoreError> {
        let limit = i64::from(limit);
        self.run(move |connection| {
            let taken: i64 =
                sql_file!("fold_account_changes.sql" => BigInt, { limit: BigInt = limit }).get_result(connection)?;
            Ok(taken >= limit)
        })
        .await
    }

    async fn set_role(&self, email: &Email, grant: RoleGrant) -> Result<RoleChange, StoreError> {
        let email = email.clone();
        self.run_on_accounts(move |connection| connection.transaction(|connection| set_role(connection, &email, grant)))
            .await
    }

    async fn remove(&self, email: &Email, at: Timestamp) -> Result<Removal, StoreError> {
        let email = email.as_str().to_owned();
        self.run_on_accounts(move |connection| {
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
                session_store::close_all(connection, id, at)?;
                Ok(Removal::Removed)
            })
        })
        .await
    }
}

fn set_role(connection: &mut PgConnection, email: &Email, grant: RoleGrant) -> QueryResult<RoleChange> {
    let RoleGrant { role, needs_proof, at } = grant;
    // Locked for both roles: concurrent grants and revocations then decide one after the other which admins get an
    // e-mail.
    let admins = lock_admins(connection)?;
    let Some((id, now)) = lock_living(connection, email.as_str())? else {
        return Ok(RoleChange::Unknown);
    };
    if now == role.as_str() {
        return Ok(RoleChange::Same);
    }
    if role == Role::Customer && !admins.iter().any(|admin| *admin != id) {
        return Ok(RoleChange::LastAdmin);
    }
    if role == Role::Admin && needs_proof {
        let is_proved: bool = accounts::table.find(id).select(accounts::proved_at.is_not_null()).first(connection)?;
        if !is_proved {
            return Ok(RoleChange::Unproved);
        }
    }
    diesel::update(accounts::table.find(id)).set(accounts::role.eq(role.as_str())).execute(connection)?;
    if role == Role::Customer {
        outbox_store::request_email(connection, Topic::AccountRoleTaken, email, at)?;
        return Ok(RoleChange::Changed);
    }
    outbox_store::request_email(connection, Topic::AccountRoleGiven, email, at)?;
    let others: Vec<(Uuid, String)> = accounts::table
        .filter(accounts::id.eq_any(admins))
        .filter(accounts::email_verified_at.is_not_null())
        .select((accounts::id, accounts::email))
        .load(connection)?;
    for (id, admin) in others {
        let admin: Email = RowDecoder { what: "account", id }.parse("email", &admin)?;
        let Some(notice) = outbox_store::queue_email(connection, Topic::AccountAdminAdded, &admin, at)? else {
            continue;
        };
        diesel::insert_into(account_notices::table)
            .values((account_notices::outbox_id.eq(notice), account_notices::about_email.eq(email.as_str())))
            .execute(connection)?;
    }
    Ok(RoleChange::Changed)
}

mod sql {
    use diesel::sql_types::{Nullable, Timestamptz};

    diesel::define_sql_function! {
        /// The first of the two that is not NULL.
        fn coalesce(x: Nullable<Timestamptz>, y: Timestamptz) -> Nullable<Timestamptz>;
    }
}
pub(crate) use sql::coalesce;

/// Marks the address as verified at this moment, unless it was verified before.
#[diesel::dsl::auto_type(no_type_alias)]
pub(crate) fn verified(at: Timestamp) -> _ {
    let at: SqlTimestamp = at.to_diesel();
    accounts::email_verified_at.eq(coalesce(accounts::email_verified_at, at))
}

fn list(connection: &mut PgConnection, query: &AccountQuery) -> QueryResult<Page<AccountTotals, AccountId>> {
    let Some(words) = search::words(query.search.as_deref()) else {
        return Ok(Page::empty(0));
    };
    let mut page = matching(query, &words);
    let count = |connection: &mut PgConnection| count(connection, query, &words);
    if let Some(after) = query.page.after {
        let anchor: Option<Anchor> = accounts::table
            .inner_join(customer_totals::table)
            .filter(accounts::id.eq(after.uuid()))
            .select((accounts::created_at, accounts::email, customer_totals::spent_cents))
            .first(connection)
            .optional()?;
        let Some(anchor) = anchor else {
            return page_past_end(&query.page, || count(connection));
        };
        page = beyond(page, query.sort, after.uuid(), anchor);
    }
    page = match query.sort {
        AccountSort::Created(SortOrder::Ascending) => page.order((accounts::created_at.asc(), accounts::id.asc())),
        AccountSort::Created(SortOrder::Descending) => page.order((accounts::created_at.desc(), accounts::id.desc())),
        AccountSort::Email => page.order(accounts::email.asc()),
        // By the columns of the index; the accounts' ids are the same.
        AccountSort::Spent => page.order((customer_totals::spent_cents.desc(), customer_totals::account_id.desc())),
    };
    let totals = (customer_totals::orders, customer_totals::spent_cents);
    let page = limited(page, &query.page).select((AccountRow::as_select(), accounts::photo_uploaded, totals));
    let rows: Vec<ListRow> = page.load(connection)?;
    let found = rows.into_iter().map(as_others_see_it).collect::<QueryResult<Vec<_>>>()?;
    let is_enough = !words.is_empty() && query.counted_up_to.is_some_and(|most| found.len() > most as usize);
    let count = || if is_enough { Ok(0) } else { count(connection) };
    cut_page(found, &query.page, |last: &AccountTotals| last.account.id, count)
}

/// How many match, over all pages.
fn count(connection: &mut PgConnection, query: &AccountQuery, words: &[String]) -> QueryResult<i64> {
    if words.is_empty() {
        let role = query.role.map(Role::as_str);
        return sql_file!("count_accounts.sql" => BigInt, { role: Nullable<SqlText> = role }).get_result(connection);
    }
    let Some(most) = query.counted_up_to else {
        return matching(query, words).count().get_result(connection);
    };
    // In the order of an index, so that it is walked and not all accounts are read.
    let oldest = matching(query, words).order((accounts::created_at.asc(), accounts::id.asc())).limit(i64::from(most));
    let found: Vec<Uuid> = oldest.select(accounts::id).load(connection)?;
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

fn matching<'a>(query: &AccountQuery, words: &'a [String]) -> Filtered<'a> {
    // Every account has its totals.
    let mut matching = accounts::table.inner_join(customer_totals::table).into_boxed();
    matching = matching.filter(accounts::removed_at.is_null());
    if let Some(role) = query.role {
        matching = matching.filter(accounts::role.eq(role.as_str()));
    }
    // One condition, as for orders.
    let word_at = |word| -> WordAt<'a> { Box::new(strpos(accounts::search_key, word)) };
    if let Some(first_of) = words.iter().map(word_at).reduce(|one, other| Box::new(least(one, other))) {
        matching = matching.filter(first_of.gt(0));
    }
    matching
}

/// Only what comes after an account in the list's order. An index can use the bare bound on the first key.
fn beyond(page: Filtered<'_>, sort: AccountSort, id: Uuid, (created_at, email, spent): Anchor) -> Filtered<'_> {
    match sort {
        AccountSort::Created(SortOrder::Ascending) => page
            .filter(accounts::created_at.ge(created_at))
            .filter(accounts::created_at.gt(created_at).or(accounts::id.gt(id))),
        AccountSort::Created(SortOrder::Descending) => page
            .filter(accounts::created_at.le(created_at))
            .filter(accounts::created_at.lt(created_at).or(accounts::id.lt(id))),
        // E-mail addresses are unique.
        AccountSort::Email => page.filter(accounts::email.gt(email)),
        AccountSort::Spent => page
            .filter(customer_totals::spent_cents.le(spent))
            .filter(customer_totals::spent_cents.lt(spent).or(customer_totals::account_id.lt(id))),
    }
}

fn account(row: AccountRow) -> QueryResult<Account> {
    Credentials::try_from(row).map(|credentials| credentials.account)
}

/// Without a photo that was not uploaded here: the account's owner entered its address, and a viewer's browser would
/// fetch it from a host of the owner's choice.
fn as_others_see_it((row, uploaded, (orders, spent_cents)): ListRow) -> QueryResult<AccountTotals> {
    let account = account(row)?;
    Ok(AccountTotals {
        account: Account { photo_url: account.photo_url.filter(|_| uploaded), ..account },
        orders: u64::try_from(orders).unwrap_or(0),
        spent_cents,
    })
}

fn change_password(connection: &mut PgConnection, change: &PasswordChange) -> QueryResult<bool> {
    let account = change.account.uuid();
    let email: Option<String> = diesel::update(accounts::table.find(account))
        .filter(accounts::removed_at.is_null())
        .filter(accounts::password_hash.eq(change.from.expose()))
        .set(accounts::password_hash.eq(change.to.expose()))
        .returning(accounts::email)
        .get_result(connection)
        .optional()?;
    let Some(email) = email else { return Ok(false) };
    session_store::close_others(connection, account, change.kept, change.at)?;
    void_tokens::void(connection, account, Some(TokenPurpose::Reset), change.at)?;
    // They were attempts at the old password.
    login_attempts::forget_of(connection, &email)?;
    let email = RowDecoder { what: "account", id: account }.parse("email", &email)?;
    outbox_store::request_email(connection, Topic::AccountPasswordChanged, &email, change.at)?;
    Ok(true)
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

/// Loads every admin and locks them in one order until the transaction ends. Of two concurrent calls that would each
/// leave the other's admin as the last, the second waits and then sees what the first did.
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

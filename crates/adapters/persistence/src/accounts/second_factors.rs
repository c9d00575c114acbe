//! Passkeys, authenticator apps and recovery codes. Whoever changes them locks the account's row first, as every other change
//! to an account does.

use async_trait::async_trait;
use diesel::prelude::*;
use domain::accounts::second_factor::PASSKEYS_MAX;
use domain::notifications::delivery::Topic;
use domain::{AccountId, Email, Role, SessionId, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    ChallengePurpose, CodeAttempt, FactorAdded, FactorAddition, FactorName, FactorRemoved, NewChallenge, NewFactor,
    Proof, SecondFactors, SecretHash, StoreError, StoredFactors,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::code_attempts::{count_attempt, forgive};
use crate::accounts::sessions as session_store;
use crate::accounts::stored_factors::factors_of;
use crate::notifications::outbox as outbox_store;
use crate::platform::decode::RowDecoder;
use crate::schema::{
    accounts, authenticator_apps, code_attempts, passkeys, recovery_codes, second_factor_challenges, sessions,
};

#[async_trait]
impl SecondFactors for Database {
    async fn of(&self, account: AccountId) -> Result<StoredFactors, StoreError> {
        self.read(move |connection| factors_of(connection, account.uuid())).await
    }

    async fn keep_challenge(&self, challenge: &NewChallenge) -> Result<(), StoreError> {
        let challenge = challenge.clone();
        self.run(move |connection| {
            let answer = (
                second_factor_challenges::state.eq(challenge.state),
                second_factor_challenges::expires_at.eq(challenge.expires_at.to_diesel()),
            );
            diesel::insert_into(second_factor_challenges::table)
                .values((
                    second_factor_challenges::session_id.eq(challenge.session.uuid()),
                    second_factor_challenges::purpose.eq(challenge.purpose.as_str()),
                    answer.clone(),
                ))
                .on_conflict((second_factor_challenges::session_id, second_factor_challenges::purpose))
                .do_update()
                .set(answer)
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn take_challenge(
        &self,
        session: SessionId,
        purpose: ChallengePurpose,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.run(move |connection| {
            let taken: Option<(Vec<u8>, SqlTimestamp)> =
                diesel::delete(second_factor_challenges::table.find((session.uuid(), purpose.as_str())))
                    .returning((second_factor_challenges::state, second_factor_challenges::expires_at))
                    .get_result(connection)
                    .optional()?;
            Ok(taken.filter(|(_, expires_at)| now < expires_at.to_jiff()).map(|(state, _)| state))
        })
        .await
    }

    async fn challenge(
        &self,
        session: SessionId,
        purpose: ChallengePurpose,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        // Not from a replica: the challenge may be a moment old.
        self.run(move |connection| {
            second_factor_challenges::table
                .find((session.uuid(), purpose.as_str()))
                .filter(second_factor_challenges::expires_at.gt(now.to_diesel()))
                .select(second_factor_challenges::state)
                .first(connection)
                .optional()
        })
        .await
    }

    async fn add(&self, addition: &FactorAddition) -> Result<FactorAdded, StoreError> {
        let addition = addition.clone();
        self.run_on_accounts(move |connection| connection.transaction(|connection| add(connection, &addition))).await
    }

    async fn remove(
        &self,
        account: AccountId,
        factor: FactorName,
        required_of_admins: bool,
        at: Timestamp,
    ) -> Result<FactorRemoved, StoreError> {
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| remove(connection, account.uuid(), factor, required_of_admins, at))
        })
        .await
    }

    async fn replace_recovery_codes(&self, account: AccountId, hashes: &[SecretHash]) -> Result<bool, StoreError> {
        let hashes = hashes.to_vec();
        self.run(move |connection| {
            connection.transaction(|connection| {
                let Some(owner) = lock(connection, account.uuid())? else { return Ok(false) };
                if owner.since.is_none() {
                    return Ok(false);
                }
                store_recovery_codes(connection, account.uuid(), &hashes)?;
                Ok(true)
            })
        })
        .await
    }

    async fn count_attempt(&self, account: AccountId, at: Timestamp) -> Result<CodeAttempt, StoreError> {
        self.run(move |connection| {
            connection.transaction(|connection| {
                lock(connection, account.uuid())?;
                count_attempt(connection, account.uuid(), at)
            })
        })
        .await
    }

    async fn accept(
        &self,
        account: AccountId,
        session: SessionId,
        proof: &Proof,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let proof = proof.clone();
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let Some(owner) = lock(connection, account.uuid())? else { return Ok(false) };
                if !use_up(connection, account.uuid(), &proof, at)? {
                    return Ok(false);
                }
                match &proof {
                    Proof::Code { attempt, .. } => drop(forgive(connection, account.uuid(), *attempt)?),
                    Proof::Recovery(_) => tell(connection, Topic::AccountRecoveryCodeUsed, account.uuid(), &owner, at)?,
                    Proof::Signature { .. } => {}
                }
                Ok(prove(connection, session, at)? > 0)
            })
        })
        .await
    }

    async fn forget_all(&self, email: &Email, at: Timestamp) -> Result<Option<bool>, StoreError> {
        let email = email.clone();
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let found: Option<Uuid> = accounts::table
                    .filter(accounts::email.eq(email.as_str()))
                    .filter(accounts::removed_at.is_null())
                    .select(accounts::id)
                    .for_no_key_update()
                    .first(connection)
                    .optional()?;
                let Some(account) = found else { return Ok(None) };
                if forget_all(connection, account)? == 0 {
                    return Ok(Some(false));
                }
                session_store::close_all(connection, account, at)?;
                outbox_store::request_email(connection, Topic::AccountSecondFactorRemoved, &email, at)?;
                Ok(Some(true))
            })
        })
        .await
    }
}

/// An account that is locked, so that its factors are changed one after the other.
#[derive(Queryable)]
struct Owner {
    email: String,
    role: String,
    is_proved: bool,
    since: Option<SqlTimestamp>,
}

fn lock(connection: &mut PgConnection, account: Uuid) -> QueryResult<Option<Owner>> {
    accounts::table
        .find(account)
        .filter(accounts::removed_at.is_null())
        .select((accounts::email, accounts::role, accounts::proved_at.is_not_null(), accounts::second_factor_since))
        .for_no_key_update()
        .first(connection)
        .optional()
}

fn tell(connection: &mut PgConnection, topic: Topic, account: Uuid, owner: &Owner, at: Timestamp) -> QueryResult<()> {
    let email: Email = RowDecoder { what: "account", id: account }.parse("email", &owner.email)?;
    outbox_store::request_email(connection, topic, &email, at)
}

/// Notes that a session has proved itself. 0 if it has ended.
fn prove(connection: &mut PgConnection, session: SessionId, at: Timestamp) -> QueryResult<usize> {
    diesel::update(sessions::table.find(session.uuid()))
        .filter(sessions::closed_at.is_null())
        .set(sessions::second_factor_at.eq(at.to_diesel()))
        .execute(connection)
}

fn add(connection: &mut PgConnection, addition: &FactorAddition) -> QueryResult<FactorAdded> {
    let account = addition.account.uuid();
    let Some(owner) = lock(connection, account)? else { return Ok(FactorAdded::Unproved) };
    if !owner.is_proved && owner.role != Role::Admin.as_str() {
        return Ok(FactorAdded::Unproved);
    }
    if !insert(connection, addition)? {
        return Ok(FactorAdded::Refused);
    }
    prove(connection, addition.session, addition.at)?;
    tell(connection, Topic::AccountSecondFactorAdded, account, &owner, addition.at)?;
    if owner.since.is_some() {
        return Ok(FactorAdded::Another);
    }
    diesel::update(accounts::table.find(account))
        .set(accounts::second_factor_since.eq(addition.at.to_diesel()))
        .execute(connection)?;
    store_recovery_codes(connection, account, &addition.recovery_codes)?;
    // They were opened without the factor; among them may be whoever it is meant to keep out.
    session_store::close_others(connection, account, addition.session, addition.at)?;
    Ok(FactorAdded::First)
}

fn insert(connection: &mut PgConnection, addition: &FactorAddition) -> QueryResult<bool> {
    let account = addition.account.uuid();
    match &addition.factor {
        NewFactor::App { secret, step } => {
            let app = (
                authenticator_apps::secret_sealed.eq(&secret.0),
                authenticator_apps::last_step.eq(step),
                authenticator_apps::added_at.eq(addition.at.to_diesel()),
            );
            diesel::insert_into(authenticator_apps::table)
                .values((authenticator_apps::account_id.eq(account), app))
                .on_conflict(authenticator_apps::account_id)
                .do_update()
                .set(app)
                .execute(connection)?;
            Ok(true)
        }
        NewFactor::Passkey { id, made, name } => {
            let kept: i64 = passkeys::table.filter(passkeys::account_id.eq(account)).count().get_result(connection)?;
            if usize::try_from(kept).unwrap_or(usize::MAX) >= PASSKEYS_MAX {
                return Ok(false);
            }
            let added = diesel::insert_into(passkeys::table)
                .values((
                    passkeys::id.eq(id.uuid()),
                    passkeys::account_id.eq(account),
                    passkeys::credential_id.eq(&made.credential_id),
                    passkeys::credential.eq(&made.credential.0),
                    passkeys::name.eq(name.as_str()),
                    passkeys::added_at.eq(addition.at.to_diesel()),
                ))
                .on_conflict(passkeys::credential_id)
                .do_nothing()
                .execute(connection)?;
            Ok(added > 0)
        }
    }
}

fn store_recovery_codes(connection: &mut PgConnection, account: Uuid, hashes: &[SecretHash]) -> QueryResult<()> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::account_id.eq(account))).execute(connection)?;
    let rows: Vec<_> = hashes
        .iter()
        .map(|hash| (recovery_codes::account_id.eq(account), recovery_codes::hash.eq(hash.0.to_vec())))
        .collect();
    diesel::insert_into(recovery_codes::table).values(rows).execute(connection).map(drop)
}

fn remove(
    connection: &mut PgConnection,
    account: Uuid,
    factor: FactorName,
    required_of_admins: bool,
    at: Timestamp,
) -> QueryResult<FactorRemoved> {
    let Some(owner) = lock(connection, account)? else { return Ok(FactorRemoved::Unknown) };
    let before = factors_of(connection, account)?;
    let is_there = match factor {
        FactorName::App => before.app.is_some(),
        FactorName::Passkey(id) => before.passkeys.iter().any(|passkey| passkey.id == id),
    };
    if !is_there {
        return Ok(FactorRemoved::Unknown);
    }
    let is_last = before.count() == 1;
    if is_last && required_of_admins && owner.role == Role::Admin.as_str() {
        return Ok(FactorRemoved::LastOne);
    }
    if is_last {
        forget_all(connection, account)?;
    } else {
        match factor {
            FactorName::App => diesel::delete(authenticator_apps::table.find(account)).execute(connection)?,
            FactorName::Passkey(id) => diesel::delete(passkeys::table.find(id.uuid())).execute(connection)?,
        };
    }
    tell(connection, Topic::AccountSecondFactorRemoved, account, &owner, at)?;
    Ok(FactorRemoved::Removed)
}

/// Removes all factors and what belongs to them. Returns how many factors there were.
pub(crate) fn forget_all(connection: &mut PgConnection, account: Uuid) -> QueryResult<usize> {
    let apps = diesel::delete(authenticator_apps::table.find(account)).execute(connection)?;
    let keys = diesel::delete(passkeys::table.filter(passkeys::account_id.eq(account))).execute(connection)?;
    diesel::delete(recovery_codes::table.filter(recovery_codes::account_id.eq(account))).execute(connection)?;
    diesel::delete(code_attempts::table.filter(code_attempts::account_id.eq(account))).execute(connection)?;
    diesel::update(accounts::table.find(account))
        .set(accounts::second_factor_since.eq(None::<SqlTimestamp>))
        .execute(connection)?;
    diesel::update(sessions::table.filter(sessions::account_id.eq(account)))
        .filter(sessions::closed_at.is_null())
        .set(sessions::second_factor_at.eq(None::<SqlTimestamp>))
        .execute(connection)?;
    Ok(apps + keys)
}

/// Marks a proof as used. `false` if it was used before, or what it is a proof of is gone.
fn use_up(connection: &mut PgConnection, account: Uuid, proof: &Proof, at: Timestamp) -> QueryResult<bool> {
    let used = match proof {
        Proof::Code { step, read, secret, .. } => diesel::update(authenticator_apps::table.find(account))
            .filter(authenticator_apps::last_step.lt(step))
            .filter(authenticator_apps::secret_sealed.eq(&read.0))
            .set((authenticator_apps::last_step.eq(step), authenticator_apps::secret_sealed.eq(&secret.0)))
            .execute(connection)?,
        Proof::Signature { passkey, credential } => diesel::update(passkeys::table.find(passkey.uuid()))
            .filter(passkeys::account_id.eq(account))
            .set((passkeys::credential.eq(&credential.0), passkeys::last_used_at.eq(at.to_diesel())))
            .execute(connection)?,
        Proof::Recovery(hash) => diesel::update(recovery_codes::table.find((account, hash.0.to_vec())))
            .filter(recovery_codes::used_at.is_null())
            .set(recovery_codes::used_at.eq(at.to_diesel()))
            .execute(connection)?,
    };
    Ok(used > 0)
}

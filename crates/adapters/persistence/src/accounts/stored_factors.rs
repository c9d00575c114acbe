//! The second factors of an account as the tables have them.

use diesel::prelude::*;
use domain::{PasskeyId, Role};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{PasskeyCredential, SealedAppSecret, StoredApp, StoredFactors, StoredPasskey};
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema::{accounts, authenticator_apps, passkeys, recovery_codes};

#[derive(Queryable)]
struct PasskeyRow {
    id: Uuid,
    credential: String,
    name: String,
    added_at: SqlTimestamp,
    last_used_at: Option<SqlTimestamp>,
}

impl TryFrom<PasskeyRow> for StoredPasskey {
    type Error = diesel::result::Error;

    fn try_from(row: PasskeyRow) -> Result<Self, Self::Error> {
        let decoder = RowDecoder { what: "passkey", id: row.id };
        Ok(Self {
            id: PasskeyId::new(row.id),
            credential: PasskeyCredential(row.credential),
            name: decoder.text("name", &row.name)?,
            added_at: row.added_at.to_jiff(),
            last_used_at: row.last_used_at.map(SqlTimestamp::to_jiff),
        })
    }
}

pub(crate) fn factors_of(connection: &mut PgConnection, account: Uuid) -> QueryResult<StoredFactors> {
    let may_add: Option<bool> = accounts::table
        .find(account)
        .filter(accounts::removed_at.is_null())
        .select(accounts::proved_at.is_not_null().or(accounts::role.eq(Role::Admin.as_str())))
        .first(connection)
        .optional()?;
    let app: Option<(Vec<u8>, SqlTimestamp)> = authenticator_apps::table
        .find(account)
        .select((authenticator_apps::secret_sealed, authenticator_apps::added_at))
        .first(connection)
        .optional()?;
    let rows: Vec<PasskeyRow> = passkeys::table
        .filter(passkeys::account_id.eq(account))
        .order((passkeys::added_at, passkeys::id))
        .select((passkeys::id, passkeys::credential, passkeys::name, passkeys::added_at, passkeys::last_used_at))
        .load(connection)?;
    let unused: i64 = recovery_codes::table
        .filter(recovery_codes::account_id.eq(account))
        .filter(recovery_codes::used_at.is_null())
        .count()
        .get_result(connection)?;
    Ok(StoredFactors {
        may_add: may_add.unwrap_or(false),
        app: app.map(|(secret, added_at)| StoredApp { secret: SealedAppSecret(secret), added_at: added_at.to_jiff() }),
        passkeys: rows.into_iter().map(StoredPasskey::try_from).collect::<QueryResult<_>>()?,
        recovery_codes: u32::try_from(unused).unwrap_or(u32::MAX),
    })
}

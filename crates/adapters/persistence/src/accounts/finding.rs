//! Accounts that were not removed, by their ids.

use diesel::prelude::*;
use domain::Account;
use ports::Credentials;
use uuid::Uuid;

use crate::accounts::rows::AccountRow;
use crate::platform::finding::Found;
use crate::schema::accounts;

impl Found for Account {
    type Asked = ();

    fn load(connection: &mut PgConnection, asked: &[(Uuid, ())]) -> QueryResult<Vec<(Uuid, QueryResult<Self>)>> {
        let living =
            accounts::table.filter(accounts::removed_at.is_null()).select((accounts::id, AccountRow::as_select()));
        let found: Vec<(Uuid, AccountRow)> = match asked {
            [(id, ())] => living.filter(accounts::id.eq(*id)).load(connection)?,
            asked => {
                let ids: Vec<Uuid> = asked.iter().map(|(id, ())| *id).collect();
                living.filter(accounts::id.eq_any(ids)).load(connection)?
            }
        };
        let account = |row: AccountRow| Credentials::try_from(row).map(|credentials| credentials.account);
        Ok(found.into_iter().map(|(id, row)| (id, account(row))).collect())
    }
}

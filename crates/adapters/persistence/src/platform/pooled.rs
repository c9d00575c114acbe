//! What differs behind a pooler in transaction mode.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use ports::StoreError;

use crate::platform::db::{ROLE_SETTINGS, blocking, classify_error, unavailable};
use crate::{Database, Pooler};

/// Our role and database behind the pooler, quoted as identifiers.
#[derive(QueryableByName)]
struct Names {
    #[diesel(sql_type = Text)]
    role: String,
    #[diesel(sql_type = Text)]
    database: String,
}

#[derive(QueryableByName)]
struct Known {
    #[diesel(sql_type = Bool)]
    known: bool,
}

impl Database {
    /// Whether each connection has a session of its own for as long as it lasts.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.connection_settings().pooler == Pooler::None
    }

    /// Sets for the role, in this database only, what a direct session would set for itself, over the direct address.
    /// Returns the settings that were missing.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be reached or does not permit it.
    pub async fn bound_role(&self) -> Result<Vec<String>, StoreError> {
        let names = self
            .health(|connection| {
                diesel::sql_query(
                    "SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database",
                )
                .get_result::<Names>(connection)
            })
            .await?;
        let url = self.direct_url();
        blocking(move || set_missing(&url, &names)).await?
    }
}

fn set_missing(url: &str, names: &Names) -> Result<Vec<String>, StoreError> {
    let mut connection = crate::platform::db::establish(url, Pooler::Transaction).map_err(unavailable)?;
    let hasty = diesel::sql_query("SELECT current_setting('synchronous_commit') IN ('off', 'local') AS known")
        .get_result::<Known>(&mut connection)
        .map_err(classify_error)?
        .known;
    let mut set = Vec::new();
    for (name, value) in ROLE_SETTINGS.into_iter().chain(hasty.then_some(("synchronous_commit", "on"))) {
        let setting = format!("{name}={value}");
        let known = diesel::sql_query(
            "SELECT EXISTS (SELECT FROM pg_db_role_setting
                WHERE setrole = $1::regrole AND setdatabase = (SELECT oid FROM pg_database WHERE quote_ident(datname) = $2)
                AND $3 = ANY (setconfig)) AS known",
        )
        .bind::<Text, _>(&names.role)
        .bind::<Text, _>(&names.database)
        .bind::<Text, _>(&setting)
        .get_result::<Known>(&mut connection)
        .map_err(classify_error)?
        .known;
        if !known {
            let Names { role, database } = names;
            connection
                .batch_execute(&format!("ALTER ROLE {role} IN DATABASE {database} SET {name} = '{value}'"))
                .map_err(classify_error)?;
            set.push(setting);
        }
    }
    Ok(set)
}

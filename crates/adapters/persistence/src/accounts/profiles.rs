//! Account profiles.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::accounts::profile::{Link, ProfileEdit};
use domain::{AccountId, Edit, Profile, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{ProfileRepository, Saved, StoreError};

use crate::Database;
use crate::accounts::rows::ProfileRow;
use crate::schema::profiles;

/// `$1` is the account, `$2` to `$7` are the values, `$8` to `$13` say which of them to set, `$14` is the time. A row
/// that would not change is not written, and xmax is 0 only for a newly inserted row.
const SAVE: &str = "
    INSERT INTO profiles AS old (account_id, study_in, lives_in, phone, facebook, linkedin, github, saved_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $14)
    ON CONFLICT (account_id) DO UPDATE SET
        study_in = CASE WHEN $8 THEN excluded.study_in ELSE old.study_in END,
        lives_in = CASE WHEN $9 THEN excluded.lives_in ELSE old.lives_in END,
        phone = CASE WHEN $10 THEN excluded.phone ELSE old.phone END,
        facebook = CASE WHEN $11 THEN excluded.facebook ELSE old.facebook END,
        linkedin = CASE WHEN $12 THEN excluded.linkedin ELSE old.linkedin END,
        github = CASE WHEN $13 THEN excluded.github ELSE old.github END,
        saved_at = excluded.saved_at
    WHERE ($8 AND old.study_in IS DISTINCT FROM excluded.study_in)
        OR ($9 AND old.lives_in IS DISTINCT FROM excluded.lives_in)
        OR ($10 AND old.phone IS DISTINCT FROM excluded.phone)
        OR ($11 AND old.facebook IS DISTINCT FROM excluded.facebook)
        OR ($12 AND old.linkedin IS DISTINCT FROM excluded.linkedin)
        OR ($13 AND old.github IS DISTINCT FROM excluded.github)
    RETURNING old.xmax = 0 AS fresh";

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Bool)]
    fresh: bool,
}

#[async_trait]
impl ProfileRepository for Database {
    async fn find(&self, account: AccountId) -> Result<Option<Profile>, StoreError> {
        self.read(move |connection| {
            profiles::table
                .find(account.uuid())
                .select(ProfileRow::as_select())
                .first(connection)
                .optional()?
                .map(Profile::try_from)
                .transpose()
        })
        .await
    }

    async fn save(&self, account: AccountId, edit: &ProfileEdit, at: Timestamp) -> Result<Saved, StoreError> {
        let edit = edit.clone();
        self.run(move |connection| {
            let (study_in, sets_study_in) = column(&edit.study_in, domain::Text::as_str);
            let (lives_in, sets_lives_in) = column(&edit.lives_in, domain::Text::as_str);
            let (phone, sets_phone) = column(&edit.phone, domain::Text::as_str);
            let (facebook, sets_facebook) = column(&edit.facebook, Link::as_str);
            let (linkedin, sets_linkedin) = column(&edit.linkedin, Link::as_str);
            let (github, sets_github) = column(&edit.github, Link::as_str);
            let saved: Option<Row> = diesel::sql_query(SAVE)
                .bind::<SqlUuid, _>(account.uuid())
                .bind::<Nullable<Text>, _>(study_in)
                .bind::<Nullable<Text>, _>(lives_in)
                .bind::<Nullable<Text>, _>(phone)
                .bind::<Nullable<Text>, _>(facebook)
                .bind::<Nullable<Text>, _>(linkedin)
                .bind::<Nullable<Text>, _>(github)
                .bind::<Bool, _>(sets_study_in)
                .bind::<Bool, _>(sets_lives_in)
                .bind::<Bool, _>(sets_phone)
                .bind::<Bool, _>(sets_facebook)
                .bind::<Bool, _>(sets_linkedin)
                .bind::<Bool, _>(sets_github)
                .bind::<Timestamptz, SqlTimestamp>(at.to_diesel())
                .get_result(connection)
                .optional()?;
            Ok(match saved {
                Some(Row { fresh: true }) => Saved::Created,
                Some(Row { fresh: false }) => Saved::Changed,
                None => Saved::Same,
            })
        })
        .await
    }
}

/// A field's value, and whether to set it.
fn column<T>(edit: &Edit<T>, text: impl Fn(&T) -> &str) -> (Option<&str>, bool) {
    match edit {
        Edit::Keep => (None, false),
        Edit::Set(value) => (value.as_ref().map(text), true),
    }
}

//! Account profiles.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::accounts::profile::{Link, ProfileEdit};
use domain::{AccountId, Edit, Profile, Timestamp};
use jiff_diesel::ToDiesel;
use ports::{ProfileRepository, Saved, StoreError};

use crate::Database;
use crate::accounts::rows::ProfileRow;
use crate::platform::sql_file::sql_file;
use crate::schema::profiles;

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
            let saved: Option<bool> = sql_file!("save_profile.sql" => Bool, {
                account: SqlUuid = account.uuid(),
                study_in: Nullable<Text> = study_in,
                sets_study_in: Bool = sets_study_in,
                lives_in: Nullable<Text> = lives_in,
                sets_lives_in: Bool = sets_lives_in,
                phone: Nullable<Text> = phone,
                sets_phone: Bool = sets_phone,
                facebook: Nullable<Text> = facebook,
                sets_facebook: Bool = sets_facebook,
                linkedin: Nullable<Text> = linkedin,
                sets_linkedin: Bool = sets_linkedin,
                github: Nullable<Text> = github,
                sets_github: Bool = sets_github,
                saved_at: Timestamptz = at.to_diesel(),
            })
            .get_result(connection)
            .optional()?;
            Ok(match saved {
                Some(true) => Saved::Created,
                Some(false) => Saved::Changed,
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

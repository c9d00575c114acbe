//! An account, as its owner sees it.

use domain::Account;
use serde::Serialize;
use utoipa::ToSchema;

/// An account, as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Person)]
pub(crate) struct AccountView {
    email: String,
    display_name: String,
    #[serde(rename = "photoURL")]
    #[schema(required)]
    photo_url: Option<String>,
}

impl From<Account> for AccountView {
    fn from(account: Account) -> Self {
        Self {
            email: account.email.to_string(),
            display_name: account.display_name.into_string(),
            photo_url: account.photo_url.map(|url| url.to_string()),
        }
    }
}

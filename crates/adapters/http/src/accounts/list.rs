//! `GET /user`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::{Role, Text};
use ports::{AccountQuery, AccountSort, AccountTotals, SortOrder};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::enums::{RoleName, variant};
use crate::wire::fields::Fields;
use crate::wire::money::Balance;
use crate::wire::page::{self, PageQuery};

/// An account, as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct User {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    email: String,
    display_name: String,
    #[serde(rename = "photoURL")]
    #[schema(required)]
    photo_url: Option<String>,
    role: RoleName,
    /// Whether the e-mail address is confirmed.
    verified: bool,
    /// RFC 3339, UTC.
    created_at: String,
    /// How many orders they ever placed, as of some seconds ago.
    orders: u64,
    /// Dollars that they paid less dollars that went back to them, as of some seconds ago.
    #[schema(value_type = f64)]
    spent: Balance,
}

impl From<AccountTotals> for User {
    fn from(AccountTotals { account, orders, spent_cents }: AccountTotals) -> Self {
        Self {
            id: account.id.to_string(),
            email: account.email.to_string(),
            display_name: account.display_name.into_string(),
            photo_url: account.photo_url.map(|url| url.to_string()),
            role: RoleName(account.role),
            verified: account.proved_at.is_some(),
            created_at: account.created_at.to_string(),
            orders,
            spent: Balance(spent_cents),
        }
    }
}

/// In which order accounts come: oldest or newest first, by e-mail, or by what they spent, most first.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = UserSort)]
pub(crate) enum AccountSortName {
    Oldest,
    Newest,
    Email,
    Spent,
}

impl From<AccountSortName> for AccountSort {
    fn from(sort: AccountSortName) -> Self {
        match sort {
            AccountSortName::Oldest => Self::Created(SortOrder::Ascending),
            AccountSortName::Newest => Self::Created(SortOrder::Descending),
            AccountSortName::Email => Self::Email,
            AccountSortName::Spent => Self::Spent,
        }
    }
}

/// Filters for accounts.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those in whose name or e-mail every word of this occurs.
    q: Option<String>,
    /// Only those with this role.
    #[param(value_type = Option<RoleName>)]
    role: Option<String>,
    /// `oldest` without it.
    #[param(value_type = Option<AccountSortName>)]
    sort: Option<String>,
}

impl Filter {
    fn parse(&self, page: &PageQuery) -> Result<AccountQuery, Problem> {
        let mut fields = Fields::default();
        let page = page.parse(&mut fields);
        let search = fields.optional("q", "Search", self.q.as_deref(), |q| Text::<200>::optional(Some(q)));
        let role = fields.optional("role", "Role", self.role.as_deref(), |name| {
            name.parse::<Role>().map_err(|_| "must be admin or customer")
        });
        let sort = fields.optional("sort", "Sort", self.sort.as_deref(), |sort| {
            variant::<AccountSortName>(sort).map(AccountSort::from).ok_or("must be oldest, newest, email or spent")
        });
        let whole = (|| {
            Some(AccountQuery {
                search: search?.flatten().map(Text::into_string),
                role: role?,
                sort: sort?.unwrap_or_default(),
                page: page?,
                counted_up_to: page?.limit.map(|_| page::COUNTED_UP_TO),
            })
        })();
        fields.all(whole)
    }
}

/// All accounts, or the requested page of them (admins).
#[utoipa::path(
    get, path = "/user", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Accounts", body = [User],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages; for a page of a search (`q` and `limit`), 1000 or more stands for at least as many"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_accounts(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let query = query::<Filter>(&request)?.parse(&query(&request)?)?;
    let page = query.page;
    let read = move |page| {
        let (app, caller) = (app.clone(), caller.clone());
        let query = AccountQuery { page, ..query.clone() };
        async move { Ok(app.shop.accounts.list_accounts(&caller, &query).await?) }
    };
    page::send::<User, _, _, _>(&request, page, read).await
}

//! People: access tokens, roles, removal.

use actix_web::web::{self, Data, Path};
use domain::{Account, Role};
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::Entered;
use crate::problem::{Problem, ProblemView};
use crate::site::Site;
use crate::wire::counts::{DeletedCount, ModifiedCount};
use crate::wire::words::RoleName;

/// An access token.
#[derive(Serialize, ToSchema)]
pub(crate) struct Token {
    /// A JWT, good for 15 minutes.
    token: String,
}

/// Mints an access token for one's own session.
#[utoipa::path(
    put, path = "/user/{email}", tag = "identity", security(("session" = [])),
    params(("email" = String, Path, description = "One's own e-mail")),
    responses(
        (status = 200, description = "A token", body = Token),
        (status = 401, description = "No session", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Another's e-mail", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn mint_token(
    site: Data<Site>,
    Entered(caller): Entered,
    path: Path<String>,
) -> Result<web::Json<Token>, Problem> {
    let token = site.shop.mint_token(&caller, &path)?;
    Ok(web::Json(Token { token: token.expose().to_owned() }))
}

/// Somebody with an account, as admins see them.
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
    /// RFC 3339, UTC.
    created_at: String,
}

impl From<Account> for User {
    fn from(account: Account) -> Self {
        Self {
            id: account.id.to_string(),
            email: account.email.to_string(),
            display_name: account.display_name.into_string(),
            photo_url: account.photo_url.map(|url| url.to_string()),
            role: RoleName(account.role),
            created_at: account.created_at.to_string(),
        }
    }
}

/// Everybody with an account (admins).
#[utoipa::path(
    get, path = "/user", tag = "people", security(("bearer" = [])),
    responses(
        (status = 200, description = "People, oldest account first", body = [User]),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(site: Data<Site>, Entered(caller): Entered) -> Result<web::Json<Vec<User>>, Problem> {
    let accounts = site.shop.list_accounts(&caller).await?;
    Ok(web::Json(accounts.into_iter().map(Into::into).collect()))
}

/// Ends a person's sessions and access, and keeps their orders (admins).
#[utoipa::path(
    delete, path = "/user/{email}", tag = "people", security(("bearer" = [])),
    params(("email" = String, Path, description = "The person's e-mail")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Nobody has that e-mail", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "Oneself, or the last admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn remove(
    site: Data<Site>,
    Entered(caller): Entered,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    site.shop.remove_account(&caller, &path).await?;
    Ok(web::Json(true.into()))
}

/// Makes somebody an admin (admins).
#[utoipa::path(
    put, path = "/user/admin/{email}", tag = "people", security(("bearer" = [])),
    params(("email" = String, Path, description = "The person's e-mail")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Nobody has that e-mail", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn make_admin(
    site: Data<Site>,
    Entered(caller): Entered,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    Ok(web::Json(site.shop.change_role(&caller, &path, Role::Admin).await?.into()))
}

/// Takes the admin role back (admins).
#[utoipa::path(
    delete, path = "/user/admin/{email}", tag = "people", security(("bearer" = [])),
    params(("email" = String, Path, description = "The person's e-mail")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "Nobody has that e-mail", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "The last admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn unmake_admin(
    site: Data<Site>,
    Entered(caller): Entered,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    Ok(web::Json(site.shop.change_role(&caller, &path, Role::Customer).await?.into()))
}

/// Whether somebody is an admin.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IsAdmin {
    admin: bool,
}

/// Whether somebody is an admin: oneself, or anybody for an admin.
#[utoipa::path(
    get, path = "/admin/{email}", tag = "people", security(("bearer" = [])),
    params(("email" = String, Path, description = "The person's e-mail")),
    responses(
        (status = 200, description = "Whether they are", body = IsAdmin),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Another's e-mail", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn is_admin(
    site: Data<Site>,
    Entered(caller): Entered,
    path: Path<String>,
) -> Result<web::Json<IsAdmin>, Problem> {
    Ok(web::Json(IsAdmin { admin: site.shop.is_admin(&caller, &path).await? }))
}

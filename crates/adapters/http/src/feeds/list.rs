//! `GET /feeds`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::feeds::view::FeedView;
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};

/// Feeds, latest first, or the requested page of them (admins).
#[utoipa::path(
    get, path = "/feeds", params(PageQuery),
    responses(
        (status = 200, description = "Feeds", body = [FeedView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_feeds(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let page = query::<PageQuery>(&request)?.parse(&mut fields);
    let page = fields.all(page)?;
    let read = move |page| {
        let (app, caller) = (app.clone(), caller.clone());
        async move { Ok(app.shop.feeds.list(&caller, page).await?) }
    };
    page::send::<FeedView, _, _, _>(&request, page, read).await
}

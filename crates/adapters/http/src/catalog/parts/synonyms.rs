//! `/synonyms`.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use domain::Text;
use ports::Synonym;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::fields::Fields;

/// What a word of a search may mean beside itself.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Synonym)]
pub(crate) struct SynonymView {
    id: i32,
    word: String,
    means: String,
}

/// A synonym, as it is sent.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewSynonym {
    /// One word or two, up to 60 characters.
    #[schema(required, nullable = false)]
    word: Option<String>,
    /// What it may mean, up to 60 characters.
    #[schema(required, nullable = false)]
    means: Option<String>,
}

impl NewSynonym {
    fn parse(&self, id: i32) -> Result<Synonym, Problem> {
        let mut fields = Fields::default();
        let word = fields.required("word", "Word", self.word.as_deref(), spaced);
        let means = fields.required("means", "Meaning", self.means.as_deref(), spaced);
        fields.all((|| Some(Synonym { id, word: word?, means: means? }))())
    }
}

/// With one space between words, as they are looked up.
fn spaced(text: &str) -> Result<Text<60>, domain::platform::text::TextError> {
    Text::new(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// All synonyms, by word (admins).
#[utoipa::path(get, path = "/synonyms", responses((status = 200, description = "Synonyms", body = [SynonymView])))]
pub(crate) async fn list_synonyms(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<SynonymView>>, Problem> {
    let view = |Synonym { id, word, means }| SynonymView {
        id,
        word: Text::into_string(word),
        means: Text::into_string(means),
    };
    Ok(web::Json(app.shop.catalog.synonyms(&caller).await?.into_iter().map(view).collect()))
}

/// Adds a synonym (admins), or answers with the one that is the same.
#[utoipa::path(
    post, path = "/synonyms", request_body = NewSynonym,
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_synonym(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<NewSynonym>,
) -> Result<HttpResponse, Problem> {
    let Synonym { word, means, .. } = sent.parse(0)?;
    let added = app.shop.catalog.add_synonym(&caller, &word, &means).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// Changes a synonym (admins).
#[utoipa::path(
    put, path = "/synonyms/{id}", request_body = NewSynonym,
    params(("id" = i32, Path, description = "The synonym's id")),
    responses(
        (status = 200, description = "Changed", body = ModifiedCount),
        (status = 404, description = "No such synonym"),
        (status = 409, description = "There is such a synonym already"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_synonym(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<NewSynonym>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.catalog.edit_synonym(&caller, &sent.parse(id(&path)?)?).await?;
    Ok(web::Json(true.into()))
}

/// Removes a synonym (admins).
#[utoipa::path(
    delete, path = "/synonyms/{id}", params(("id" = i32, Path, description = "The synonym's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such synonym"),
    )
)]
pub(crate) async fn remove_synonym(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.catalog.remove_synonym(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}

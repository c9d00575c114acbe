//! The token of an account e-mail's link.

use ports::AccountToken;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::wire::fields::Fields;

/// The token of the e-mail's link.
#[derive(Deserialize, ToSchema)]
pub(crate) struct AddressProof {
    #[schema(required, nullable = false)]
    token: Option<String>,
}

impl AddressProof {
    pub(crate) fn parse(self) -> Result<AccountToken, Problem> {
        let mut fields = Fields::default();
        let token = token(&mut fields, self.token);
        fields.all(token)
    }
}

pub(crate) fn token(fields: &mut Fields, sent: Option<String>) -> Option<AccountToken> {
    let sent = sent.filter(|token| !token.is_empty());
    fields.required::<_, _, &str>("token", "Token", sent, |token| Ok(AccountToken::new(token)))
}

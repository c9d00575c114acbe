//! What clients read when a use case of deliveries refuses.

use ports::MethodNameTaken;

use crate::problem::{FieldError, Problem};

impl From<MethodNameTaken> for Problem {
    fn from(_: MethodNameTaken) -> Self {
        let message = "Another shipping method has this name";
        Self::conflict("name-taken", "Name taken", message)
            .about(vec![FieldError { field: "name".into(), message: message.into() }])
    }
}

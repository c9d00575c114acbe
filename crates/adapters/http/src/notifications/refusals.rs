//! The problem details of the notifications' refusals.

use application::{AddSubscriptionRefused, NotDead};

use crate::problem::Problem;

impl From<NotDead> for Problem {
    fn from(_: NotDead) -> Self {
        Self::conflict("not-dead", "Not given up", "This was not given up: it is sent, or it will be")
    }
}

impl From<AddSubscriptionRefused> for Problem {
    fn from(refused: AddSubscriptionRefused) -> Self {
        match refused {
            AddSubscriptionRefused::Url(refused) => Self::invalid_field("url", format!("URL {refused}")),
            AddSubscriptionRefused::Full => {
                let message = "There are as many endpoints as are told; please remove one first";
                Self::conflict("too-many-endpoints", "Too many endpoints", message)
            }
            AddSubscriptionRefused::Unsealed => Self::defect(&refused),
        }
    }
}

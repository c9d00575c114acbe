//! The problem details of the notifications' refusals.

use application::{AddSubscriptionRefused, NotDead};

use crate::problem::Problem;

impl From<NotDead> for Problem {
    fn from(_: NotDead) -> Self {
        Self::conflict("not-dead", "Not given up", "This message hasn't failed: it was sent, or it will be.")
    }
}

impl From<AddSubscriptionRefused> for Problem {
    fn from(refused: AddSubscriptionRefused) -> Self {
        match refused {
            AddSubscriptionRefused::Url(refused) => Self::invalid_field("url", format!("URL {refused}")),
            AddSubscriptionRefused::Full => {
                let message = "You've reached the maximum number of webhooks. Delete one first.";
                Self::conflict("too-many-endpoints", "Too many endpoints", message)
            }
            AddSubscriptionRefused::Unsealed => Self::defect(&refused),
        }
    }
}

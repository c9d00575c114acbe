//! Shipments on the wire, one file per action.

pub(crate) mod of_order;
pub(crate) mod send;
mod view;

use application::SendShipmentRefused;

use crate::problem::Problem;

impl From<SendShipmentRefused> for Problem {
    fn from(refused: SendShipmentRefused) -> Self {
        match refused {
            SendShipmentRefused::AllSent => {
                Self::conflict("all-shipped", "All shipped", "All units of this order have already been shipped.")
            }
            SendShipmentRefused::TooMany { left } => {
                let message = format!("Only {left} units of this order haven't been shipped yet");
                Self::invalid_field("quantity", message).with("left", left)
            }
            SendShipmentRefused::Withheld(withheld) => withheld.into(),
        }
    }
}

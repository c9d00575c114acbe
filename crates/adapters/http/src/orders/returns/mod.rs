//! Returns on the wire, one file per action.

pub(crate) mod accept;
pub(crate) mod decline;
pub(crate) mod of_order;
pub(crate) mod request;
pub(crate) mod view;

use application::DecideReturnRefused;

use crate::problem::Problem;
use crate::wire::money::Dollars;

impl From<DecideReturnRefused> for Problem {
    fn from(refused: DecideReturnRefused) -> Self {
        match refused {
            DecideReturnRefused::Decided => {
                Self::conflict("return-decided", "Decided", "Someone has already answered this return.")
            }
            DecideReturnRefused::TooMuch { left } if left == domain::Money::ZERO => {
                Self::invalid_field("cents", "This order has already been refunded in full".to_owned())
                    .with("left", Dollars(left).to_json())
            }
            DecideReturnRefused::TooMuch { left } => {
                Self::invalid_field("cents", format!("You can refund up to {left} of this order"))
                    .with("left", Dollars(left).to_json())
            }
            DecideReturnRefused::NoRoom => {
                let message = "This part's stock has no room for these units. Accept the return without restocking.";
                Self::conflict("no-room", "No room in stock", message)
            }
        }
    }
}

//! Payment problems that an admin has to handle, and the actions to do so.

pub(crate) mod acknowledge_dispute;
pub(crate) mod acknowledge_refund;
pub(crate) mod list;
pub(crate) mod record_bank_transfer;
pub(crate) mod retry_refund;
pub(crate) mod send_back;
pub(crate) mod view;

use application::NothingToResolve;

use crate::problem::Problem;

impl From<NothingToResolve> for Problem {
    fn from(_: NothingToResolve) -> Self {
        Self::conflict("conflict", "Over", "This has already been resolved. Refresh the page.")
    }
}

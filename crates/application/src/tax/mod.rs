//! Tax rates and exemptions.

pub(crate) mod exemptions;
pub(crate) mod rates;

use std::sync::Arc;

use ports::{AccountRepository, Clock, Exemptions, Ids, TaxRates, VatCheck};

use crate::Ports;

/// Tax rates and exemptions.
#[derive(Clone)]
pub struct Tax {
    rates: Arc<dyn TaxRates>,
    exemptions: Arc<dyn Exemptions>,
    accounts: Arc<dyn AccountRepository>,
    vat_check: Arc<dyn VatCheck>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl Tax {
    /// Builds the service.
    #[must_use]
    pub fn new(ports: &Ports) -> Self {
        Self {
            rates: Arc::clone(&ports.tax_rates),
            exemptions: Arc::clone(&ports.exemptions),
            accounts: Arc::clone(&ports.accounts),
            vat_check: Arc::clone(&ports.vat_check),
            clock: Arc::clone(&ports.clock),
            ids: Arc::clone(&ports.ids),
        }
    }
}

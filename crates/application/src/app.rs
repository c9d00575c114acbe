//! The services of the shop, one per subject.

use std::sync::Arc;

use crate::platform::compare_clocks::Clocks;
use crate::{
    AccountLinks, Accounts, Audit, Baskets, Catalog, Checkouts, Delivery, Documents, Feeds, Notifications, Orders,
    Payments, Ports, Pricing, SearchIndex, SigningIn, Tax, TwoStep,
};

/// The services. Cheap to clone: the clones share what is in progress.
#[derive(Clone)]
pub struct App {
    pub audit: Arc<Audit>,
    pub baskets: Arc<Baskets>,
    pub catalog: Arc<Catalog>,
    pub delivery: Arc<Delivery>,
    pub checkouts: Arc<Checkouts>,
    pub documents: Arc<Documents>,
    pub feeds: Arc<Feeds>,
    pub accounts: Arc<Accounts>,
    pub account_links: Arc<AccountLinks>,
    pub signing_in: Arc<SigningIn>,
    pub two_step: Arc<TwoStep>,
    pub notifications: Arc<Notifications>,
    pub orders: Arc<Orders>,
    pub payments: Arc<Payments>,
    pub pricing: Arc<Pricing>,
    pub tax: Arc<Tax>,
    /// The index of a search engine, if there is one.
    pub search_index: Arc<SearchIndex>,
    pub clocks: Clocks,
}

impl App {
    /// Builds the services. They share nothing with those of another `App` but the ports.
    #[must_use]
    pub fn new(ports: &Ports) -> Self {
        let payments = Arc::new(Payments::new(ports));
        let pricing = Arc::new(Pricing::new(ports));
        let orders = Arc::new(Orders::new(ports, Arc::clone(&payments), Arc::clone(&pricing)));
        let catalog = Arc::new(Catalog::new(ports));
        let signing_in = Arc::new(SigningIn::new(ports, Arc::clone(&orders)));
        Self {
            audit: Arc::new(Audit::new(ports)),
            baskets: Arc::new(Baskets::new(ports, Arc::clone(&pricing))),
            delivery: Arc::new(Delivery::new(ports)),
            checkouts: Arc::new(Checkouts::new(
                ports,
                Arc::clone(&orders),
                Arc::clone(&payments),
                Arc::clone(&pricing),
            )),
            catalog,
            documents: Arc::new(Documents::new(ports)),
            feeds: Arc::new(Feeds::new(ports)),
            accounts: Arc::new(Accounts::new(ports)),
            account_links: Arc::new(AccountLinks::new(ports, Arc::clone(&orders), Arc::clone(&signing_in))),
            signing_in,
            two_step: Arc::new(TwoStep::new(ports)),
            notifications: Arc::new(Notifications::new(ports)),
            payments,
            pricing,
            orders,
            tax: Arc::new(Tax::new(ports)),
            search_index: Arc::new(SearchIndex::new(
                Arc::clone(&ports.catalog_log),
                ports.search_engine.clone(),
                Arc::clone(&ports.clock),
                ports.search_holder,
            )),
            clocks: Clocks::new(ports),
        }
    }
}

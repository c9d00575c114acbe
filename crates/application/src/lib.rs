//! The use cases of the shop, one file per use case or group of them.
//!
//! A use case first checks the caller's permission, then lets the domain decide, and then has a repository write. It
//! knows neither HTTP nor SQL. Every use case is a method of its subject's service, such as [`Catalog`], which keeps the
//! ports that it needs to itself; a test builds the service on mocks and replaces those that its use case may call.

mod accounts;
mod app;
mod app_ports;
mod audit;
mod baskets;
mod catalog;
mod change_order;
mod checkout;
mod delivery;
mod documents;
mod failure;
mod feeds;
mod notifications;
mod orders;
mod payments;
mod platform;
mod pricing;
mod tax;

#[cfg(test)]
mod testing;

pub use accounts::change_password::{ChangePassword, ChangePasswordRefused};
pub use accounts::change_role::ChangeRoleRefused;
pub use accounts::continue_with_google::{Authenticated, FromGoogle};
pub use accounts::garage::{GarageRefused, GarageSpace, KeptVehicle};
pub use accounts::google_attempt::{GoogleRedirect, GoogleRefused};
pub use accounts::issue_token::TokenUnsigned;
pub use accounts::link_google::{LastSignInMethod, LinkGoogleRefused, Linked};
pub use accounts::log_in::{LogIn, LogInRefused};
pub use accounts::my_account::AccountRemoved;
pub use accounts::open_session::SignedIn;
pub use accounts::remove_account::RemoveAccountRefused;
pub use accounts::reset_password::ResetPasswordRefused;
pub use accounts::sign_up::SignUp;
pub use accounts::upload_photo::UploadPhotoRefused;
pub use accounts::verify_email::VerifyEmailRefused;
pub use accounts::{AccountLinks, Accounts, SigningIn};
pub use app::App;
pub use app_ports::Ports;
pub use audit::Audit;
pub use audit::verify_audit::AuditVerdict;
pub use baskets::Baskets;
pub use baskets::cart::{CartLine, CartView, SaveCartRefused, SeenVersions};
pub use baskets::lists::{ListView, SaveListRefused};
pub use baskets::row::{CheckedRow, Choice, RowPrice};
pub use catalog::Catalog;
pub use catalog::browse_products::FoundProduct;
pub use catalog::correct_stock::CorrectStock;
pub use catalog::edit_product::EditProduct;
pub use catalog::import_products::{Duplicate, ImportProducts, ImportReport};
pub use catalog::parts::Numbered;
pub use catalog::restock_product::RestockProduct;
pub use catalog::reviews::{ReviewDraft, WriteReviewRefused};
pub use catalog::search_index::{Followed, IndexFailed, SearchIndex};
pub use checkout::Checkouts;
pub use checkout::assess::{AssessRefused, Assessed, MethodOffer};
pub use checkout::judge_lines::{CheckoutLineCommand, JudgedLine, LineProduct, LineRefused, RefusedLine};
pub use checkout::place_checkout::{CheckedCheckout, PlaceCheckout, PlaceCheckoutRefused, PlacedAs, PlacedCheckout};
pub use delivery::Delivery;
pub use delivery::address_book::AddressEntry;
pub use documents::{Documents, Drawn};
pub use failure::{Failure, Unavailable};
pub use feeds::{FeedUpload, Feeds, SendFeed, UploadRefused};
pub use notifications::Notifications;
pub use notifications::deliveries::NotDead;
pub use notifications::outcome::Delivered;
pub use notifications::subscriptions::AddSubscriptionRefused;
pub use orders::Orders;
pub use orders::customer::Customer;
pub use orders::expire_orders::Expired;
pub use orders::notes::NotesAbout;
pub use orders::overview::{OrderCounts, Overview};
pub use orders::place_order::{PlaceOrder, PlacedOrder, ProductSelector};
pub use orders::returns::{AcceptReturn, DecideReturnRefused, RequestReturn};
pub use orders::sales::{PaymentFigures, TopSales, UnpaidGroup};
pub use orders::shipments::{SendShipment, SendShipmentRefused};
pub use payments::Payments;
pub use payments::audit_payments::Audited;
pub use payments::needs_attention::{Attention, NothingToResolve};
pub use payments::open_payment::{OpenPayment, OpenPaymentRefused, PaymentSecret};
pub use payments::pay_back::PaidBack;
pub use payments::reconcile_payments::Reconciled;
pub use payments::refund_order::{RefundOrder, RefundOrderRefused};
pub use payments::settle_payment::{SettlePayment, SettlePaymentRefused};
pub use platform::compare_clocks::Clocks;
pub use platform::forget::delete_in_batches;
pub use pricing::Pricing;
pub use pricing::price_lists::{SetPricesRefused, UnknownAccounts};
pub use pricing::quote_prices::{PRICES_MAX, PriceQuote, PricesOf, WantedPrice};
pub use tax::Tax;
pub use tax::exemptions::{AddExemptionRefused, EnteredExemption, ExemptionState, NewExemption};
pub use tax::rates::{ImportRatesRefused, NewRate, OverlapsWith};

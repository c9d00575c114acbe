//! The use cases of the shop, one file per use case or group of them.
//!
//! A use case first checks the caller's permission, then lets the domain decide, and then has a repository write. It
//! knows neither HTTP nor SQL. Every use case is a method of [`Shop`], which holds the ports; a test builds a shop of
//! mocks and replaces those that its use case may call.

mod accounts;
mod catalog;
mod failure;
mod notifications;
mod orders;
mod payments;
mod platform;
mod shop;

#[cfg(test)]
mod testing;

pub use accounts::change_password::{ChangePassword, ChangePasswordError};
pub use accounts::change_role::ChangeRoleError;
pub use accounts::continue_with_google::{Authenticated, ContinueWithGoogleError, Departure, FromGoogle};
pub use accounts::identify::RenameError;
pub use accounts::issue_token::IssueTokenError;
pub use accounts::link_google::{LinkGoogleError, Linked, SignInMethodsError, UnlinkGoogleError};
pub use accounts::list_accounts::ListAccountsError;
pub use accounts::log_in::{LogIn, LogInError, LoginLanes};
pub use accounts::profiles::ProfileError;
pub use accounts::read_role::ReadRoleError;
pub use accounts::remove_account::RemoveAccountError;
pub use accounts::request_verification::RequestVerificationError;
pub use accounts::reset_password::ResetPasswordError;
pub use accounts::sessions::SessionError;
pub use accounts::sign_up::{SignUp, SignUpError};
pub use accounts::verify_email::VerifyEmailError;
pub use catalog::add_product::{AddProductError, ProductDraft};
pub use catalog::correct_stock::{CorrectStock, CorrectStockError};
pub use catalog::import_products::{Duplicate, ImportProducts, ImportReport, ProductFileError};
pub use catalog::restock_product::{RestockProduct, RestockProductError};
pub use catalog::reviews::{RemoveReviewError, ReviewDraft, WriteReviewError};
pub use catalog::upload_picture::{UploadPhotoError, UploadPictureError};
pub use failure::{Failure, Unavailable};
pub use notifications::deliver_emails::Delivered;
pub use notifications::deliveries::DeliveryError;
pub use notifications::delivery_lanes::DeliveryLanes;
pub use notifications::subscriptions::SubscriptionError;
pub use orders::cancel_order::CancelOrderError;
pub use orders::expire_orders::Expired;
pub use orders::overview::{Overview, OverviewError};
pub use orders::place_order::{PlaceOrder, PlaceOrderError, ProductSelector};
pub use orders::read_orders::ReadOrderError;
pub use orders::ship_order::ShipOrderError;
pub use payments::audit_payments::Audited;
pub use payments::handle_event::HandleEventError;
pub use payments::needs_attention::{Attention, AttentionError};
pub use payments::open_payment::{OpenPayment, OpenPaymentError, PaymentSecret};
pub use payments::pay_back::PaidBack;
pub use payments::provider_gate::ProviderLimiter;
pub use payments::reconcile_payments::Reconciled;
pub use payments::refund_order::{RefundCommand, RefundOrderError};
pub use payments::settle_payment::{SettleError, SettlePayment};
pub use platform::forget::Forgotten;
pub use platform::run_idempotent::{Answered, IdempotencyError, IdempotentRequest, Running};
pub use shop::{Shop, SignedIn};

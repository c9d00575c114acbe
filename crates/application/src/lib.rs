//! What the shop does: one file per deed.
//!
//! A deed asks for permission on its first line, lets the domain judge, and has a store write. It knows neither HTTP nor
//! SQL. Every deed is a method of [`Shop`], which holds the ports; a test builds a shop of mocks and swaps in the ones
//! that its deed may use.

mod account_emails;
mod add_product;
mod answer_once;
mod archive_product;
mod ask_for_password_reset;
mod ask_for_verification;
mod audit_payments;
mod browse_products;
mod call_endpoints;
mod cancel_order;
mod change_password;
mod change_role;
mod compare_clocks;
mod continue_with_google;
mod deliver_outbox;
mod delivery_lanes;
mod expire_orders;
mod forget;
mod hear_of_payment;
mod identify;
mod import_products;
mod keep_profile;
mod lanes;
mod letters;
mod list_accounts;
mod log_in;
mod log_out;
mod look_after_deliveries;
mod look_after_payment;
mod manage_endpoints;
mod manage_sessions;
mod mint_account_token;
mod mint_token;
mod needs_attention;
mod open_payment;
mod overview;
mod pay_back;
mod place_order;
mod provider_gate;
mod read_orders;
mod read_role;
mod reconcile_payments;
mod refund_order;
mod remove_account;
mod reset_password;
mod restock_product;
mod review_shop;
mod settle_payment;
mod ship_order;
mod shop;
mod sign_up;
mod subscribe;
mod upload_picture;
mod verify_email;

#[cfg(test)]
mod fake_outbox;
#[cfg(test)]
mod testing;

pub use add_product::{AddProductError, ProductDraft};
pub use answer_once::{Answered, Once, OnceError, Running};
pub use archive_product::ArchiveProductError;
pub use ask_for_verification::AskForVerificationError;
pub use audit_payments::Audited;
pub use cancel_order::CancelOrderError;
pub use change_password::{ChangePassword, ChangePasswordError};
pub use change_role::ChangeRoleError;
pub use continue_with_google::{ContinueWithGoogleError, Departure};
pub use deliver_outbox::Delivered;
pub use delivery_lanes::DeliveryLanes;
pub use expire_orders::Expired;
pub use forget::Forgotten;
pub use hear_of_payment::HearError;
pub use identify::RenameError;
pub use import_products::{ImportProducts, ImportReport, ProductFileError, Twin};
pub use keep_profile::ProfileError;
pub use list_accounts::ListAccountsError;
pub use log_in::{LogIn, LogInError, LoginLanes};
pub use look_after_deliveries::DeliveryError;
pub use manage_endpoints::EndpointError;
pub use manage_sessions::SessionError;
pub use mint_token::MintTokenError;
pub use needs_attention::{Attention, AttentionError};
pub use open_payment::{OpenPayment, OpenPaymentError, PaymentSecret};
pub use overview::{Overview, OverviewError};
pub use pay_back::PaidBack;
pub use place_order::{Choice, PlaceOrder, PlaceOrderError};
pub use provider_gate::ProviderGate;
pub use read_orders::ReadOrderError;
pub use read_role::ReadRoleError;
pub use reconcile_payments::Reconciled;
pub use refund_order::{RefundOrderError, RefundWish};
pub use remove_account::RemoveAccountError;
pub use reset_password::ResetPasswordError;
pub use restock_product::{RestockProduct, RestockProductError};
pub use review_shop::{ReviewDraft, WriteReviewError};
pub use settle_payment::{SettleError, SettlePayment};
pub use ship_order::ShipOrderError;
pub use shop::{Shop, SignedIn};
pub use sign_up::{SignUp, SignUpError};
pub use upload_picture::{UploadPhotoError, UploadPictureError};
pub use verify_email::VerifyEmailError;

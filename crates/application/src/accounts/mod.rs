//! Signing up, signing in, and what an account can change.

pub(crate) mod change_password;
pub(crate) mod change_role;
pub(crate) mod continue_with_google;
pub(crate) mod garage;
pub(crate) mod google_attempt;
pub(crate) mod identify;
pub(crate) mod issue_account_token;
pub(crate) mod issue_token;
pub(crate) mod link_google;
pub(crate) mod list_accounts;
pub(crate) mod log_in;
pub(crate) mod log_out;
pub(crate) mod login_lanes;
pub(crate) mod my_account;
pub(crate) mod open_session;
pub(crate) mod profiles;
pub(crate) mod read_role;
pub(crate) mod remove_account;
pub(crate) mod request_password_reset;
pub(crate) mod request_verification;
pub(crate) mod reset_password;
pub(crate) mod sessions;
pub(crate) mod sign_up;
pub(crate) mod subscribe;
pub(crate) mod two_step;
pub(crate) mod upload_photo;
pub(crate) mod verify_email;

use std::sync::Arc;

use domain::SecondFactorPolicy;
use ports::{
    AccountRepository, AccountTokenRepository, AccountTokens, Clock, DeviceCookies, GarageRepository, GoogleSignIn,
    Ids, ImageHost, LoginAttempts, NewsletterRepository, Outbox, OwnershipRepository, PasswordHasher,
    ProfileRepository, SessionRepository, SessionSecrets, TokenIssuer, VinSeal,
};

use self::log_in::LoginLanes;
pub use self::two_step::TwoStep;
use crate::platform::compare_clocks::Clocks;
use crate::{Orders, Ports};

/// Accounts, their profiles and roles.
#[expect(clippy::struct_field_names, reason = "the repository of accounts is called like the subject")]
#[derive(Clone)]
pub struct Accounts {
    accounts: Arc<dyn AccountRepository>,
    clock: Arc<dyn Clock>,
    garage: Arc<dyn GarageRepository>,
    ids: Arc<dyn Ids>,
    images: Arc<dyn ImageHost>,
    newsletter: Arc<dyn NewsletterRepository>,
    profiles: Arc<dyn ProfileRepository>,
    vins: Arc<dyn VinSeal>,
    /// Whether only an account with a proved address can become an admin.
    roles_need_proof: bool,
}

impl Accounts {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            accounts: Arc::clone(&ports.accounts),
            clock: Arc::clone(&ports.clock),
            garage: Arc::clone(&ports.garage),
            ids: Arc::clone(&ports.ids),
            images: Arc::clone(&ports.images),
            newsletter: Arc::clone(&ports.newsletter),
            profiles: Arc::clone(&ports.profiles),
            vins: Arc::clone(&ports.vins),
            roles_need_proof: ports.roles_need_proof,
        }
    }
}

/// Signing up, in and out: passwords, Google, sessions and access tokens.
#[derive(Clone)]
pub struct SigningIn {
    /// Whether an admin without a second factor is served as a customer.
    admin_second_factor: SecondFactorPolicy,
    account_tokens: Arc<dyn AccountTokens>,
    accounts: Arc<dyn AccountRepository>,
    clocks: Clocks,
    clock: Arc<dyn Clock>,
    device_cookies: Arc<dyn DeviceCookies>,
    google: Option<Arc<dyn GoogleSignIn>>,
    ids: Arc<dyn Ids>,
    login_attempts: Arc<dyn LoginAttempts>,
    login_lanes: Arc<LoginLanes>,
    /// Cancels the unpaid orders of an account that was taken over.
    orders: Arc<Orders>,
    ownership: Arc<dyn OwnershipRepository>,
    passwords: Arc<dyn PasswordHasher>,
    session_secrets: Arc<dyn SessionSecrets>,
    sessions: Arc<dyn SessionRepository>,
    tokens: Arc<dyn TokenIssuer>,
}

impl SigningIn {
    pub(crate) fn new(ports: &Ports, orders: Arc<Orders>) -> Self {
        Self {
            admin_second_factor: ports.admin_second_factor,
            account_tokens: Arc::clone(&ports.account_tokens),
            accounts: Arc::clone(&ports.accounts),
            clocks: Clocks::new(ports),
            clock: Arc::clone(&ports.clock),
            device_cookies: Arc::clone(&ports.device_cookies),
            google: ports.google.clone(),
            ids: Arc::clone(&ports.ids),
            login_attempts: Arc::clone(&ports.login_attempts),
            login_lanes: Arc::default(),
            orders,
            ownership: Arc::clone(&ports.ownership),
            passwords: Arc::clone(&ports.passwords),
            session_secrets: Arc::clone(&ports.session_secrets),
            sessions: Arc::clone(&ports.sessions),
            tokens: Arc::clone(&ports.tokens),
        }
    }
}

/// What e-mailed links do: confirm an address, reset a password, hand an account to its owner.
#[derive(Clone)]
pub struct AccountLinks {
    account_token_store: Arc<dyn AccountTokenRepository>,
    account_tokens: Arc<dyn AccountTokens>,
    accounts: Arc<dyn AccountRepository>,
    clocks: Clocks,
    clock: Arc<dyn Clock>,
    orders: Arc<Orders>,
    outbox: Arc<dyn Outbox>,
    ownership: Arc<dyn OwnershipRepository>,
    passwords: Arc<dyn PasswordHasher>,
    signing_in: Arc<SigningIn>,
}

impl AccountLinks {
    pub(crate) fn new(ports: &Ports, orders: Arc<Orders>, signing_in: Arc<SigningIn>) -> Self {
        Self {
            account_token_store: Arc::clone(&ports.account_token_store),
            account_tokens: Arc::clone(&ports.account_tokens),
            accounts: Arc::clone(&ports.accounts),
            clocks: Clocks::new(ports),
            clock: Arc::clone(&ports.clock),
            orders,
            outbox: Arc::clone(&ports.outbox),
            ownership: Arc::clone(&ports.ownership),
            passwords: Arc::clone(&ports.passwords),
            signing_in,
        }
    }
}

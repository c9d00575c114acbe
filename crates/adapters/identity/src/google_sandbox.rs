//! A stand-in for Google: two fictional people behind a page of this shop, for `demo`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::Timestamp;
use oauth2::url::form_urlencoded;
use ports::{
    Clock, GoogleIdentity, GoogleSignIn, GoogleSubject, ProviderError, SandboxAccounts, SignInAttempt, SignInRefused,
};

use crate::attempts::challenge_of;
use crate::{AttemptSeal, entropy};

/// How long a code is valid: long enough for a redirect.
const CODE_LIFETIME: Duration = Duration::from_mins(1);

/// Maximum number of unredeemed codes; another one invalidates the oldest.
const CODES_MAX: usize = 1_024;

/// The issuer of the sandbox's identities.
const ISSUER: &str = "sandbox";

/// Subject, name, address, and whether Google speaks for the address, as it does for those of an organisation that it
/// hosts.
const PEOPLE: [(&str, &str, &str, bool); 2] = [
    ("sandbox-robin-vale", "Robin Vale", "robin.vale@example.com", true),
    ("sandbox-sam-quill", "Sam Quill", "sam.quill@example.com", false),
];

struct Grant {
    code: String,
    subject: String,
    nonce: String,
    challenge: String,
    until: Timestamp,
}

/// A provider that lives in this process and knows two people. It makes Google's guarantees: a code is valid once, for
/// the attempt that it was issued for, and only with the verifier behind the challenge.
pub struct GoogleSandbox {
    attempts: AttemptSeal,
    clock: Arc<dyn Clock>,
    grants: Mutex<VecDeque<Grant>>,
}

impl std::fmt::Debug for GoogleSandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GoogleSandbox(…)")
    }
}

impl GoogleSandbox {
    /// A sandbox without codes.
    #[must_use]
    pub fn new(attempts: AttemptSeal, clock: Arc<dyn Clock>) -> Self {
        Self { attempts, clock, grants: Mutex::default() }
    }

    /// The codes that are still valid, oldest first.
    fn good_grants(&self) -> MutexGuard<'_, VecDeque<Grant>> {
        let now = self.clock.now();
        // A panic elsewhere cannot leave the list half changed: each change is one call.
        let mut grants = self.grants.lock().unwrap_or_else(PoisonError::into_inner);
        grants.retain(|grant| now < grant.until);
        grants
    }
}

fn accounts() -> impl Iterator<Item = GoogleIdentity> {
    PEOPLE.into_iter().filter_map(|(subject, name, email, email_is_authoritative)| {
        Some(GoogleIdentity {
            google: GoogleSubject { issuer: ISSUER.to_owned(), subject: subject.to_owned() },
            email: email.parse().ok()?,
            email_is_authoritative,
            name: Some(name.to_owned()),
            picture: None,
        })
    })
}

impl SandboxAccounts for GoogleSandbox {
    fn accounts(&self) -> Vec<GoogleIdentity> {
        accounts().collect()
    }

    fn choose(&self, subject: &str, nonce: &str, challenge: &str) -> Option<String> {
        let account = accounts().find(|account| account.google.subject == subject)?;
        let until = self.clock.now().checked_add(CODE_LIFETIME).ok()?;
        let code = entropy::word();
        let mut grants = self.good_grants();
        if grants.len() >= CODES_MAX {
            grants.pop_front();
        }
        grants.push_back(Grant {
            code: code.clone(),
            subject: account.google.subject,
            nonce: nonce.to_owned(),
            challenge: challenge.to_owned(),
            until,
        });
        Some(code)
    }
}

#[async_trait]
impl GoogleSignIn for GoogleSandbox {
    fn begin(&self) -> SignInAttempt {
        self.attempts.begin()
    }

    async fn address(&self, attempt: &SignInAttempt) -> Result<String, ProviderError> {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("state", &attempt.state)
            .append_pair("nonce", &attempt.nonce)
            .append_pair("challenge", &challenge_of(&attempt.verifier))
            .finish();
        Ok(format!("/sandbox/google?{query}"))
    }

    async fn redeem(&self, attempt: &SignInAttempt, code: &str) -> Result<GoogleIdentity, SignInRefused> {
        let grant = {
            let mut grants = self.good_grants();
            // Removed in any case: a code that was tried with the wrong verifier may have been stolen.
            grants.iter().position(|grant| grant.code == code).and_then(|place| grants.remove(place))
        }
        .ok_or(SignInRefused::Unproven)?;
        let proven = grant.nonce == attempt.nonce && grant.challenge == challenge_of(&attempt.verifier);
        accounts().find(|account| proven && account.google.subject == grant.subject).ok_or(SignInRefused::Unproven)
    }

    fn seal(&self, attempt: &SignInAttempt, destination: &str) -> String {
        self.attempts.seal(attempt, destination)
    }

    fn open(&self, sealed: &str) -> Option<(SignInAttempt, String)> {
        self.attempts.open(sealed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::TokenKeys;
    use crate::test_clock::TestClock;

    const ROBIN: &str = "sandbox-robin-vale";

    fn sandbox() -> (GoogleSandbox, Arc<TestClock>) {
        let clock = TestClock::new();
        let keys = TokenKeys::new(&[1; 32], None).unwrap();
        let attempts = AttemptSeal::new(&keys, clock.clone());
        (GoogleSandbox::new(attempts, clock.clone()), clock)
    }

    async fn query(sandbox: &GoogleSandbox, attempt: &SignInAttempt) -> HashMap<String, String> {
        let address = sandbox.address(attempt).await.unwrap();
        let (path, query) = address.split_once('?').unwrap();
        assert_eq!(path, "/sandbox/google");
        form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    async fn code(sandbox: &GoogleSandbox, attempt: &SignInAttempt, subject: &str) -> String {
        let query = query(sandbox, attempt).await;
        sandbox.choose(subject, &query["nonce"], &query["challenge"]).unwrap()
    }

    fn refused(answer: &Result<GoogleIdentity, SignInRefused>) -> bool {
        matches!(answer, Err(SignInRefused::Unproven))
    }

    #[tokio::test]
    async fn the_sandbox_has_one_account_whose_address_google_speaks_for_and_one_without() {
        let (sandbox, _) = sandbox();
        let accounts: Vec<_> = sandbox
            .accounts()
            .into_iter()
            .map(|account| (account.name, account.email.to_string(), account.email_is_authoritative))
            .collect();
        assert_eq!(
            accounts,
            [
                (Some("Robin Vale".to_owned()), "robin.vale@example.com".to_owned(), true),
                (Some("Sam Quill".to_owned()), "sam.quill@example.com".to_owned(), false),
            ]
        );
    }

    #[tokio::test]
    async fn the_chosen_account_signs_in() {
        let (sandbox, _) = sandbox();
        for account in sandbox.accounts() {
            let attempt = sandbox.begin();
            let code = code(&sandbox, &attempt, &account.google.subject).await;
            let answer = sandbox.redeem(&attempt, &code).await.unwrap();
            assert_eq!(answer, account);
        }
    }

    #[tokio::test]
    async fn the_address_escapes_every_part_of_an_attempt() {
        let (sandbox, _) = sandbox();
        let attempt = SignInAttempt {
            state: "a&b=c d#ä".to_owned(),
            nonce: "?%".to_owned(),
            verifier: "v".to_owned(),
            link_to: None,
        };
        let query = query(&sandbox, &attempt).await;
        assert_eq!(query["state"], attempt.state);
        assert_eq!(query["nonce"], attempt.nonce);
        assert_ne!(query["challenge"], attempt.verifier);
    }

    #[tokio::test]
    async fn a_code_is_valid_once() {
        let (sandbox, _) = sandbox();
        let attempt = sandbox.begin();
        let code = code(&sandbox, &attempt, ROBIN).await;
        assert!(sandbox.redeem(&attempt, &code).await.is_ok());
        assert!(refused(&sandbox.redeem(&attempt, &code).await));
    }

    #[tokio::test]
    async fn a_code_is_valid_for_exactly_one_minute() {
        let (sandbox, clock) = sandbox();
        let attempt = sandbox.begin();
        let (in_time, late) = (code(&sandbox, &attempt, ROBIN).await, code(&sandbox, &attempt, ROBIN).await);
        clock.advance(59);
        assert!(sandbox.redeem(&attempt, &in_time).await.is_ok());
        clock.advance(1);
        assert!(refused(&sandbox.redeem(&attempt, &late).await));
    }

    #[tokio::test]
    async fn a_code_used_in_another_attempt_is_refused_and_invalidated() {
        let (sandbox, _) = sandbox();
        let attempt = sandbox.begin();
        let other = sandbox.begin();
        let with = |nonce: &SignInAttempt, verifier: &SignInAttempt| SignInAttempt {
            state: attempt.state.clone(),
            nonce: nonce.nonce.clone(),
            verifier: verifier.verifier.clone(),
            link_to: None,
        };
        for wrong in [with(&other, &attempt), with(&attempt, &other)] {
            let code = code(&sandbox, &attempt, ROBIN).await;
            assert!(refused(&sandbox.redeem(&wrong, &code).await));
            assert!(refused(&sandbox.redeem(&attempt, &code).await));
        }
    }

    #[tokio::test]
    async fn an_unknown_person_gets_no_code_and_an_unknown_code_no_person() {
        let (sandbox, _) = sandbox();
        let attempt = sandbox.begin();
        assert_eq!(sandbox.choose("somebody", "n", "c"), None);
        for code in ["", "made-up"] {
            assert!(refused(&sandbox.redeem(&attempt, code).await));
        }
    }

    #[tokio::test]
    async fn the_sandbox_keeps_a_bounded_number_of_codes() {
        let (sandbox, _) = sandbox();
        let attempt = sandbox.begin();
        let first = code(&sandbox, &attempt, ROBIN).await;
        let second = code(&sandbox, &attempt, ROBIN).await;
        for _ in 0..CODES_MAX - 1 {
            code(&sandbox, &attempt, ROBIN).await;
        }
        assert_eq!(sandbox.good_grants().len(), CODES_MAX);
        assert!(refused(&sandbox.redeem(&attempt, &first).await));
        assert!(sandbox.redeem(&attempt, &second).await.is_ok());
    }

    #[tokio::test]
    async fn the_sandbox_packs_attempts_for_a_cookie() {
        let (sandbox, _) = sandbox();
        let attempt = sandbox.begin();
        let sealed = sandbox.seal(&attempt, "/shop");
        assert_eq!(sandbox.open(&sealed), Some((attempt, "/shop".to_owned())));
    }
}

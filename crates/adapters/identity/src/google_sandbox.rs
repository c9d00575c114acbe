//! Google without Google: two made-up people behind a page of this shop, for `demo`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::Timestamp;
use oauth2::url::form_urlencoded;
use ports::{
    Clock, GoogleIdentity, GoogleSignIn, ProviderError, SandboxPeople, SandboxPerson, SignInAttempt, SignInRefused,
};

use crate::attempts::challenge_of;
use crate::{AttemptSeal, entropy};

/// How long a code is good: long enough for a redirect.
const CODE_LIFETIME: Duration = Duration::from_mins(1);

/// How many codes may be waiting; one more makes the oldest worthless.
const CODES_MAX: usize = 1_024;

/// Subject, name, address, and whether the address is verified.
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

/// A provider that lives in this process and knows two people. It keeps Google's promises: a code is good once, for the
/// attempt that it was given to, and for whoever knows the verifier behind the challenge.
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
    /// A sandbox with nobody on the way.
    #[must_use]
    pub fn new(attempts: AttemptSeal, clock: Arc<dyn Clock>) -> Self {
        Self { attempts, clock, grants: Mutex::default() }
    }

    /// The codes that are still good, oldest first.
    fn good_grants(&self) -> MutexGuard<'_, VecDeque<Grant>> {
        let now = self.clock.now();
        // A panic elsewhere cannot leave the list half changed: each change is one call.
        let mut grants = self.grants.lock().unwrap_or_else(PoisonError::into_inner);
        grants.retain(|grant| now < grant.until);
        grants
    }
}

fn people() -> impl Iterator<Item = GoogleIdentity> {
    PEOPLE.into_iter().filter_map(|(subject, name, email, email_verified)| {
        Some(GoogleIdentity {
            subject: subject.to_owned(),
            email: email.parse().ok()?,
            email_verified,
            name: Some(name.to_owned()),
            picture: None,
        })
    })
}

impl SandboxPeople for GoogleSandbox {
    fn people(&self) -> Vec<SandboxPerson> {
        people().map(|identity| SandboxPerson { identity }).collect()
    }

    fn choose(&self, subject: &str, nonce: &str, challenge: &str) -> Option<String> {
        let person = people().find(|person| person.subject == subject)?;
        let until = self.clock.now().checked_add(CODE_LIFETIME).ok()?;
        let code = entropy::word();
        let mut grants = self.good_grants();
        if grants.len() >= CODES_MAX {
            grants.pop_front();
        }
        grants.push_back(Grant {
            code: code.clone(),
            subject: person.subject,
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
            // Taken whatever comes of it: a code that was tried with the wrong verifier has fallen into wrong hands.
            grants.iter().position(|grant| grant.code == code).and_then(|place| grants.remove(place))
        }
        .ok_or(SignInRefused::Unproven)?;
        let proven = grant.nonce == attempt.nonce && grant.challenge == challenge_of(&attempt.verifier);
        people().find(|person| proven && person.subject == grant.subject).ok_or(SignInRefused::Unproven)
    }

    fn seal(&self, attempt: &SignInAttempt, destination: &str) -> String {
        self.attempts.seal(attempt, destination)
    }

    fn open(&self, sealed: &str) -> Option<(SignInAttempt, String)> {
        self.attempts.open(sealed)
    }
}

//! Whether a stranger can get into an account of an address whose mail they do not read: every sequence of so many steps of
//! the stranger, of the address's owner and of an operator, on the shop as it is wired. A state that was reached before, by
//! whatever way, is not gone on from again.
//!
//! ```sh
//! TAKEOVER_STEPS=6 make test-http   # longer ones; four unless it is set
//! ```

use std::collections::HashSet;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use application::{App, Demanded, Failure, FromGoogle, LogIn, Ports, SignUp};
use async_trait::async_trait;
use domain::{ClientNetwork, Email, Password, Role, Text};
use persistence::Database;
use ports::{
    AccountToken, Busy, EmailError, EmailMessage, EmailSender, GoogleIdentity, GoogleSignIn, GoogleSubject,
    HashingQueue, Notification, PasswordHash, PasswordHasher, ProviderError, RoleGrant, SessionSecret, SignInAttempt,
    SignInRefused,
};
use testkit::authenticator::code_at;
use testkit::{Sql, TestDatabase};

use super::{migrate, outside, settings, wiring};

/// How many steps a sequence has unless `TAKEOVER_STEPS` is set.
const STEPS: usize = 4;

/// What somebody does about the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    StrangerSignsUp,
    StrangerLogsIn,
    StrangerAsksForReset,
    StrangerAsksForConfirmation,
    /// With a Google account that claims the address, which Google does not speak for.
    StrangerUsesGoogle,
    StrangerLinksGoogle,
    StrangerAddsApp,
    OwnerSignsUp,
    OwnerLogsIn,
    /// Opens the newest link, in a browser that may be signed in, and types the own password otherwise.
    OwnerConfirms,
    OwnerResets,
    /// Opens the link of somebody's sign-in with Google, in the own browser.
    OwnerOpensGoogleLink,
    /// With a Google account that Google speaks for.
    OwnerUsesGoogle,
    OwnerTakesOver,
    OwnerDeletes,
    /// An operator makes the account an admin, if the shop lets them.
    Promotes,
}

impl Step {
    const ALL: [Self; 16] = [
        Self::StrangerSignsUp,
        Self::StrangerLogsIn,
        Self::StrangerAsksForReset,
        Self::StrangerAsksForConfirmation,
        Self::StrangerUsesGoogle,
        Self::StrangerLinksGoogle,
        Self::StrangerAddsApp,
        Self::OwnerSignsUp,
        Self::OwnerLogsIn,
        Self::OwnerConfirms,
        Self::OwnerResets,
        Self::OwnerOpensGoogleLink,
        Self::OwnerUsesGoogle,
        Self::OwnerTakesOver,
        Self::OwnerDeletes,
        Self::Promotes,
    ];
}

impl Step {
    const fn is_the_strangers(self) -> bool {
        matches!(
            self,
            Self::StrangerSignsUp
                | Self::StrangerLogsIn
                | Self::StrangerAsksForReset
                | Self::StrangerAsksForConfirmation
                | Self::StrangerUsesGoogle
                | Self::StrangerLinksGoogle
                | Self::StrangerAddsApp
        )
    }
}

/// Hashes nothing: thousands of sequences would take hours.
struct PlainPasswords;

#[async_trait]
impl PasswordHasher for PlainPasswords {
    async fn hash(&self, password: &Password, _: ClientNetwork) -> Result<PasswordHash, Busy> {
        Ok(PasswordHash::new(format!("plain {}", password.expose())))
    }

    async fn verify(&self, typed: &str, hash: Option<PasswordHash>, _: HashingQueue) -> Result<bool, Busy> {
        Ok(hash.is_some_and(|hash| hash.expose() == format!("plain {typed}")))
    }
}

/// A Google whose codes say who signs in: `owner ADDRESS` or `stranger ADDRESS`.
struct NamedByCode;

#[async_trait]
impl GoogleSignIn for NamedByCode {
    fn begin(&self) -> SignInAttempt {
        SignInAttempt { state: "state".into(), nonce: String::new(), verifier: String::new(), link_to: None }
    }

    async fn address(&self, _: &SignInAttempt) -> Result<String, ProviderError> {
        Ok("https://google.example".into())
    }

    async fn redeem(&self, _: &SignInAttempt, code: &str) -> Result<GoogleIdentity, SignInRefused> {
        let (who, email) = code.split_once(' ').ok_or(SignInRefused::Unproven)?;
        Ok(GoogleIdentity {
            google: GoogleSubject { issuer: "https://google.example".into(), subject: format!("{who} {email}") },
            email: email.parse().map_err(|_| SignInRefused::Unproven)?,
            email_is_authoritative: who == "owner",
            name: None,
            picture: None,
        })
    }

    fn seal(&self, attempt: &SignInAttempt, _: &str) -> String {
        attempt.link_to.map(|account| account.to_string()).unwrap_or_default()
    }

    fn open(&self, sealed: &str) -> Option<(SignInAttempt, String)> {
        let link_to = sealed.parse().ok();
        Some((SignInAttempt { link_to, ..self.begin() }, "/".into()))
    }
}

/// The mail of all addresses.
#[derive(Default)]
struct Inbox(Mutex<Vec<EmailMessage>>);

#[async_trait]
impl EmailSender for Inbox {
    async fn send(&self, message: &EmailMessage) -> Result<(), EmailError> {
        self.0.lock().unwrap().push(message.clone());
        Ok(())
    }
}

/// What the newest e-mail of a kind opens.
#[derive(Clone, Copy)]
enum Link {
    Confirm,
    Reset,
    Google,
}

struct World {
    app: App,
    ports: Ports,
    inbox: Arc<Inbox>,
    sql: Mutex<Sql>,
}

impl World {
    fn on(url: &str, database: &Database) -> Self {
        let (http, adapters) = outside(settings(url, "http://127.0.0.1:1")).unwrap();
        let inbox = Arc::new(Inbox::default());
        let ports = Ports {
            passwords: Arc::new(PlainPasswords),
            google: Some(Arc::new(NamedByCode)),
            email_sender: Some(inbox.clone()),
            ..wiring::ports(database, &adapters, &http).unwrap()
        };
        Self { app: App::new(&ports), ports, inbox, sql: Mutex::new(Sql::connect(url)) }
    }

    fn number(&self, query: &str) -> i64 {
        self.sql.lock().unwrap().number(query)
    }
}

/// Somebody's browser.
#[derive(Default)]
struct Hands {
    sessions: Vec<SessionSecret>,
    /// The browser that waits for the link of a sign-in with Google.
    waiting: Option<SessionSecret>,
}

/// One sequence, about an address of its own.
struct Replay<'w> {
    world: &'w World,
    email: Email,
    from: ClientNetwork,
    stranger: Hands,
    owner: Hands,
}

const STRANGERS: &str = "a stranger's word";
const OWNERS: &str = "the owner's word";

impl<'w> Replay<'w> {
    fn new(world: &'w World, number: u32) -> Self {
        Self {
            world,
            email: format!("address{number}@example.com").parse().unwrap(),
            // Failed log-ins count per network.
            from: Ipv4Addr::from_bits(0x0a00_0000 + number).into(),
            stranger: Hands::default(),
            owner: Hands::default(),
        }
    }

    /// The token of the newest e-mail of a kind.
    fn link(&self, link: Link) -> Option<AccountToken> {
        let inbox = self.world.inbox.0.lock().unwrap();
        inbox.iter().rev().filter(|message| message.to == self.email).find_map(|message| {
            match (&message.notification, link) {
                (Notification::VerifyAddress { token }, Link::Confirm)
                | (Notification::ResetPassword { token }, Link::Reset)
                | (Notification::ConfirmGoogle { token }, Link::Google) => Some(token.clone()),
                _ => None,
            }
        })
    }

    async fn sign_up(&self, password: &str) -> Option<SessionSecret> {
        let command = SignUp {
            name: Text::new("Some Body").unwrap(),
            email: self.email.clone(),
            password: Password::choose(password).unwrap(),
            from: self.from,
        };
        done(self.world.app.signing_in.sign_up(command).await).map(|signed_in| signed_in.secret)
    }

    async fn log_in(&self, password: &str) -> Option<SessionSecret> {
        let attempt =
            LogIn { email: self.email.clone(), password: password.to_owned(), from: self.from, device_cookie: None };
        done(self.world.app.signing_in.log_in(attempt).await).map(|signed_in| signed_in.secret)
    }

    /// Comes back from Google as `who`.
    async fn google(&self, who: &str, sealed: &str, session: Option<&SessionSecret>) -> Option<FromGoogle> {
        let code = format!("{who} {}", self.email);
        done(self.world.app.signing_in.finish_google(Some(sealed), ("state", &code), session).await)
    }

    async fn stranger_does(&mut self, step: Step) {
        let (app, last) = (&self.world.app, self.stranger.sessions.last().cloned());
        let caller = match &last {
            Some(secret) => app.signing_in.caller_by_cookie(secret, Demanded::FIRST_FACTOR).await.unwrap(),
            None => None,
        };
        match step {
            Step::StrangerSignsUp => self.stranger.sessions.extend(self.sign_up(STRANGERS).await),
            Step::StrangerLogsIn => self.stranger.sessions.extend(self.log_in(STRANGERS).await),
            Step::StrangerAsksForReset => app.account_links.request_password_reset(&self.email).await.unwrap(),
            Step::StrangerUsesGoogle => match self.google("stranger", "", None).await {
                Some(FromGoogle::EmailSent { browser }) => self.stranger.waiting = Some(browser),
                Some(FromGoogle::SignedIn(found)) => self.stranger.sessions.push(found.signed_in.secret),
                _ => {}
            },
            _ => {
                let Some(caller) = caller else { return };
                match step {
                    Step::StrangerAsksForConfirmation => {
                        tried(app.account_links.request_verification(&caller).await);
                    }
                    Step::StrangerLinksGoogle => {
                        drop(self.google("stranger", &caller.account.to_string(), last.as_ref()).await);
                    }
                    Step::StrangerAddsApp => {
                        let Some(setup) = done(app.two_step.begin_app(&caller).await) else { return };
                        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
                        tried(app.two_step.confirm_app(&caller, &code_at(setup.secret.expose(), now)).await);
                    }
                    _ => unreachable!("{step:?}"),
                }
            }
        }
    }

    async fn owner_or_operator_does(&mut self, step: Step) {
        let app = &self.world.app;
        let chosen = || Password::choose(OWNERS).unwrap();
        match step {
            Step::OwnerSignsUp => self.owner.sessions.extend(self.sign_up(OWNERS).await),
            Step::OwnerLogsIn => self.owner.sessions.extend(self.log_in(OWNERS).await),
            Step::OwnerConfirms => {
                let Some(token) = self.link(Link::Confirm) else { return };
                let session = self.owner.sessions.last();
                tried(app.account_links.verify_email(&token, session, Some((OWNERS, self.from))).await);
            }
            Step::OwnerResets => {
                let Some(token) = self.link(Link::Reset) else { return };
                tried(app.account_links.reset_password(&token, chosen(), self.from).await);
            }
            Step::OwnerOpensGoogleLink => {
                let Some(token) = self.link(Link::Google) else { return };
                let found = app.signing_in.finish_google_by_email(self.owner.waiting.as_ref(), &token).await;
                self.owner.sessions.extend(done(found).map(|found| found.signed_in.secret));
            }
            Step::OwnerUsesGoogle => {
                if let Some(FromGoogle::SignedIn(found)) = self.google("owner", "", None).await {
                    self.owner.sessions.push(found.signed_in.secret);
                }
            }
            Step::OwnerTakesOver => {
                let Some(token) = self.link(Link::Confirm) else { return };
                tried(app.account_links.take_account_over(&token, chosen(), self.from).await);
            }
            Step::OwnerDeletes => {
                let Some(token) = self.link(Link::Confirm) else { return };
                tried(app.account_links.delete_unproved_account(&token).await);
            }
            Step::Promotes => {
                let grant = RoleGrant { role: Role::Admin, needs_proof: true, at: self.world.ports.clock.now() };
                self.world.ports.accounts.set_role(&self.email, grant).await.unwrap();
            }
            _ => unreachable!("{step:?}"),
        }
    }

    /// Takes a step, and waits for its e-mails.
    async fn take(&mut self, step: Step) {
        if step.is_the_strangers() {
            self.stranger_does(step).await;
        } else {
            self.owner_or_operator_does(step).await;
        }
        let waiting = format!(
            "SELECT count(*) FROM outbox WHERE state = 'waiting' AND channel = 'mail' AND email = '{}'",
            self.email
        );
        while self.world.number(&waiting) > 0 {
            self.world.app.notifications.deliver_emails().await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    async fn is_in(&self, hands: &Hands) -> bool {
        for secret in &hands.sessions {
            let hash = self.world.ports.session_secrets.hash(secret);
            let now = self.world.ports.clock.now();
            if self.world.ports.sessions.by_secret_now(&hash, now).await.unwrap().is_some() {
                return true;
            }
        }
        false
    }

    /// What must not be, if it is.
    async fn violation(&self) -> Option<&'static str> {
        let of_account = |what: &str| {
            self.world.number(&format!(
                "SELECT count(*) FROM accounts WHERE email = '{}' AND removed_at IS NULL AND {what}",
                self.email
            )) > 0
        };
        let stranger_is_in = self.is_in(&self.stranger).await;
        if stranger_is_in && of_account("proved_at IS NOT NULL") {
            return Some("the stranger is in an account of a proved address");
        }
        if stranger_is_in && of_account("role = 'admin'") {
            return Some("the stranger is in an admin's account");
        }
        if of_account("proved_at IS NOT NULL AND google_subject LIKE 'stranger%'") {
            return Some("the stranger's Google account opens an account of a proved address");
        }
        if of_account(&format!("proved_at IS NOT NULL AND password_hash = 'plain {}'", STRANGERS.replace('\'', "''"))) {
            return Some("the stranger's password opens an account of a proved address");
        }
        (of_account("second_factor_since IS NOT NULL")).then_some("the stranger's second factor locks the owner out")
    }

    /// What decides how it goes on. Which of several links is good is not told apart, nor how often one was asked for.
    async fn state(&self) -> (i64, bool, bool, bool) {
        let number = self.world.number(&format!(
            "SELECT hashtextextended(coalesce((
                SELECT string_agg(concat_ws('|', removed_at IS NULL, proved_at IS NOT NULL, email_verified_at IS NOT NULL, role,
                    password_hash, split_part(google_subject, ' ', 1), (
                        SELECT string_agg(purpose, ',' ORDER BY purpose) FROM (
                            SELECT DISTINCT purpose FROM account_tokens
                            WHERE account_id = accounts.id AND used_at IS NULL AND expires_at > now()
                        ) links
                    )), ';' ORDER BY created_at)
                FROM accounts WHERE email = '{}'
            ), ''), 0)",
            self.email
        ));
        let waits = self.stranger.waiting.is_some();
        (number, self.is_in(&self.stranger).await, self.is_in(&self.owner).await, waits)
    }
}

/// What came of a use case. A refusal is an answer, and anything else than one a defect.
fn done<T, R>(result: Result<T, Failure<R>>) -> Option<T> {
    match result {
        Ok(done) => Some(done),
        Err(Failure::Unavailable(cause)) => panic!("{cause:?}"),
        Err(Failure::Denied(_) | Failure::Refused(_)) => None,
    }
}

/// For a step whose result is its trace in the shop.
fn tried<T, R>(result: Result<T, Failure<R>>) {
    let _ = done(result);
}

/// Every sequence of `most` steps. Returns how many states there are, or the first sequence after which something is that
/// must not be.
async fn explore(world: &World, most: usize) -> Result<usize, (Vec<Step>, &'static str)> {
    let mut seen = HashSet::new();
    let mut frontier = vec![Vec::new()];
    let mut replays = 0;
    for _ in 0..most {
        let mut next = Vec::new();
        for sequence in frontier {
            for step in Step::ALL {
                replays += 1;
                let mut replay = Replay::new(world, replays);
                let sequence = [&sequence[..], &[step]].concat();
                for step in &sequence {
                    replay.take(*step).await;
                }
                if let Some(violation) = replay.violation().await {
                    return Err((sequence, violation));
                }
                if seen.insert(replay.state().await) {
                    next.push(sequence);
                }
            }
        }
        frontier = next;
    }
    println!("{} states, {replays} sequences of up to {most} steps: no stranger is in", seen.len());
    Ok(seen.len())
}

fn world() -> (TestDatabase, World) {
    let own = TestDatabase::fresh(migrate);
    let database = Database::open(settings(own.url(), "http://127.0.0.1:1").database.connection()).unwrap();
    let world = World::on(own.url(), &database);
    (own, world)
}

#[expect(clippy::disallowed_methods, reason = "the extent of a test is not an application setting")]
fn steps() -> usize {
    std::env::var("TAKEOVER_STEPS").map_or(STEPS, |typed| typed.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_sequence_of_steps_lets_a_stranger_into_an_account_of_a_proved_address() {
    let (_own, world) = world();
    let states = explore(&world, steps()).await.unwrap();
    assert!(states > 30, "{states} states are too few to have tried anything");
}

/// A shop that forgets one of the rules is found out within three steps.
#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_forgets_a_rule_lets_the_stranger_in() {
    for (rule, found) in [
        (
            "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.closed_at = NULL; RETURN NEW; END';
             CREATE TRIGGER planted BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION planted()",
            "the stranger is in an account of a proved address",
        ),
        (
            "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
             'BEGIN NEW.password_hash = OLD.password_hash; RETURN NEW; END';
             CREATE TRIGGER planted BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION planted()",
            "the stranger's password opens an account of a proved address",
        ),
    ] {
        let (own, world) = world();
        Sql::connect(own.url()).run(rule);
        let (sequence, violation) = explore(&world, 3).await.unwrap_err();
        assert_eq!(violation, found, "{sequence:?}");
    }
}

use std::sync::Arc;
use std::time::Duration;

use domain::accounts::access::Denied;
use domain::{Caller, PasskeyId, Role, SecondFactor, SecondFactorNeeded, SecondFactorPolicy, Text, Timestamp};
use ports::{
    AppSecret, AppSetup, ChallengePurpose, CodeAttempt, CodeAttemptId, FactorAdded, FactorName, FactorRemoved,
    MadePasskey, MockOneTimeCodes, MockPasskeys, MockSecondFactors, NewFactor, PasskeyChallenge, PasskeyCredential,
    PasskeyRefused, Proof, RecoveryCode, SealedAppSecret, SecretHash, StoredApp, StoredFactors, StoredPasskey,
};
use uuid::Uuid;

use super::factors::{AddFactorRefused, NoFactor, RemoveFactorRefused};
use super::proofs::ProveRefused;
use crate::platform::moments::earlier;
use crate::testing::{caller, now, ports};
use crate::{Failure, TwoStep};

fn two_step() -> TwoStep {
    TwoStep::new(&ports())
}

fn with(second_factor: SecondFactor) -> Caller {
    Caller { second_factor, signed_in_at: now(), ..caller(Role::Customer) }
}

fn long_ago() -> Timestamp {
    earlier(now(), Duration::from_mins(11))
}

fn passkey() -> StoredPasskey {
    StoredPasskey {
        id: PasskeyId::new(Uuid::from_u128(7)),
        credential: PasskeyCredential("key".into()),
        name: Text::new("Laptop").unwrap(),
        added_at: now(),
        last_used_at: None,
    }
}

fn stored() -> StoredFactors {
    StoredFactors {
        may_add: true,
        app: Some(StoredApp { secret: SealedAppSecret(vec![1]), added_at: now() }),
        passkeys: vec![passkey()],
        recovery_codes: 10,
    }
}

/// Codes of a secret that is "SECRET" and sealed as 1; the code of now is 123456, of step 60,000,000.
fn codes() -> MockOneTimeCodes {
    let mut codes = MockOneTimeCodes::new();
    codes.expect_set_up().returning(|_| {
        Some(AppSetup { secret: AppSecret::new("SECRET".into()), link: "otpauth:".into(), qr: vec![vec![true]] })
    });
    codes.expect_seal().returning(|_, _| Some(SealedAppSecret(vec![1])));
    codes.expect_open().returning(|_, sealed| (sealed.0 == [1]).then(|| AppSecret::new("SECRET".into())));
    codes.expect_step_of().returning(|_, code, _| (code == "123456").then_some(60_000_000));
    codes.expect_recovery_codes().returning(|| vec![RecoveryCode::new("AAAA-BBBB-CCCC-DDDD".into())]);
    codes.expect_hash().returning(|typed| SecretHash([u8::try_from(typed.len()).unwrap(); 32]));
    codes
}

fn keeping(stored: StoredFactors) -> MockSecondFactors {
    let mut factors = MockSecondFactors::new();
    factors.expect_of().returning(move |_| Ok(stored.clone()));
    factors
}

fn service(factors: MockSecondFactors) -> TwoStep {
    TwoStep { codes: Arc::new(codes()), factors: Arc::new(factors), ..two_step() }
}

#[tokio::test]
async fn nothing_is_changed_without_a_fresh_proof_or_a_fresh_sign_in() {
    let stale = Caller { signed_in_at: long_ago(), ..with(SecondFactor::None) };
    for (caller, needed) in [
        (stale, SecondFactorNeeded::FreshSignIn),
        (with(SecondFactor::Unproved), SecondFactorNeeded::Proof),
        (with(SecondFactor::Proved(long_ago())), SecondFactorNeeded::FreshProof),
    ] {
        let denied = Denied::SecondFactor(needed);
        // The mocks expect no call: nothing was even looked up.
        let two_step = two_step();
        let name = Text::new("Laptop").unwrap();
        assert!(matches!(two_step.begin_app(&caller).await, Err(Failure::Denied(found)) if found == denied));
        assert!(matches!(two_step.confirm_app(&caller, "1").await, Err(Failure::Denied(found)) if found == denied));
        assert!(matches!(two_step.begin_passkey(&caller).await, Err(Failure::Denied(found)) if found == denied));
        let finished = two_step.finish_passkey(&caller, name, "{}").await;
        assert!(matches!(finished, Err(Failure::Denied(found)) if found == denied));
        let removed = two_step.remove_factor(&caller, FactorName::App).await;
        assert!(matches!(removed, Err(Failure::Denied(found)) if found == denied));
        let renewed = two_step.renew_recovery_codes(&caller).await;
        assert!(matches!(renewed, Err(Failure::Denied(found)) if found == denied));
    }
}

#[tokio::test]
async fn whoever_may_have_signed_up_with_a_foreign_address_adds_nothing() {
    let unproved = || keeping(StoredFactors::default());
    let caller = with(SecondFactor::None);
    let refused = service(unproved()).begin_app(&caller).await;
    assert!(matches!(refused, Err(Failure::Refused(AddFactorRefused::Unproved))));
    let refused = service(unproved()).begin_passkey(&caller).await;
    assert!(matches!(refused, Err(Failure::Refused(AddFactorRefused::Unproved))));
}

#[tokio::test]
async fn an_app_is_added_by_a_code_and_the_first_factor_brings_recovery_codes() {
    let mut factors = keeping(StoredFactors { may_add: true, ..StoredFactors::default() });
    factors
        .expect_keep_challenge()
        .times(1)
        .withf(|challenge| {
            challenge.purpose == ChallengePurpose::AddApp
                && challenge.state == [1]
                && challenge.expires_at.duration_since(now()).as_secs() == 600
        })
        .returning(|_| Ok(()));
    factors.expect_challenge().returning(|_, _, _| Ok(Some(vec![1])));
    factors.expect_take_challenge().times(1).returning(|_, _, _| Ok(Some(vec![1])));
    factors
        .expect_add()
        .times(1)
        .withf(|addition| {
            addition.factor == NewFactor::App { secret: SealedAppSecret(vec![1]), step: 60_000_000 }
                && addition.recovery_codes == [SecretHash([19; 32])]
                && addition.session == caller(Role::Customer).session
        })
        .returning(|_| Ok(FactorAdded::First));
    let two_step = service(factors);
    let caller = with(SecondFactor::Missing);
    assert_eq!(two_step.begin_app(&caller).await.unwrap().secret.expose(), "SECRET");
    let wrong = two_step.confirm_app(&caller, "000000").await;
    assert!(matches!(wrong, Err(Failure::Refused(AddFactorRefused::WrongCode))));
    let codes = two_step.confirm_app(&caller, "123456").await.unwrap();
    assert_eq!(codes.iter().map(RecoveryCode::expose).collect::<Vec<_>>(), ["AAAA-BBBB-CCCC-DDDD"]);
}

#[tokio::test]
async fn an_app_that_was_confirmed_meanwhile_is_not_confirmed_again() {
    let mut factors = MockSecondFactors::new();
    factors.expect_challenge().returning(|_, _, _| Ok(Some(vec![1])));
    factors.expect_take_challenge().returning(|_, _, _| Ok(None));
    let refused = service(factors).confirm_app(&with(SecondFactor::None), "123456").await;
    assert!(matches!(refused, Err(Failure::Refused(AddFactorRefused::ChallengeGone))));
}

#[tokio::test]
async fn a_further_factor_brings_no_recovery_codes_and_a_strangers_passkey_is_refused() {
    for (added, expected) in [(FactorAdded::Another, Ok(0)), (FactorAdded::Refused, Err(AddFactorRefused::Passkey))] {
        let mut factors = keeping(stored());
        factors.expect_take_challenge().returning(|_, purpose, _| {
            assert_eq!(purpose, ChallengePurpose::AddPasskey);
            Ok(Some(vec![9]))
        });
        factors
            .expect_add()
            .withf(|addition| matches!(&addition.factor, NewFactor::Passkey { name, .. } if name.as_str() == "Laptop"))
            .returning(move |_| Ok(added));
        let mut passkeys = MockPasskeys::new();
        passkeys
            .expect_finish_adding()
            .withf(|state, answer| state == [9] && answer == "answer")
            .returning(|_, _| Ok(MadePasskey { credential_id: vec![4], credential: PasskeyCredential("new".into()) }));
        let two_step = TwoStep { passkeys: Some(Arc::new(passkeys)), ..service(factors) };
        let caller = with(SecondFactor::Proved(now()));
        let codes = two_step.finish_passkey(&caller, Text::new("Laptop").unwrap(), "answer").await;
        match (codes, expected) {
            (Ok(codes), Ok(count)) => assert_eq!(codes.len(), count),
            (Err(Failure::Refused(refused)), Err(expected)) => assert_eq!(refused, expected),
            (found, _) => panic!("{found:?}"),
        }
    }
}

#[tokio::test]
async fn a_host_that_is_a_number_has_no_passkeys() {
    let two_step = TwoStep { passkeys: None, ..service(keeping(stored())) };
    let caller = with(SecondFactor::Proved(now()));
    let refused = two_step.begin_passkey(&caller).await;
    assert!(matches!(refused, Err(Failure::Refused(AddFactorRefused::NoPasskeysHere))));
    assert_eq!(two_step.factors(&caller).await.unwrap().passkey_host, None);
}

#[tokio::test]
async fn a_session_that_has_to_prove_itself_learns_only_how() {
    let mut passkeys = MockPasskeys::new();
    passkeys.expect_host().returning(|| "shop.example".into());
    let two_step = TwoStep { passkeys: Some(Arc::new(passkeys)), ..service(keeping(stored())) };
    let view = two_step.factors(&with(SecondFactor::Unproved)).await.unwrap();
    assert_eq!((view.has_app, view.has_passkey, view.factors), (true, true, None));
    let view = two_step.factors(&with(SecondFactor::Proved(long_ago()))).await.unwrap();
    assert_eq!(view.factors, Some(stored()));
}

#[tokio::test]
async fn only_admins_have_to_have_one_and_keep_the_last() {
    for (policy, second_factor, role, required) in [
        (SecondFactorPolicy::Required, SecondFactor::Missing, Role::Customer, true),
        (SecondFactorPolicy::Required, SecondFactor::Proved(now()), Role::Admin, true),
        (SecondFactorPolicy::Required, SecondFactor::None, Role::Customer, false),
        (SecondFactorPolicy::Optional, SecondFactor::Proved(now()), Role::Admin, false),
    ] {
        let two_step = TwoStep { policy, passkeys: None, ..service(keeping(stored())) };
        let caller = Caller { role, ..with(second_factor) };
        assert_eq!(two_step.factors(&caller).await.unwrap().required, required);
    }
    let mut factors = MockSecondFactors::new();
    factors.expect_remove().withf(|_, _, required, _| *required).returning(|_, _, _, _| Ok(FactorRemoved::LastOne));
    let two_step = TwoStep { policy: SecondFactorPolicy::Required, ..service(factors) };
    let refused = two_step.remove_factor(&with(SecondFactor::Proved(now())), FactorName::App).await;
    assert!(matches!(refused, Err(Failure::Refused(RemoveFactorRefused::LastOne))));
}

#[tokio::test]
async fn recovery_codes_are_renewed_only_beside_a_factor() {
    for replaced in [true, false] {
        let mut factors = MockSecondFactors::new();
        factors.expect_replace_recovery_codes().times(1).returning(move |_, _| Ok(replaced));
        let renewed = service(factors).renew_recovery_codes(&with(SecondFactor::Proved(now()))).await;
        assert_eq!(renewed.is_ok(), replaced);
        assert!(replaced || matches!(renewed, Err(Failure::Refused(NoFactor))));
    }
}

#[tokio::test]
async fn a_code_is_counted_before_it_is_looked_at() {
    let mut factors = keeping(stored());
    factors.expect_count_attempt().times(1).returning(|_, _| Ok(CodeAttempt::Wait(Duration::from_mins(1))));
    // Without any use of the codes: the mock would panic.
    let two_step = TwoStep { factors: Arc::new(factors), ..two_step() };
    let refused = two_step.prove_by_code(&with(SecondFactor::Unproved), "123456").await;
    let expected = Duration::from_mins(1);
    assert!(matches!(refused, Err(Failure::Refused(ProveRefused::TooMany { wait })) if wait == expected));
}

#[tokio::test]
async fn a_code_proves_once_and_a_recovery_code_without_being_counted() {
    for (typed, accepted) in [("123 456", true), ("123456", false), ("aaaa-bbbb-cccc-dddd", true), ("12345", false)] {
        let is_code = typed.starts_with("123") && typed != "12345";
        let mut factors = keeping(stored());
        factors
            .expect_count_attempt()
            .times(usize::from(is_code))
            .returning(|_, _| Ok(CodeAttempt::Check(CodeAttemptId(7))));
        factors
            .expect_accept()
            .times(1)
            .withf(move |_, _, proof, _| match proof {
                Proof::Code { step, secret, attempt, .. } => {
                    is_code && *step == 60_000_000 && secret.0 == [1] && attempt.0 == 7
                }
                Proof::Recovery(_) => !is_code,
                Proof::Signature { .. } => false,
            })
            .returning(move |_, _, _, _| Ok(accepted));
        let proved = service(factors).prove_by_code(&with(SecondFactor::Unproved), typed).await;
        assert_eq!(proved.is_ok(), accepted, "{typed}");
    }
}

#[tokio::test]
async fn without_a_factor_nothing_is_proved() {
    for second_factor in [SecondFactor::None, SecondFactor::Missing] {
        let refused = two_step().prove_by_code(&with(second_factor), "123456").await;
        assert!(matches!(refused, Err(Failure::Refused(ProveRefused::NoFactor))));
    }
    let mut factors = keeping(StoredFactors::default());
    factors.expect_count_attempt().never();
    let refused = service(factors).prove_by_code(&with(SecondFactor::Unproved), "123456").await;
    assert!(matches!(refused, Err(Failure::Refused(ProveRefused::NoFactor))));
    let refused =
        service(keeping(StoredFactors::default())).begin_proof_by_passkey(&with(SecondFactor::Unproved)).await;
    assert!(matches!(refused, Err(Failure::Refused(ProveRefused::NoFactor))));
}

#[tokio::test]
async fn a_passkey_proves_by_the_answer_to_a_question_that_is_asked_once() {
    let mut passkeys = MockPasskeys::new();
    passkeys
        .expect_begin_proving()
        .withf(|has| has == [PasskeyCredential("key".into())])
        .returning(|_| Ok(PasskeyChallenge { options: "options".into(), state: vec![5] }));
    passkeys.expect_finish_proving().returning(|state, answer, _| {
        let right = state == [5] && answer == "signed";
        if right { Ok((0, PasskeyCredential("key, counted".into()))) } else { Err(PasskeyRefused) }
    });
    let mut factors = keeping(stored());
    factors.expect_keep_challenge().withf(|asked| asked.state == [5]).returning(|_| Ok(()));
    let mut open = vec![None, Some(vec![5]), Some(vec![5])];
    factors.expect_take_challenge().returning(move |_, _, _| Ok(open.pop().unwrap()));
    factors
        .expect_accept()
        .times(1)
        .withf(|_, _, proof, _| {
            *proof == Proof::Signature { passkey: passkey().id, credential: PasskeyCredential("key, counted".into()) }
        })
        .returning(|_, _, _, _| Ok(true));
    let two_step = TwoStep { passkeys: Some(Arc::new(passkeys)), ..service(factors) };
    let caller = with(SecondFactor::Unproved);
    assert_eq!(two_step.begin_proof_by_passkey(&caller).await.unwrap(), "options");
    assert!(two_step.prove_by_passkey(&caller, "signed").await.is_ok());
    for answer in ["forged", "signed"] {
        let refused = two_step.prove_by_passkey(&caller, answer).await;
        assert!(matches!(refused, Err(Failure::Refused(ProveRefused::Passkey))), "{answer}");
    }
}

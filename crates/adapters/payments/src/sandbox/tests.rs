use std::fs;
use std::io::Write;
use std::sync::Arc;

use domain::{CheckoutId, DisputeState, Money, OrderId, Payable, RefundId, RefundState, TransactionId};
use ports::{
    CancelOutcome, Card, CardRefused, MockClock, PaymentIntentState, PaymentProvider, ProviderError, RefundOutcome,
    RefundRequest, TestCardEndpoint,
};
use uuid::Uuid;

use super::journal::Journal;
use super::ledger::Ledger;
use super::{JournalError, SandboxPayments};
use crate::AmountOutOfBounds;

fn clock() -> Arc<MockClock> {
    let mut clock = MockClock::new();
    clock.expect_now().return_const("2026-06-15T12:00:00Z".parse::<domain::Timestamp>().unwrap());
    Arc::new(clock)
}

fn in_memory() -> SandboxPayments {
    SandboxPayments::in_memory(clock()).unwrap()
}

fn order(number: u128) -> Payable {
    Payable::Order(OrderId::new(Uuid::from_u128(number)))
}

fn dollars(dollars: i64) -> Money {
    Money::from_cents(dollars * 100).unwrap()
}

fn card(number: &str) -> Card {
    Card { number: number.to_owned(), exp_month: 12, exp_year: 34, cvc: "987".to_owned() }
}

/// A refund of the full hundred dollars of a payment.
fn all_of(payment: &TransactionId) -> RefundRequest {
    let refund = RefundId::new(Uuid::from_u128(77));
    RefundRequest { payment: payment.clone(), refund, attempt: 1, amount: dollars(100) }
}

const GOOD: &str = "4242 4242 4242 4242";

#[tokio::test]
async fn a_payment_is_opened_found_paid_and_found_again() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(6_450)).await.unwrap();
    assert!(opened.id.as_str().starts_with("pi_"));
    let secret = opened.client_secret.strip_prefix(&format!("{}_secret_", opened.id)).unwrap();
    assert!(secret.len() >= 24, "{secret}");
    assert_eq!(opened.amount, dollars(6_450));
    assert_eq!(opened.currency, "usd");
    assert_eq!(opened.payable, Some(order(1)));
    assert_eq!(opened.state, PaymentIntentState::Open);
    assert_eq!(sandbox.find(&opened.id).await.unwrap(), Some(opened.clone()));

    let paid = sandbox.confirm(&opened.client_secret, &card(GOOD)).await.unwrap();
    assert_eq!(paid.state, PaymentIntentState::Succeeded);
    assert_eq!(sandbox.find(&opened.id).await.unwrap(), Some(paid));
}

#[tokio::test]
async fn the_same_order_and_attempt_is_the_same_payment() {
    let sandbox = in_memory();
    let first = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    let again = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    assert_eq!(first, again);
    let next = sandbox.open(order(1), 1, dollars(100)).await.unwrap();
    let other = sandbox.open(order(2), 0, dollars(100)).await.unwrap();
    assert!(first.id != next.id && first.id != other.id && next.id != other.id);
    assert_ne!(first.client_secret, next.client_secret);
}

#[tokio::test]
async fn a_payment_opened_concurrently_is_one_payment() {
    let sandbox = Arc::new(in_memory());
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let sandbox = Arc::clone(&sandbox);
            tokio::spawn(async move { sandbox.open(order(1), 0, dollars(100)).await.unwrap().id })
        })
        .collect();
    let mut ids = Vec::new();
    for task in tasks {
        ids.push(task.await.unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
}

#[tokio::test]
async fn the_same_attempt_with_another_amount_is_refused() {
    let sandbox = in_memory();
    let first = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    let refused = sandbox.open(order(1), 0, dollars(101)).await;
    assert!(matches!(refused, Err(ProviderError::InvalidResponse(_))));
    assert_eq!(sandbox.find(&first.id).await.unwrap(), Some(first));
}

#[tokio::test]
async fn a_checkout_of_which_less_is_due_by_now_gets_another_payment() {
    let sandbox = in_memory();
    let checkout = Payable::Checkout(CheckoutId::new(Uuid::from_u128(7)));
    let first = sandbox.open(checkout, 0, dollars(100)).await.unwrap();
    let second = sandbox.open(checkout, 0, dollars(60)).await.unwrap();
    assert_ne!(first.id, second.id);
    assert_eq!(sandbox.open(checkout, 0, dollars(60)).await.unwrap(), second);
    assert_eq!((first.amount, second.amount), (dollars(100), dollars(60)));
}

#[tokio::test]
async fn amounts_that_stripe_refuses_are_refused() {
    let sandbox = in_memory();
    for cents in [0, 49, 100_000_000, Money::MAX.cents()] {
        let amount = Money::from_cents(cents).unwrap();
        let refused = sandbox.open(order(1), 0, amount).await;
        let Err(ProviderError::InvalidResponse(cause)) = refused else {
            panic!("{cents}: {refused:?}");
        };
        assert_eq!(cause.downcast_ref::<AmountOutOfBounds>(), Some(&AmountOutOfBounds(amount)));
    }
    for (number, cents) in [(2, 50), (3, 99_999_999)] {
        let amount = Money::from_cents(cents).unwrap();
        assert!(sandbox.open(order(number), 0, amount).await.is_ok(), "{cents}");
    }
}

#[tokio::test]
async fn a_declined_card_leaves_the_payment_open_for_another() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    let refused = sandbox.confirm(&opened.client_secret, &card("4000000000000002")).await;
    assert!(matches!(refused, Err(CardRefused::Declined("Your card was declined."))));
    assert_eq!(sandbox.find(&opened.id).await.unwrap().unwrap().state, PaymentIntentState::Open);
    let paid = sandbox.confirm(&opened.client_secret, &card(GOOD)).await;
    assert_eq!(paid.unwrap().state, PaymentIntentState::Succeeded);
}

#[tokio::test]
async fn confirming_a_succeeded_payment_again_returns_it_unchanged() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    let paid = sandbox.confirm(&opened.client_secret, &card(GOOD)).await.unwrap();
    for number in [GOOD, "4000000000000002"] {
        let again = sandbox.confirm(&opened.client_secret, &card(number)).await;
        assert_eq!(again.unwrap(), paid);
    }
}

#[tokio::test]
async fn an_unknown_client_secret_is_refused() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    let mut forged = opened.client_secret.clone();
    let last = forged.pop().unwrap();
    forged.push(if last == 'a' { 'b' } else { 'a' });
    for secret in [
        String::new(),
        opened.id.to_string(),
        format!("{}_secret_", opened.id),
        format!("{}x", opened.client_secret),
        "pi_nobody_secret_guess".to_owned(),
        forged,
    ] {
        let refused = sandbox.confirm(&secret, &card(GOOD)).await;
        assert!(matches!(refused, Err(CardRefused::Unknown)), "{secret}");
    }
    assert_eq!(sandbox.find(&opened.id).await.unwrap().unwrap().state, PaymentIntentState::Open);
}

#[tokio::test]
async fn a_cancelled_payment_refuses_every_card() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    for _ in 0..2 {
        assert_eq!(sandbox.cancel(&opened.id).await.unwrap(), CancelOutcome::Cancelled);
    }
    for number in [GOOD, "4000000000000002"] {
        let refused = sandbox.confirm(&opened.client_secret, &card(number)).await;
        assert!(matches!(refused, Err(CardRefused::Cancelled)), "{refused:?}");
    }
    assert_eq!(sandbox.find(&opened.id).await.unwrap().unwrap().state, PaymentIntentState::Cancelled);
}

#[tokio::test]
async fn a_paid_payment_cannot_be_cancelled() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    sandbox.confirm(&opened.client_secret, &card(GOOD)).await.unwrap();
    assert_eq!(sandbox.cancel(&opened.id).await.unwrap(), CancelOutcome::Succeeded);
}

#[tokio::test]
async fn an_unknown_payment_has_nothing_to_cancel_or_refund() {
    let sandbox = in_memory();
    let id: TransactionId = "pi_never".parse().unwrap();
    assert_eq!(sandbox.find(&id).await.unwrap(), None);
    assert_eq!(sandbox.cancel(&id).await.unwrap(), CancelOutcome::Unknown);
    assert_eq!(sandbox.refund(&all_of(&id)).await.unwrap(), RefundOutcome::NothingThere);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn when_paying_and_cancelling_race_exactly_one_wins() {
    let sandbox = Arc::new(in_memory());
    for round in 0..200 {
        let opened = sandbox.open(order(round), 0, dollars(100)).await.unwrap();
        let pay = tokio::spawn({
            let (sandbox, secret) = (Arc::clone(&sandbox), opened.client_secret.clone());
            async move { sandbox.confirm(&secret, &card(GOOD)).await }
        });
        let cancel = tokio::spawn({
            let (sandbox, id) = (Arc::clone(&sandbox), opened.id.clone());
            async move { sandbox.cancel(&id).await.unwrap() }
        });
        let paid = pay.await.unwrap();
        let cancelled = cancel.await.unwrap();
        let state = sandbox.find(&opened.id).await.unwrap().unwrap().state;
        match (paid, cancelled) {
            (Ok(_), CancelOutcome::Succeeded) => assert_eq!(state, PaymentIntentState::Succeeded),
            (Err(CardRefused::Cancelled), CancelOutcome::Cancelled) => {
                assert_eq!(state, PaymentIntentState::Cancelled);
            }
            both => panic!("{both:?}"),
        }
    }
}

fn lines(path: &std::path::Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_confirmations_and_refunds_move_the_money_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    let sandbox = Arc::new(SandboxPayments::kept_in(&path, clock()).unwrap());
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    let cards: Vec<_> = (0..20)
        .map(|_| {
            let (sandbox, secret) = (Arc::clone(&sandbox), opened.client_secret.clone());
            tokio::spawn(async move { sandbox.confirm(&secret, &card(GOOD)).await.unwrap() })
        })
        .collect();
    for card in cards {
        assert_eq!(card.await.unwrap().state, PaymentIntentState::Succeeded);
    }
    let refunds: Vec<_> = (0..20)
        .map(|_| {
            let (sandbox, id) = (Arc::clone(&sandbox), opened.id.clone());
            tokio::spawn(async move { sandbox.refund(&all_of(&id)).await.unwrap() })
        })
        .collect();
    for refund in refunds {
        assert!(matches!(refund.await.unwrap(), RefundOutcome::Accepted(_)));
    }
    let written = lines(&path);
    let count = |what: &str| written.iter().filter(|line| line.contains(what)).count();
    assert_eq!(written.len(), 3, "{written:?}");
    assert_eq!((count("succeeded"), count("refunded")), (1, 1));
}

#[tokio::test]
async fn only_a_succeeded_payment_can_be_refunded() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    assert_eq!(sandbox.refund(&all_of(&opened.id)).await.unwrap(), RefundOutcome::NothingThere);
    sandbox.cancel(&opened.id).await.unwrap();
    assert_eq!(sandbox.refund(&all_of(&opened.id)).await.unwrap(), RefundOutcome::NothingThere);
}

#[tokio::test]
async fn partial_refunds_add_up_to_no_more_than_the_payment() {
    let sandbox = in_memory();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    sandbox.confirm(&opened.client_secret, &card(GOOD)).await.unwrap();
    let part =
        |n: u128, amount| RefundRequest { refund: RefundId::new(Uuid::from_u128(n)), amount, ..all_of(&opened.id) };
    assert!(matches!(sandbox.refund(&part(1, dollars(30))).await.unwrap(), RefundOutcome::Accepted(_)));
    assert!(matches!(sandbox.refund(&part(2, dollars(71))).await.unwrap(), RefundOutcome::Refused(_)));
    assert!(matches!(sandbox.refund(&part(3, dollars(70))).await.unwrap(), RefundOutcome::Accepted(_)));
    assert!(matches!(sandbox.refund(&part(4, dollars(1))).await.unwrap(), RefundOutcome::Refused(_)));
    let told = sandbox.find(&opened.id).await.unwrap().unwrap();
    assert_eq!((told.received, told.refunded), (dollars(100), dollars(100)));
    assert_eq!(sandbox.refunds_of(&opened.id).await.unwrap().len(), 2);
}

#[tokio::test]
async fn one_test_card_fails_its_refunds_and_another_is_disputed() {
    let start: domain::Timestamp = "2026-06-15T12:00:00Z".parse().unwrap();
    let late = std::sync::Arc::new(std::sync::atomic::AtomicI64::new(0));
    let mut clock = MockClock::new();
    let seconds = Arc::clone(&late);
    clock.expect_now().returning(move || {
        let seconds = seconds.load(std::sync::atomic::Ordering::Relaxed);
        start.checked_add(std::time::Duration::from_secs(seconds.unsigned_abs())).unwrap()
    });
    let sandbox = SandboxPayments::in_memory(Arc::new(clock)).unwrap();
    let fails = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    sandbox.confirm(&fails.client_secret, &card("4000 0000 0000 5126")).await.unwrap();
    sandbox.refund(&all_of(&fails.id)).await.unwrap();
    assert_eq!(sandbox.refunds_of(&fails.id).await.unwrap()[0].state, RefundState::Succeeded);
    late.store(10, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(sandbox.refunds_of(&fails.id).await.unwrap()[0].state, RefundState::Failed);
    assert_eq!(sandbox.find(&fails.id).await.unwrap().unwrap().refunded, Money::ZERO);

    let disputed = sandbox.open(order(2), 0, dollars(100)).await.unwrap();
    sandbox.confirm(&disputed.client_secret, &card("4000 0000 0000 0259")).await.unwrap();
    assert!(sandbox.find(&disputed.id).await.unwrap().unwrap().disputed);
    assert_eq!(sandbox.disputes_of(&disputed.id).await.unwrap()[0].state, DisputeState::Open);
}

#[tokio::test]
async fn a_journal_from_before_refunds_had_amounts_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    let lines = format!(
        "{{\"what\":\"opened\",\"id\":\"pi_1\",\"secret\":\"s\",\"order\":\"{}\",\"attempt\":0,\"cents\":10000}}\n\
         {{\"what\":\"succeeded\",\"id\":\"pi_1\"}}\n{{\"what\":\"refunded\",\"id\":\"pi_1\"}}\n",
        order(1)
    );
    fs::write(&path, lines).unwrap();
    let sandbox = SandboxPayments::kept_in(&path, clock()).unwrap();
    assert_eq!(sandbox.find(&"pi_1".parse().unwrap()).await.unwrap().unwrap().refunded, dollars(100));
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep").join("sandbox.jsonl");
    let first = SandboxPayments::kept_in(&path, clock()).unwrap();
    let mut opened = Vec::new();
    for number in 0..4 {
        opened.push(first.open(order(number), 0, dollars(100)).await.unwrap());
    }
    for intent in &opened[1..3] {
        first.confirm(&intent.client_secret, &card(GOOD)).await.unwrap();
    }
    first.refund(&all_of(&opened[2].id)).await.unwrap();
    first.cancel(&opened[3].id).await.unwrap();
    let mut before = Vec::new();
    for intent in &opened {
        before.push(first.find(&intent.id).await.unwrap());
    }
    // As after a kill -9: a copy of the file as it is at this moment, without a clean shutdown.
    let copy = folder.path().join("copy.jsonl");
    fs::copy(&path, &copy).unwrap();

    let second = SandboxPayments::kept_in(&copy, clock()).unwrap();
    for (intent, before) in opened.iter().zip(before) {
        assert_eq!(second.find(&intent.id).await.unwrap(), before);
    }
    let again = second.open(order(0), 0, dollars(100)).await.unwrap();
    assert_eq!(again, opened[0]);
    let written = lines(&copy).len();
    assert!(matches!(second.refund(&all_of(&opened[2].id)).await.unwrap(), RefundOutcome::Accepted(_)));
    assert_eq!(lines(&copy).len(), written);
    let paid = second.confirm(&opened[0].client_secret, &card(GOOD)).await;
    assert_eq!(paid.unwrap().state, PaymentIntentState::Succeeded);
}

#[tokio::test]
async fn a_last_line_torn_anywhere_is_dropped_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    let opened = {
        let sandbox = SandboxPayments::kept_in(&path, clock()).unwrap();
        let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
        let whole = fs::read(&path).unwrap().len();
        sandbox.confirm(&opened.client_secret, &card(GOOD)).await.unwrap();
        (opened, whole)
    };
    let (opened, whole) = opened;
    let bytes = fs::read(&path).unwrap();
    for length in whole..bytes.len() {
        let torn = folder.path().join(format!("torn-{length}.jsonl"));
        fs::write(&torn, &bytes[..length]).unwrap();
        let sandbox = SandboxPayments::kept_in(&torn, clock()).unwrap();
        let found = sandbox.find(&opened.id).await.unwrap().unwrap();
        assert_eq!(found.state, PaymentIntentState::Open, "{length}");
        // The next entry is not appended to the torn line.
        sandbox.confirm(&opened.client_secret, &card(GOOD)).await.unwrap();
        assert_eq!(fs::read(&torn).unwrap(), bytes, "{length}");
    }
}

#[tokio::test]
async fn a_file_that_no_sandbox_wrote_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let opened = r#"{"what":"opened","id":"pi_1","secret":"s","order":"00000000-0000-0000-0000-000000000001","attempt":0,"cents":100}"#;
    for (name, content, line) in [
        ("foreign", "hello\nworld\n".to_owned(), Some(1)),
        ("middle", format!("{opened}\n{{\"what\":\"succ\n{{\"what\":\"cancelled\",\"id\":\"pi_1\"}}\n"), Some(2)),
        ("unknown payment", "{\"what\":\"succeeded\",\"id\":\"pi_1\"}\n".to_owned(), None),
        ("twice", format!("{opened}\n{opened}\n"), None),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, &content).unwrap();
        let refused = SandboxPayments::kept_in(&path, clock()).unwrap_err();
        assert!(matches!(&refused, JournalError::Damaged { line: told, .. } if *told == line), "{name}: {refused:?}");
        assert!(refused.to_string().contains(name));
        assert_eq!(fs::read_to_string(&path).unwrap(), content, "{name}");
    }
}

#[tokio::test]
async fn a_journal_belongs_to_one_sandbox_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    let first = SandboxPayments::kept_in(&path, clock()).unwrap();
    let refused = SandboxPayments::kept_in(&path, clock()).unwrap_err();
    assert!(matches!(refused, JournalError::InUse { .. }));
    assert!(first.open(order(1), 0, dollars(100)).await.is_ok());
}

#[test]
fn a_journal_that_cannot_be_written_is_refused_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = SandboxPayments::kept_in(&file.join("sandbox.jsonl"), clock()).unwrap_err();
    assert!(matches!(refused, JournalError::Unwritable { .. }));
}

#[test]
fn a_journal_that_is_not_a_regular_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let refused = SandboxPayments::kept_in(&path, clock()).unwrap_err();
    assert!(matches!(refused, JournalError::Unwritable { .. }));
}

#[tokio::test]
async fn an_operation_that_cannot_be_written_to_disk_has_no_effect() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    let opened = {
        let sandbox = SandboxPayments::kept_in(&path, clock()).unwrap();
        sandbox.open(order(1), 0, dollars(100)).await.unwrap()
    };
    let mut journal = Journal::that_cannot_grow(&path);
    let ledger = Ledger::from_entries(journal.reread().unwrap()).unwrap();
    let sandbox = SandboxPayments::start(Some(journal), ledger, clock()).unwrap();
    for _ in 0..2 {
        let refused = sandbox.confirm(&opened.client_secret, &card(GOOD)).await;
        assert!(matches!(refused, Err(CardRefused::Provider(ProviderError::Unavailable(_)))), "{refused:?}");
        let refused = sandbox.open(order(2), 0, dollars(100)).await;
        assert!(matches!(refused, Err(ProviderError::Unavailable(_))), "{refused:?}");
        assert_eq!(sandbox.find(&opened.id).await.unwrap(), Some(opened.clone()));
    }
}

#[tokio::test]
async fn no_card_data_is_ever_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    let sandbox = SandboxPayments::kept_in(&path, clock()).unwrap();
    let opened = sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    for number in ["4000000000000002", "4242424242424242"] {
        let _ = sandbox.confirm(&opened.client_secret, &card(number)).await;
    }
    let written = fs::read_to_string(&path).unwrap();
    for secret in ["4242", "4000000", "987", "2034"] {
        let hidden = written
            .replace(&opened.client_secret, "")
            .replace(opened.id.as_str(), "")
            .replace(opened.client_secret.rsplit('_').next().unwrap(), "");
        assert!(!hidden.contains(secret), "{hidden}");
    }
    assert!(!format!("{sandbox:?} {:?}", card(GOOD)).contains("4242"));
}

#[tokio::test]
async fn only_the_owner_can_read_the_journal() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    let _sandbox = SandboxPayments::kept_in(&path, clock()).unwrap();
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

#[tokio::test]
async fn a_foreign_last_line_with_a_newline_is_damage_and_not_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.jsonl");
    {
        let sandbox = SandboxPayments::kept_in(&path, clock()).unwrap();
        sandbox.open(order(1), 0, dollars(100)).await.unwrap();
    }
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"garbage\n").unwrap();
    let refused = wait_for_the_lock(&path).unwrap_err();
    assert!(matches!(refused, JournalError::Damaged { line: Some(2), .. }));
}

/// Retries while the journal is locked: the thread of a sandbox that was just dropped holds the lock a moment longer.
fn wait_for_the_lock(path: &std::path::Path) -> Result<SandboxPayments, JournalError> {
    for _ in 0..200 {
        match SandboxPayments::kept_in(path, clock()) {
            Err(JournalError::InUse { .. }) => {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            other => return other,
        }
    }
    SandboxPayments::kept_in(path, clock())
}

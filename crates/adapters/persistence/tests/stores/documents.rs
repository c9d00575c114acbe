//! Invoices and credit notes: issued with what they are about, numbered without a gap, and never changed.

use diesel::connection::SimpleConnection;
use domain::{
    Account, Actor, CheckoutId, InvoiceKind, InvoiceSubject, Money, Order, OrderId, Settlement, TaxCategory, Text,
};
use ports::{InvoiceSummary, Pagination, PaymentAttempt, PurchaseId};

use crate::world::{World, at, concurrently, id, meta, transaction};

async fn shop() -> (World, Account) {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    (world, customer)
}

async fn order(world: &World, customer: &Account) -> Order {
    world.fifty(customer, &world.product(500).await).await
}

async fn paid(world: &World, order: &Order, n: u128) -> Order {
    let intent = PaymentAttempt::of_order(transaction(n), order.id, order.item.total);
    world.payment_attempts().attach(&intent, at(20)).await.unwrap();
    world.write(&order.clone().settle(transaction(n), meta(21, Actor::Shop)).unwrap()).await
}

async fn about(world: &World, order: OrderId) -> Vec<InvoiceSummary> {
    world.documents().invoices_about(PurchaseId::Order(order)).await.unwrap()
}

fn numbers(listed: &[InvoiceSummary]) -> Vec<String> {
    listed.iter().map(|one| one.number.to_string()).collect()
}

/// A refund that has come so far; the program's own steps are tested where refunds are.
fn refund(world: &World, order: &Order, n: u128, cents: i64, state: &str) {
    world.sql(&format!(
        "INSERT INTO refunds (id, order_id, payment_id, amount_cents, cause, state, attempt, created_at, changed_at)
         VALUES ('{}', '{}', 'pi_{n}', {cents}, 'admin', '{state}', 1, now(), now())",
        id(),
        order.id
    ));
}

/// A checkout of these orders, in their order, each with this freight and this tax.
fn checkout(world: &World, customer: &Account, orders: &[Order], freight: i64, tax: i64) -> CheckoutId {
    let checkout = CheckoutId::new(id());
    let taxes: Vec<String> =
        (1..=orders.len()).map(|line| format!(r#"{{"line": {line}, "name": "VAT", "basisPoints": 1900}}"#)).collect();
    world.sql(&format!(
        "INSERT INTO checkouts (id, buyer_id, contact_name, contact_email, contact_phone, address, po_number, terms,
             goods_cents, shipping_cents, tax_cents, taxes, placed_at, search_key)
         VALUES ('{checkout}', '{}', 'Kim', 'customer@example.com', '1',
             '{{\"line1\": \"Hafenstr. 9\", \"city\": \"Kiel\", \"postcode\": \"24103\", \"country\": \"DE\"}}', 'PO-7', 'card',
             1, 0, 0, '[{}]', now(), '')",
        customer.id,
        taxes.join(", ")
    ));
    for (line, order) in orders.iter().enumerate() {
        world.sql(&format!(
            "UPDATE orders SET checkout_id = '{checkout}', line = {}, shipping_cents = {freight}, tax_cents = {tax}
             WHERE id = '{}'",
            line + 1,
            order.id
        ));
    }
    checkout
}

/// What the shop's own statement does to each order of a payment, in one transaction.
fn settled(orders: &[&Order]) -> String {
    let each = |order: &&Order| {
        format!(
            "UPDATE orders SET payment_state = 'paid', transaction_id = 'pi_together', paid_at = now() WHERE id = '{0}';
             INSERT INTO order_events (id, order_id, seq, kind, data, at, in_outbox)
             VALUES ('{1}', '{0}', 2, 'paid', '{{\"transaction\": \"pi_together\"}}', now(), true);",
            order.id,
            id()
        )
    };
    orders.iter().map(each).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_issues_an_invoice_that_says_what_the_order_says() {
    let (world, customer) = shop().await;
    let order = order(&world, &customer).await;
    assert_eq!(about(&world, order.id).await, []);
    let order = paid(&world, &order, 1).await;
    let listed = about(&world, order.id).await;
    assert_eq!(numbers(&listed), ["INV-000001"]);
    let stored = world.documents().invoice(listed[0].id).await.unwrap().unwrap();
    assert_eq!(stored.owner, customer.id);
    let (facts, line) = (stored.invoice.facts(), &stored.invoice.lines()[0]);
    assert_eq!(facts.subject, InvoiceSubject::Invoice(Settlement::Paid { at: at(21) }));
    assert_eq!(facts.issued_at, at(21));
    assert_eq!(facts.purchase.number.as_str(), order.assigned.number.unwrap().to_string());
    assert_eq!(facts.buyer.name, order.contact.name);
    assert_eq!(facts.deliver_to.lines[0].as_str(), order.contact.address.as_str());
    assert_eq!((line.quantity, line.goods, line.rate.category), (50, order.item.total, TaxCategory::NotSubject));
    assert_eq!((stored.invoice.totals().total, stored.invoice.due()), (order.item.total, Money::ZERO));
    assert_eq!(world.documents().invoices_of(customer.id, Pagination::first(9)).await.unwrap().items, listed);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shipped_on_account_is_invoiced_then_and_not_again_when_it_is_paid() {
    let (world, customer) = shop().await;
    let order = order(&world, &customer).await;
    let order = world.write(&order.ship(meta(20, Actor::Shop)).unwrap()).await;
    let listed = about(&world, order.id).await;
    let invoice = world.documents().invoice(listed[0].id).await.unwrap().unwrap().invoice;
    assert_eq!(invoice.due(), order.item.total);
    paid(&world, &order, 1).await;
    assert_eq!(about(&world, order.id).await, listed);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_order_that_ships_has_one_invoice() {
    let (world, customer) = shop().await;
    let order = paid(&world, &order(&world, &customer).await, 1).await;
    world.write(&order.clone().ship(meta(22, Actor::Shop)).unwrap()).await;
    assert_eq!(numbers(&about(&world, order.id).await), ["INV-000001"]);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_went_back_is_credited_once_and_in_all_never_more_than_was_invoiced() {
    let (world, customer) = shop().await;
    let order = order(&world, &customer).await;
    let due = order.item.total.cents() + 700 + 123_622;
    checkout(&world, &customer, std::slice::from_ref(&order), 700, 123_622);
    world.sql(&format!("BEGIN; {} COMMIT", settled(&[&order])));
    world.sql(
        "UPDATE orders SET transaction_id = 'pi_9'; SET session_replication_role = replica;
        UPDATE order_events SET data = '{\"transaction\": \"pi_9\"}' WHERE kind = 'paid'",
    );
    refund(&world, &order, 9, 333, "due");
    assert_eq!(numbers(&about(&world, order.id).await), ["INV-000001"], "nothing went back yet");
    world.sql("UPDATE refunds SET state = 'pending'");
    world.sql("UPDATE refunds SET state = 'succeeded'");
    for cents in [333, 1, due] {
        refund(&world, &order, 9, cents, "succeeded");
    }
    refund(&world, &order, 9, 1, "succeeded");
    let listed = about(&world, order.id).await;
    assert_eq!(numbers(&listed), ["INV-000001", "CN-000001", "CN-000002", "CN-000003", "CN-000004"]);
    let credits = listed.iter().filter(|one| one.number.kind() == InvoiceKind::Credit);
    let mut sums = [0; 3];
    for credit in credits.clone() {
        let stored = world.documents().invoice(credit.id).await.unwrap().unwrap().invoice;
        let totals = stored.totals();
        sums = [sums[0] + totals.goods.cents(), sums[1] + totals.freight.cents(), sums[2] + totals.tax.cents()];
        let InvoiceSubject::Credit { of, .. } = stored.facts().subject else { panic!("{stored:?}") };
        assert_eq!(of.to_string(), "INV-000001");
    }
    assert_eq!(sums, [order.item.total.cents(), 700, 123_622], "the parts come to the whole");
    assert_eq!(credits.map(|one| one.total.cents()).sum::<i64>(), due);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_is_heard_of_before_its_payment_is_credited_with_it() {
    let (world, customer) = shop().await;
    let order = order(&world, &customer).await;
    refund(&world, &order, 1, 500, "succeeded");
    assert_eq!(about(&world, order.id).await, []);
    paid(&world, &order, 1).await;
    assert_eq!(numbers(&about(&world, order.id).await), ["INV-000001", "CN-000001"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_many_orders_makes_one_invoice_and_what_is_paid_later_another() {
    let (world, customer) = shop().await;
    let mut orders = Vec::new();
    for _ in 0..4 {
        orders.push(order(&world, &customer).await);
    }
    let bought = checkout(&world, &customer, &orders, 100, 123_510);
    world.sql(&format!("BEGIN; {} COMMIT", settled(&[&orders[0], &orders[1], &orders[3]])));
    let listed = world.documents().invoices_about(PurchaseId::Checkout(bought)).await.unwrap();
    assert_eq!(numbers(&listed), ["INV-000001"]);
    let invoice = world.documents().invoice(listed[0].id).await.unwrap().unwrap().invoice;
    assert_eq!(invoice.lines().len(), 3);
    assert_eq!(invoice.facts().po_number.as_ref().map(Text::as_str), Some("PO-7"));
    assert_eq!(invoice.facts().deliver_to.country.map(domain::Country::code), Some("DE"));
    assert_eq!(invoice.totals().taxes[0].rate.basis_points, 1900);
    assert_eq!((invoice.totals().freight.cents(), invoice.totals().tax.cents()), (300, 370_530));
    world.sql(&format!("BEGIN; {} COMMIT", settled(&[&orders[2]])));
    let listed = world.documents().invoices_about(PurchaseId::Checkout(bought)).await.unwrap();
    assert_eq!(numbers(&listed), ["INV-000001", "INV-000002"]);
    assert_eq!(numbers(&about(&world, orders[1].id).await), ["INV-000001"]);
    assert_eq!(world.count("SELECT count(*) FROM invoice_orders"), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_programs_that_die_before_they_commit_leave_no_gap() {
    let (world, customer) = shop().await;
    let part = world.product(10_000).await;
    for n in 0..50_usize {
        let order = world.fifty(&customer, &part).await;
        let mut connection = world.raw();
        let settled = settled(&[&order]).replace("pi_together", &format!("pi_{n}"));
        // The document is issued and has its number; then the program dies.
        connection.batch_execute(&format!("BEGIN; {settled} SET CONSTRAINTS ALL IMMEDIATE")).unwrap();
        if n % 3 == 0 {
            connection.batch_execute("COMMIT").unwrap();
        } else if n % 3 == 1 {
            let own = "SELECT pg_terminate_backend(pg_backend_pid())";
            assert!(connection.batch_execute(own).is_err());
        }
    }
    assert_eq!(world.count("SELECT count(*) FROM invoices"), 17);
    assert_eq!(world.count("SELECT max(number) FROM invoices"), 17);
    assert_eq!(world.count("SELECT last FROM invoice_series WHERE series = 'INV'"), 17);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_payments_at_once_get_twenty_numbers_in_a_row() {
    let world = std::sync::Arc::new(World::with_pool(20).await);
    let customer = world.customer("customer@example.com").await;
    let mut orders = Vec::new();
    for _ in 0..20 {
        orders.push(order(&world, &customer).await);
    }
    let all = concurrently(20, |n| {
        let (world, order) = (std::sync::Arc::clone(&world), orders[n as usize].clone());
        async move { paid(&world, &order, n.into()).await.id }
    })
    .await;
    let mut given = Vec::new();
    for id in all {
        given.extend(numbers(&about(&world, id).await));
    }
    given.sort();
    assert_eq!(given, (1..=20).map(|n| format!("INV-{n:06}")).collect::<Vec<_>>());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_issued_stays_as_it_is_and_one_order_is_on_one_invoice() {
    let (world, customer) = shop().await;
    let order = paid(&world, &order(&world, &customer).await, 1).await;
    for statement in ["UPDATE invoices SET total_cents = 0", "DELETE FROM invoices", "TRUNCATE invoices CASCADE"] {
        world.refuses(statement, "stays as it is");
    }
    for statement in ["UPDATE invoice_orders SET order_id = order_id", "DELETE FROM invoice_orders"] {
        world.refuses(statement, "stays as it is");
    }
    let again = format!("INSERT INTO invoice_orders SELECT '{}', id FROM invoices", order.id);
    world.refuses(&again, "invoice_orders_pkey");
    let copy = |columns: &str| {
        format!(
            "INSERT INTO invoices (id, series, number, kind, account_id, order_id, credits, refund_id, issued_at, total_cents, data)
             SELECT {columns} FROM invoices"
        )
    };
    let rest = "account_id, order_id, credits, refund_id, issued_at, total_cents, data";
    for (columns, by) in [
        (format!("gen_random_uuid(), series, number, kind, {rest}"), "invoices_number"),
        (format!("gen_random_uuid(), series, 0, kind, {rest}"), "invoices_count_from_one"),
        (format!("gen_random_uuid(), 'CN', 1, kind, {rest}"), "invoices_series_is_of_the_kind"),
        (format!("gen_random_uuid(), 'CN', 1, 'credit', {rest}"), "invoices_credit_is_whole"),
        (format!("gen_random_uuid(), series, 2, 'quote', {rest}"), "invoices_kind_is_known"),
    ] {
        world.refuses(&copy(&columns), by);
    }
    world.refuses("INSERT INTO seller (one) VALUES (false)", "null value");
    world.refuses("UPDATE seller SET country = 'usa'", "seller_country_is_a_code");
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_keep_the_seller_that_issued_them() {
    let (world, customer) = shop().await;
    let first = paid(&world, &order(&world, &customer).await, 1).await;
    let mut seller = world.documents().seller().await.unwrap();
    assert_eq!(seller.name.as_str(), "Driveline");
    seller.name = Text::new("Driveline Parts Ltd").unwrap();
    seller.tax_id = Some(Text::new("GB123456789").unwrap());
    seller.region = None;
    world.documents().set_seller(&seller).await.unwrap();
    assert_eq!(world.documents().seller().await.unwrap(), seller);
    let second = paid(&world, &order(&world, &customer).await, 2).await;
    for (order, name) in [(first, "Driveline"), (second, "Driveline Parts Ltd")] {
        let listed = about(&world, order.id).await;
        let stored = world.documents().invoice(listed[0].id).await.unwrap().unwrap();
        assert_eq!(stored.invoice.facts().seller.name.as_str(), name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_says_what_of_it_stands() {
    let (world, customer) = shop().await;
    let (kept, gone) = (order(&world, &customer).await, order(&world, &customer).await);
    let bought = checkout(&world, &customer, &[kept.clone(), gone.clone()], 0, 0);
    world.write(&gone.clone().cancel(meta(20, Actor::Shop)).unwrap()).await;
    let printed = world.documents().purchase(PurchaseId::Checkout(bought)).await.unwrap().unwrap();
    assert_eq!((printed.owner, printed.lines.len(), printed.freight_waits), (customer.id, 1, false));
    let alone = world.documents().purchase(PurchaseId::Order(kept.id)).await.unwrap().unwrap();
    assert_eq!(alone.lines, printed.lines);
    assert_eq!(world.documents().purchase(PurchaseId::Order(gone.id)).await.unwrap(), None);
    world.sql("SET session_replication_role = replica; UPDATE checkouts SET shipping_cents = NULL, tax_cents = NULL");
    assert!(world.documents().purchase(PurchaseId::Checkout(bought)).await.unwrap().unwrap().freight_waits);
    assert_eq!(world.documents().purchase(PurchaseId::Checkout(CheckoutId::new(id()))).await.unwrap(), None);
}

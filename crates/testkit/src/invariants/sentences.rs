//! What must be true of the shop's tables, and how it is asked.

/// A sentence, and a query that returns one row of text for every case in which it is not true.
pub(super) const INVARIANTS: [(&str, &str); 43] = [
    (
        "what a product has available is the sum of its ledger",
        "SELECT format('product %s has %s, its ledger says %s', products.id, available, coalesce(sum(delta), 0)) AS broken
         FROM products LEFT JOIN stock_ledger ON product_id = products.id
         GROUP BY products.id HAVING available <> coalesce(sum(delta), 0)",
    ),
    (
        "no shelf holds less than nothing",
        "SELECT format('product %s has %s', id, available) AS broken FROM products WHERE available < 0",
    ),
    (
        "an order costs its units at their price, and nothing of what is due for it is below zero",
        "SELECT format('order %s of %s at %s: %s, %s, %s', id, quantity, unit_price_cents, total_cents, shipping_cents, tax_cents)
             AS broken
         FROM orders
         WHERE total_cents <> unit_price_cents * quantity OR least(total_cents, shipping_cents, tax_cents, refunded_cents) < 0",
    ),
    (
        "every order has exactly one 'ordered' event",
        "SELECT format('order %s has %s', orders.id, count(order_events.id)) AS broken
         FROM orders LEFT JOIN order_events ON order_id = orders.id AND kind = 'ordered'
         GROUP BY orders.id HAVING count(order_events.id) <> 1",
    ),
    (
        "every order took its units exactly once",
        "SELECT format('order %s of %s: %s', orders.id, quantity, array_agg(delta)) AS broken
         FROM orders LEFT JOIN stock_ledger ON order_id = orders.id AND kind = 'ordered'
             AND stock_ledger.product_id = orders.product_id
         GROUP BY orders.id HAVING array_agg(delta) IS DISTINCT FROM ARRAY[-quantity]",
    ),
    (
        "a cancelled order has returned its units exactly once, and no other order has",
        "SELECT format('order %s of %s, cancelled at %s: %s', orders.id, quantity, cancelled_at, array_agg(delta)) AS broken
         FROM orders LEFT JOIN stock_ledger ON order_id = orders.id AND kind = 'cancelled'
             AND stock_ledger.product_id = orders.product_id
         GROUP BY orders.id
         HAVING array_agg(delta) IS DISTINCT FROM
             ARRAY[CASE WHEN cancelled_at IS NULL THEN NULL ELSE quantity END]",
    ),
    (
        "every ledger entry of an order is about that order's product",
        "SELECT format('entry %s', stock_ledger.id) AS broken FROM stock_ledger JOIN orders ON orders.id = order_id
         WHERE stock_ledger.product_id <> orders.product_id",
    ),
    (
        "whatever refers to an order, a product or an event refers to one that exists",
        "SELECT format('event %s', id) AS broken FROM order_events
         WHERE NOT EXISTS (SELECT FROM orders WHERE orders.id = order_id)
         UNION ALL SELECT format('ledger entry %s', id) FROM stock_ledger
         WHERE NOT EXISTS (SELECT FROM products WHERE products.id = product_id)
             OR (order_id IS NOT NULL AND NOT EXISTS (SELECT FROM orders WHERE orders.id = order_id))
         UNION ALL SELECT format('delivery %s', id) FROM outbox
         WHERE (order_id IS NOT NULL AND NOT EXISTS (
             SELECT FROM order_events WHERE order_events.id = event_id AND order_events.order_id = outbox.order_id))
             OR (checkout_id IS NOT NULL AND NOT EXISTS (SELECT FROM checkouts WHERE checkouts.id = checkout_id))",
    ),
    (
        "a paid or refunded order has a transaction, and no other order has",
        "SELECT format('order %s is %s with %s', id, payment_state, coalesce(transaction_id, 'none')) AS broken
         FROM orders WHERE (payment_state = 'unpaid') <> (transaction_id IS NULL)",
    ),
    (
        "a timeline is numbered from 1 without a gap",
        "SELECT format('order %s: %s', order_id, array_agg(seq ORDER BY seq)) AS broken FROM order_events
         GROUP BY order_id HAVING min(seq) <> 1 OR max(seq) <> count(*)",
    ),
    (
        "an order's row says what its timeline says",
        "SELECT format('order %s', orders.id) AS broken
         FROM orders JOIN LATERAL (
             SELECT array_agg(kind) AS kinds,
                 max(data ->> 'transaction') FILTER (WHERE kind IN ('paid', 'refunded')) AS transaction,
                 coalesce(max(seq) FILTER (WHERE kind = 'refunded'), 0) > coalesce(max(seq) FILTER (
                     WHERE kind = 'refund_failed' AND data ->> 'transaction' = orders.transaction_id), 0) AS refunded
             FROM order_events WHERE order_id = orders.id
         ) AS told ON true
         WHERE (kinds && ARRAY['paid', 'refunded'] AND NOT refunded) <> (payment_state = 'paid')
            OR refunded <> (payment_state = 'refunded')
            OR ('shipped' = ANY (kinds)) <> (fulfilment = 'shipped')
            OR ('cancelled' = ANY (kinds)) <> (cancelled_at IS NOT NULL)
            OR transaction IS DISTINCT FROM transaction_id",
    ),
    (
        "an order is of the units, and at the price, that were ordered, whatever the product costs since",
        "SELECT format('order %s of %s of %s at %s, ordered: %s', orders.id, quantity, product_id, unit_price_cents, item) AS broken
         FROM orders JOIN order_events ON order_id = orders.id AND kind = 'ordered', LATERAL (SELECT data -> 'item' AS item) AS told
         WHERE (item ->> 'product', (item ->> 'quantity')::bigint, (item ->> 'unitPriceCents')::bigint, (item ->> 'totalCents')::bigint)
             IS DISTINCT FROM (product_id::text, quantity::bigint, unit_price_cents, total_cents)
             OR data #>> '{contact,email}' IS DISTINCT FROM contact_email",
    ),
    (
        "what paid for an order is a payment that the shop opened",
        "SELECT format('order %s is %s with %s', id, payment_state, transaction_id) AS broken
         FROM orders WHERE transaction_id IS NOT NULL
             AND NOT EXISTS (SELECT FROM payment_intents WHERE payment_intents.id = transaction_id)
             -- Where no payment was opened ever, the shop's parts are tried one by one.
             AND EXISTS (SELECT FROM payment_intents)",
    ),
    (
        "an order's shipments are the units that it says are shipped, and all of them once it is shipped",
        "SELECT format('order %s of %s: %s, %s', orders.id, quantity, shipped_units, sum(units)) AS broken
         FROM orders JOIN shipments ON order_id = orders.id
         GROUP BY orders.id
         HAVING sum(units) <> shipped_units OR (shipped_units = quantity) <> (fulfilment = 'shipped')",
    ),
    (
        "an order has at most one open payment, its own or one that it has a share of",
        "SELECT format('order %s has %s', order_id, count(*)) AS broken FROM (
             SELECT order_id FROM payment_intents WHERE order_id IS NOT NULL AND closed_at IS NULL
             UNION ALL SELECT payment_shares.order_id FROM payment_shares JOIN payment_intents ON id = intent_id
             WHERE closed_at IS NULL
         ) AS open GROUP BY order_id HAVING count(*) > 1",
    ),
    (
        "a payment that settled is the transaction of an order that it was opened for, one that was sent back has a refund, and \
         one that was cancelled has paid for nothing",
        "SELECT format('payment %s is %s', id, ended) AS broken
         FROM payment_intents, LATERAL (
             SELECT count(*) AS orders, count(order_events.id) AS paid
             FROM orders LEFT JOIN order_events ON order_events.order_id = orders.id AND kind = 'paid'
                 AND data ->> 'transaction' = transaction_id
             WHERE transaction_id = payment_intents.id
                 AND (orders.id = payment_intents.order_id OR orders.id IN (
                     SELECT payment_shares.order_id FROM payment_shares WHERE intent_id = payment_intents.id))
         ) AS of
         WHERE CASE ended
             WHEN 'settled' THEN orders = 0
             WHEN 'sent_back' THEN NOT EXISTS (SELECT FROM refunds WHERE payment_id = payment_intents.id)
             WHEN 'cancelled' THEN paid > 0
         END",
    ),
    (
        "an order or a checkout has at most one payment that settled it",
        "SELECT format('%s: %s', coalesce(order_id, checkout_id), array_agg(id ORDER BY id)) AS broken
         FROM payment_intents WHERE ended = 'settled' GROUP BY coalesce(order_id, checkout_id) HAVING count(*) > 1",
    ),
    (
        "a payment that the shop opened pays only for what it was opened for, and in full",
        "SELECT format('order %s by payment %s: %s', orders.id, payment_intents.id, opened) AS broken
         FROM orders JOIN payment_intents ON payment_intents.id = transaction_id
         LEFT JOIN payment_shares ON intent_id = payment_intents.id AND payment_shares.order_id = orders.id,
         coalesce(cents, CASE WHEN payment_intents.order_id = orders.id THEN amount_cents END) AS opened
         WHERE opened IS DISTINCT FROM total_cents + shipping_cents + tax_cents
             AND EXISTS (SELECT FROM order_events WHERE order_events.order_id = orders.id AND kind = 'paid'
                 AND data ->> 'transaction' = transaction_id)",
    ),
    (
        "the shares of a checkout's payment are its amount",
        "SELECT format('payment %s of %s: %s', id, amount_cents, sum(cents)) AS broken
         FROM payment_intents LEFT JOIN payment_shares ON intent_id = id
         WHERE checkout_id IS NOT NULL GROUP BY id HAVING sum(cents) IS DISTINCT FROM amount_cents",
    ),
    (
        "a checkout has at least two lines, and what it says of goods, freight and tax is the sum of theirs",
        "SELECT format('checkout %s: lines %s', checkouts.id, array_agg(line ORDER BY line)) AS broken
         FROM checkouts LEFT JOIN orders ON checkout_id = checkouts.id
         GROUP BY checkouts.id
         HAVING count(orders.id) < 2 OR min(line) < 1 OR sum(total_cents) <> goods_cents
             -- One that was cancelled before the freight was known waits for it for good.
             OR bool_or(awaits_freight <> (checkouts.shipping_cents IS NULL) AND NOT (awaits_freight AND cancelled_at IS NOT NULL))
             OR checkouts.shipping_cents <> sum(orders.shipping_cents) OR checkouts.tax_cents <> sum(orders.tax_cents)",
    ),
    (
        "no more of an order is refunded than was paid for it",
        "SELECT format('order %s of %s: %s', orders.id, min(paid), sum(amount_cents)) AS broken
         FROM orders JOIN refunds ON order_id = orders.id AND payment_id = transaction_id
         LEFT JOIN payment_shares ON intent_id = payment_id AND payment_shares.order_id = orders.id,
         coalesce(cents, total_cents + shipping_cents + tax_cents) AS paid
         WHERE state <> 'failed' AND cause <> 'elsewhere' GROUP BY orders.id HAVING sum(amount_cents) > min(paid)",
    ),
    (
        "an order says how much of its payment went back, or is on its way",
        "SELECT format('order %s says %s: %s', orders.id, refunded_cents, sum(amount_cents)) AS broken
         FROM orders LEFT JOIN refunds ON order_id = orders.id AND payment_id = transaction_id
             AND state IN ('pending', 'succeeded', 'recorded')
         GROUP BY orders.id HAVING refunded_cents <> coalesce(sum(amount_cents), 0)",
    ),
    (
        "an order that owes money has a refund on its way, or one that needs attention",
        "SELECT format('order %s', orders.id) AS broken FROM orders
         WHERE payment_state = 'paid' AND cancelled_at IS NOT NULL
             AND NOT EXISTS (SELECT FROM refunds WHERE order_id = orders.id AND payment_id = transaction_id)",
    ),
    (
        "the daily revenue is what was paid less what was refunded, both without tax",
        "SELECT format('order %s: %s', orders.id, sum(cents)) AS broken
         FROM orders JOIN revenue_ledger ON revenue_ledger.order_id = orders.id AND kind <> 'dispute'
         GROUP BY orders.id HAVING sum(cents) <> total_cents + shipping_cents - without_tax(orders, coalesce((
             SELECT sum(amount_cents) FROM refunds
             WHERE refunds.order_id = orders.id AND state IN ('pending', 'succeeded', 'recorded')
                 AND payment_id = (SELECT data ->> 'transaction' FROM order_events
                     WHERE order_events.order_id = orders.id AND kind = 'paid')), 0)::bigint)",
    ),
    (
        "the counts of orders by state are those of the orders",
        "SELECT format('%s, %s, cancelled %s: %s too many', payment_state, fulfilment, is_cancelled, sum(orders)) AS broken
         FROM (
             SELECT payment_state, fulfilment, is_cancelled, orders FROM order_totals
             UNION ALL SELECT payment_state, fulfilment, is_cancelled, 1 FROM order_changes, rollups
                 WHERE name = 'orders' AND number <= folded_to
             UNION ALL SELECT payment_state_before, fulfilment_before, was_cancelled, -1 FROM order_changes, rollups
                 WHERE name = 'orders' AND number <= folded_to
             UNION ALL SELECT payment_state, fulfilment, cancelled_at IS NOT NULL, -1 FROM orders, rollups
                 WHERE name = 'orders' AND number <= folded_to
         ) AS counted GROUP BY payment_state, fulfilment, is_cancelled HAVING sum(orders) <> 0",
    ),
    (
        "the counts of orders by day are those of the orders",
        "SELECT format('%s: %s too many', day, sum(orders)) AS broken
         FROM (
             SELECT day, orders FROM order_days
             UNION ALL SELECT day, was_cancelled::integer - is_cancelled::integer FROM order_changes, rollups
                 WHERE name = 'orders' AND number <= folded_to
             UNION ALL SELECT (placed_at AT TIME ZONE 'UTC')::date, -1 FROM orders, rollups
                 WHERE name = 'orders' AND number <= folded_to AND cancelled_at IS NULL
         ) AS counted GROUP BY day HAVING sum(orders) <> 0",
    ),
    (
        "the sums of revenue by day are those of the revenue ledger",
        "SELECT format('%s: %s and %s too much', day, sum(paid), sum(returned)) AS broken
         FROM (
             SELECT day, paid, returned FROM revenue_days
             UNION ALL SELECT (at AT TIME ZONE 'UTC')::date,
                 CASE kind WHEN 'payment' THEN -cents ELSE 0 END, CASE kind WHEN 'payment' THEN 0 ELSE cents END
                 FROM revenue_ledger, rollups WHERE name = 'revenue' AND id <= folded_to
         ) AS counted GROUP BY day HAVING sum(paid) <> 0 OR sum(returned) <> 0",
    ),
    (
        "the counts of placed and paid orders by day are those of the orders and of the revenue ledger",
        "SELECT format('%s: %s placed and %s paid too many', day, sum(placed), sum(paid)) AS broken
         FROM (
             SELECT day, placed, paid FROM placed_days
             UNION ALL SELECT (placed_at AT TIME ZONE 'UTC')::date, -1, 0 FROM orders, sales_rollups
                 WHERE name = 'placed' AND number <= folded_to
             UNION ALL SELECT (placed_at AT TIME ZONE 'UTC')::date, 0, -1
                 FROM revenue_ledger JOIN orders ON orders.id = order_id, sales_rollups
                 WHERE name = 'sales' AND revenue_ledger.id <= folded_to AND kind = 'payment'
         ) AS counted GROUP BY day HAVING sum(placed) <> 0 OR sum(paid) <> 0",
    ),
    (
        "the sales of products are those of the revenue ledger",
        "SELECT format('%s, %s: %s of %s for %s too many', day, product_id, sum(units), sum(orders), sum(cents)) AS broken
         FROM (
             SELECT day, product_id, orders, units, cents FROM product_sales
             UNION ALL SELECT (placed_at AT TIME ZONE 'UTC')::date, product_id, -(kind = 'payment')::integer,
                 -(kind = 'payment')::integer * quantity, -cents
                 FROM revenue_ledger JOIN orders ON orders.id = order_id, sales_rollups
                 WHERE name = 'sales' AND revenue_ledger.id <= folded_to
         ) AS counted GROUP BY day, product_id HAVING sum(orders) <> 0 OR sum(units) <> 0 OR sum(cents) <> 0",
    ),
    (
        "the sales to customers are those of the revenue ledger",
        "SELECT format('%s, %s: %s for %s too many', day, account_id, sum(orders), sum(cents)) AS broken
         FROM (
             SELECT day, account_id, orders, cents FROM customer_sales
             UNION ALL SELECT (placed_at AT TIME ZONE 'UTC')::date, buyer_id, -(kind = 'payment')::integer, -cents
                 FROM revenue_ledger JOIN orders ON orders.id = order_id, sales_rollups
                 WHERE name = 'sales' AND revenue_ledger.id <= folded_to
         ) AS counted GROUP BY day, account_id HAVING sum(orders) <> 0 OR sum(cents) <> 0",
    ),
    (
        "every account has its totals, which are those of its orders and of the revenue ledger",
        "SELECT format('%s: %s orders and %s cents too many', account_id, sum(orders), sum(cents)) AS broken
         FROM (
             SELECT account_id, orders, spent_cents AS cents, 1 AS rows FROM customer_totals
             UNION ALL SELECT id, 0, 0, -1 FROM accounts
             UNION ALL SELECT buyer_id, -1, 0, 0 FROM orders, sales_rollups
                 WHERE name = 'placed' AND number <= folded_to
             UNION ALL SELECT buyer_id, 0, -cents, 0 FROM revenue_ledger JOIN orders ON orders.id = order_id, sales_rollups
                 WHERE name = 'sales' AND revenue_ledger.id <= folded_to
         ) AS counted GROUP BY account_id HAVING sum(orders) <> 0 OR sum(cents) <> 0 OR sum(rows) <> 0",
    ),
    (
        "the counts of accounts are those of the accounts",
        "SELECT format('%s: %s too many', role, sum(accounts)) AS broken
         FROM (
             SELECT role, accounts FROM account_totals
             UNION ALL SELECT role, change FROM account_changes
             UNION ALL SELECT role, -1 FROM accounts WHERE removed_at IS NULL
         ) AS counted GROUP BY role HAVING sum(accounts) <> 0",
    ),
    (
        "an accepted return that goes back to stock has done so exactly once, and no other return has",
        "SELECT format('return %s of %s: %s', returns.id, units, array_agg(delta)) AS broken
         FROM returns JOIN orders ON orders.id = returns.order_id
         LEFT JOIN stock_ledger ON return_id = returns.id AND stock_ledger.product_id = orders.product_id
         GROUP BY returns.id
         HAVING array_agg(delta) IS DISTINCT FROM ARRAY[CASE WHEN restocked THEN units END]",
    ),
    (
        "no more of an order is returned than was ordered, and its timeline has every return",
        "SELECT format('order %s', orders.id) AS broken
         FROM orders JOIN returns ON returns.order_id = orders.id
         GROUP BY orders.id
         HAVING coalesce(sum(units) FILTER (WHERE state = 'accepted'), 0) > quantity
             OR count(*) + count(*) FILTER (WHERE state <> 'requested') <> (
                 SELECT count(*) FROM order_events WHERE order_id = orders.id AND kind LIKE 'return%')",
    ),
    (
        "a delivery about an order is about its own timeline, and to its own customer",
        "SELECT format('delivery %s of order %s', outbox.id, outbox.order_id) AS broken
         FROM outbox JOIN orders ON orders.id = outbox.order_id JOIN order_events ON order_events.id = event_id
         WHERE order_events.order_id <> outbox.order_id OR email <> contact_email
            OR kind <> CASE topic
                WHEN 'order.reminder' THEN 'ordered'
                WHEN 'order.lapsed' THEN 'cancelled'
                WHEN 'order.released' THEN 'cancelled'
                ELSE substr(topic, length('order.') + 1)
            END",
    ),
    (
        "a webhook says that a checkout is paid only once none of its orders that stand is unpaid",
        "SELECT format('delivery %s of checkout %s', outbox.id, outbox.checkout_id) AS broken FROM outbox
         WHERE topic = 'checkout.paid' AND EXISTS (
             SELECT FROM orders WHERE orders.checkout_id = outbox.checkout_id AND payment_state = 'unpaid' AND cancelled_at IS NULL)",
    ),
    (
        "the documents of a series are numbered from 1 without a gap",
        "SELECT format('%s has %s up to %s, and its last number is %s', series, count(number), max(number), last) AS broken
         FROM invoice_series LEFT JOIN invoices USING (series) GROUP BY series, last
         HAVING count(number) <> last OR coalesce(min(number), 1) <> 1 OR coalesce(max(number), 0) <> last",
    ),
    (
        "an order that was paid, or shipped on account, is on an invoice",
        "SELECT format('order %s', orders.id) AS broken FROM orders, invoicing
         WHERE number > after_order AND NOT EXISTS (SELECT FROM invoice_orders WHERE order_id = orders.id)
             AND EXISTS (
                 SELECT FROM order_events WHERE order_id = orders.id
                     AND (kind = 'paid' OR (kind = 'shipped' AND data ->> 'onAccount' = 'true')))",
    ),
    (
        "a document comes to what its lines do, and an invoice to what its orders are due",
        "SELECT format('document %s of %s', invoices.id, total_cents) AS broken
         FROM invoices JOIN LATERAL (
             SELECT sum((line ->> 'goodsCents')::bigint) AS goods, sum((line ->> 'freightCents')::bigint) AS freight,
                 sum((line ->> 'taxCents')::bigint) AS tax,
                 bool_and((line ->> 'unitCents')::bigint * (line ->> 'quantity')::bigint = (line ->> 'goodsCents')::bigint) AS fit
             FROM jsonb_array_elements(data -> 'lines') AS line
         ) AS lines ON true
         WHERE NOT fit OR total_cents <> goods + freight + tax OR (data ->> 'totalCents')::bigint <> total_cents
             OR (data ->> 'goodsCents')::bigint <> goods OR (data ->> 'freightCents')::bigint <> freight
             OR (data ->> 'taxCents')::bigint <> tax
             OR (kind = 'invoice' AND total_cents IS DISTINCT FROM (
                 SELECT sum(orders.total_cents + shipping_cents + tax_cents)
                 FROM invoice_orders JOIN orders ON orders.id = invoice_orders.order_id WHERE invoice_id = invoices.id))",
    ),
    (
        "no more of an order is credited than was invoiced",
        "SELECT format('order %s: %s', orders.id, sum(invoices.total_cents)) AS broken
         FROM invoices JOIN orders ON orders.id = order_id WHERE kind = 'credit'
         GROUP BY orders.id
         HAVING sum(invoices.total_cents) > orders.total_cents + shipping_cents + tax_cents
             OR sum((data ->> 'taxCents')::bigint) > tax_cents OR sum((data ->> 'freightCents')::bigint) > shipping_cents",
    ),
    (
        "what went back of an invoiced payment is credited",
        "SELECT format('refund %s', refunds.id) AS broken
         FROM refunds JOIN invoice_orders USING (order_id) JOIN orders ON orders.id = order_id
         WHERE state IN ('succeeded', 'recorded') AND amount_cents > 0
             AND EXISTS (SELECT FROM order_events WHERE order_events.order_id = orders.id AND kind = 'paid'
                 AND data ->> 'transaction' = payment_id)
             AND NOT EXISTS (SELECT FROM invoices WHERE refund_id = refunds.id)
             AND (SELECT coalesce(sum(invoices.total_cents), 0) FROM invoices
                 WHERE invoices.order_id = orders.id AND invoices.kind = 'credit')
                 < orders.total_cents + shipping_cents + tax_cents",
    ),
    (
        "of a password, a link and a request only the hash is kept",
        "SELECT format('account %s', id) AS broken FROM accounts WHERE password_hash !~ '^[$]argon2id[$]'
         UNION ALL SELECT format('sign-in %s', outbox_id) FROM google_sign_ins
         WHERE EXISTS (SELECT FROM unnest(token_hashes) AS hash WHERE octet_length(hash) <> 32)
         UNION ALL SELECT format('order %s', id) FROM orders WHERE octet_length(once_fingerprint) <> 32
         UNION ALL SELECT format('product %s', id) FROM products WHERE octet_length(once_fingerprint) <> 32
         UNION ALL SELECT format('restocking %s', id) FROM restockings WHERE octet_length(once_fingerprint) <> 32
         UNION ALL SELECT format('import %s', id) FROM imports WHERE octet_length(once_fingerprint) <> 32
         UNION ALL SELECT format('review %s', id) FROM reviews WHERE octet_length(once_fingerprint) <> 32
         UNION ALL SELECT format('refund %s', id) FROM refunds WHERE octet_length(once_fingerprint) <> 32
         UNION ALL SELECT format('subscription %s', id) FROM webhook_endpoints
         WHERE octet_length(once_fingerprint) <> 32 OR octet_length(once_key) <> 32
             -- Sealed, it is random bytes.
             OR substring(secret FROM 1 FOR 6) = 'whsec_'",
    ),
    (
        "no secret is in a timeline, a delivery, a payment's id or the audit trail",
        // Those that have a shape of their own: a password's hash, a webhook's secret, and what lets a browser pay.
        "SELECT format('%s %s', kind, id) AS broken
         FROM (
             SELECT 'event' AS kind, id::text, data::text AS written FROM order_events
             UNION ALL SELECT 'delivery', id::text, last_error FROM outbox WHERE last_error IS NOT NULL
             UNION ALL SELECT 'payment', id, id FROM payment_intents
             UNION ALL SELECT 'audit entry', number::text, concat_ws(' ', before, after) FROM audit_entries
         ) AS texts
         WHERE written ~ '[$]argon2id?[$]|whsec_|pi_[A-Za-z0-9]+_secret_'",
    ),
];

-- Updates an order if its state is still what the decision was based on, records the timeline entry and, for a
-- cancellation, returns the units to stock and enters them into the ledger: all of it or nothing. Returns the order's
-- id, or no row.

WITH changed AS (
    UPDATE orders SET
        payment_state = :payment_state,
        transaction_id = :transaction_id,
        paid_at = :paid_at,
        refunded_at = :refunded_at,
        fulfilment = :fulfilment,
        shipped_at = :shipped_at,
        cancelled_at = :cancelled_at
    WHERE id = :id
        AND payment_state IS NOT DISTINCT FROM :payment_state_before
        AND transaction_id IS NOT DISTINCT FROM :transaction_id_before
        AND paid_at IS NOT DISTINCT FROM :paid_at_before
        AND refunded_at IS NOT DISTINCT FROM :refunded_at_before
        AND fulfilment IS NOT DISTINCT FROM :fulfilment_before
        AND shipped_at IS NOT DISTINCT FROM :shipped_at_before
        AND cancelled_at IS NOT DISTINCT FROM :cancelled_at_before
    RETURNING id, product_id, quantity
),
recorded AS (
    INSERT INTO order_events (order_id, seq, id, kind, data, actor_id, actor_email, at)
    -- No other change can take this sequence number first: every change updates the order's row, which this statement
    -- waits for and then compares. A refund or a dispute may; the unique constraint then rolls this one back.
    SELECT changed.id, (SELECT max(seq) + 1 FROM order_events WHERE order_id = changed.id),
        :event, :event_kind, :event_data, :actor_id, :actor_email, :event_at
    FROM changed
),
returned AS (
    UPDATE products SET available = available + changed.quantity
    FROM changed WHERE products.id = changed.product_id AND :returns_units
),
entered AS (
    INSERT INTO stock_ledger (product_id, delta, kind, order_id, actor_id, actor_email, at)
    SELECT product_id, quantity, 'cancelled', id, :actor_id, :actor_email, :event_at FROM changed WHERE :returns_units
)
SELECT id FROM changed;

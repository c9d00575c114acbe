-- How much of an order's payment has gone back, or is on its way back with the provider, is shown wherever the order is. Refunds
-- are few and orders are read all the time, so the sum is kept with the order.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE orders
    ADD COLUMN refunded_cents bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT orders_refunded_cents_fit CHECK (refunded_cents >= 0) NOT VALID;

CREATE FUNCTION refunded_of_order(of_order uuid, of_payment text) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(amount_cents), 0)::bigint FROM refunds
    WHERE order_id = of_order AND payment_id = of_payment AND state IN ('pending', 'succeeded', 'recorded')
$$;

CREATE FUNCTION sum_refunds_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orders SET refunded_cents = refunded_of_order(id, transaction_id)
    WHERE id = NEW.order_id AND refunded_cents <> refunded_of_order(id, transaction_id);
    RETURN NULL;
END
$$;

-- Whoever changes a refund has locked its order.
CREATE TRIGGER refunds_sum_of_order AFTER INSERT OR UPDATE OF state, amount_cents ON refunds
    FOR EACH ROW EXECUTE FUNCTION sum_refunds_of_order();

-- A payment that came for a cancelled order, and went back at once, is the order's only afterwards.
CREATE FUNCTION sum_refunds_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.refunded_cents := refunded_of_order(NEW.id, NEW.transaction_id);
    RETURN NEW;
END
$$;

CREATE TRIGGER orders_sum_refunds_of_payment BEFORE UPDATE OF transaction_id ON orders
    FOR EACH ROW WHEN (NEW.transaction_id IS DISTINCT FROM OLD.transaction_id)
    EXECUTE FUNCTION sum_refunds_of_payment();

UPDATE orders SET refunded_cents = sums.cents
FROM (
    SELECT order_id, refunds.payment_id, sum(amount_cents) AS cents FROM refunds
    WHERE state IN ('pending', 'succeeded', 'recorded') GROUP BY order_id, refunds.payment_id
) AS sums
WHERE orders.id = sums.order_id AND orders.transaction_id = sums.payment_id;

-- Invoices and credit notes. Everything that is printed on one is in its row, and the row never changes.
SET LOCAL lock_timeout = '500ms';

-- The shop as the seller. Documents keep the seller that they were issued by.
CREATE TABLE seller (
    one boolean PRIMARY KEY DEFAULT true CONSTRAINT seller_is_one_row CHECK (one),
    name text NOT NULL CONSTRAINT seller_has_a_name CHECK (length(name) BETWEEN 1 AND 120),
    line1 text NOT NULL CONSTRAINT seller_line1_is_short CHECK (length(line1) BETWEEN 1 AND 120),
    line2 text CONSTRAINT seller_line2_is_short CHECK (length(line2) BETWEEN 1 AND 120),
    city text NOT NULL CONSTRAINT seller_city_is_short CHECK (length(city) BETWEEN 1 AND 120),
    region text CONSTRAINT seller_region_is_short CHECK (length(region) BETWEEN 1 AND 120),
    postcode text CONSTRAINT seller_postcode_is_short CHECK (length(postcode) BETWEEN 1 AND 20),
    country text NOT NULL CONSTRAINT seller_country_is_a_code CHECK (country ~ '^[A-Z]{2}$'),
    tax_id text CONSTRAINT seller_tax_id_is_short CHECK (length(tax_id) BETWEEN 1 AND 40),
    email text NOT NULL CONSTRAINT seller_email_is_one CHECK (is_lower_email(email)),
    phone text CONSTRAINT seller_phone_is_short CHECK (length(phone) BETWEEN 1 AND 40),
    terms text CONSTRAINT seller_terms_are_short CHECK (length(terms) BETWEEN 1 AND 500)
);
INSERT INTO seller (name, line1, city, region, postcode, country, email)
VALUES ('Driveline', '1200 Foundry Street', 'Dayton', 'OH', '45402', 'US', 'billing@driveline.example');

-- Whoever issues a document takes its number in the same transaction, under the lock of both rows: no number is left out, and
-- none is given twice.
CREATE TABLE invoice_series (
    series text PRIMARY KEY CONSTRAINT invoice_series_are_known CHECK (series IN ('INV', 'CN')),
    last bigint NOT NULL DEFAULT 0 CONSTRAINT invoice_series_count_up CHECK (last >= 0)
);
INSERT INTO invoice_series (series) VALUES ('INV'), ('CN');

-- Orders up to this number are from before: those that were paid then have no invoice.
CREATE TABLE invoicing (
    one boolean PRIMARY KEY DEFAULT true CONSTRAINT invoicing_is_one_row CHECK (one),
    after_order bigint NOT NULL
);
INSERT INTO invoicing (after_order) SELECT coalesce(max(number), 0) FROM orders;

CREATE TABLE invoices (
    id uuid PRIMARY KEY,
    series text NOT NULL REFERENCES invoice_series (series),
    number bigint NOT NULL CONSTRAINT invoices_count_from_one CHECK (number >= 1),
    kind text NOT NULL CONSTRAINT invoices_kind_is_known CHECK (kind IN ('invoice', 'credit')),
    account_id uuid NOT NULL REFERENCES accounts (id),
    -- An invoice of a checkout is of several orders: see invoice_orders. A credit note is of one.
    order_id uuid REFERENCES orders (id),
    checkout_id uuid REFERENCES checkouts (id),
    -- Of a credit note.
    credits uuid REFERENCES invoices (id),
    refund_id uuid REFERENCES refunds (id) CONSTRAINT invoices_credit_a_refund_once UNIQUE,
    issued_at timestamptz NOT NULL,
    total_cents bigint NOT NULL CONSTRAINT invoices_total_fits CHECK (total_cents BETWEEN 0 AND 99999999999999),
    data jsonb NOT NULL CONSTRAINT invoices_data_is_an_object CHECK (jsonb_typeof(data) = 'object'),

    CONSTRAINT invoices_number UNIQUE (series, number),
    CONSTRAINT invoices_series_is_of_the_kind CHECK (series = CASE kind WHEN 'invoice' THEN 'INV' ELSE 'CN' END),
    CONSTRAINT invoices_credit_is_whole CHECK (
        (kind = 'credit') = (credits IS NOT NULL) AND (kind = 'credit') = (refund_id IS NOT NULL)
    ),
    CONSTRAINT invoices_are_of_a_purchase CHECK (order_id IS NOT NULL OR checkout_id IS NOT NULL)
);
CREATE INDEX invoices_of_account ON invoices (account_id, id DESC);
CREATE INDEX invoices_of_order ON invoices (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX invoices_of_checkout ON invoices (checkout_id) WHERE checkout_id IS NOT NULL;

CREATE TRIGGER invoices_append_only BEFORE UPDATE OR DELETE ON invoices
    FOR EACH ROW EXECUTE FUNCTION refuse('what was issued stays as it is');
CREATE TRIGGER invoices_append_only_all BEFORE TRUNCATE ON invoices
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('what was issued stays as it is');

-- Which invoice an order is on: at most one.
CREATE TABLE invoice_orders (
    order_id uuid PRIMARY KEY REFERENCES orders (id),
    invoice_id uuid NOT NULL REFERENCES invoices (id)
);
CREATE INDEX invoice_orders_of_invoice ON invoice_orders (invoice_id);
CREATE TRIGGER invoice_orders_append_only BEFORE UPDATE OR DELETE ON invoice_orders
    FOR EACH ROW EXECUTE FUNCTION refuse('what was issued stays as it is');
CREATE TRIGGER invoice_orders_append_only_all BEFORE TRUNCATE ON invoice_orders
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('what was issued stays as it is');

-- A UUID of version 7: one that sorts by its moment, as all ids of the program do.
CREATE FUNCTION uuid_of_moment(at timestamptz) RETURNS uuid
LANGUAGE sql VOLATILE AS $$
    SELECT encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
            52, 1), 53, 1),
        'hex')::uuid
$$;

CREATE FUNCTION seller_as_printed() RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('name', name, 'line1', line1, 'line2', line2, 'city', city, 'region', region,
        'postcode', postcode, 'country', country, 'taxId', tax_id, 'email', email, 'phone', phone, 'terms', terms)
    FROM seller
$$;

-- The lines of orders as documents print them: of one order, or of several of one checkout. The category of a tax is one of
-- EN 16931: taxed, at a rate of zero, exempt, owed by the customer, or of a shop without taxes.
CREATE FUNCTION lines_as_printed(of_orders uuid[]) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    WITH taxes AS (
        SELECT checkouts.id AS checkout_id, (entry ->> 'line')::integer AS line, entry ->> 'name' AS name,
            (entry ->> 'basisPoints')::integer AS basis_points
        FROM checkouts, jsonb_array_elements(taxes) AS entry
        WHERE checkouts.id IN (SELECT checkout_id FROM orders WHERE id = ANY (of_orders))
    ), sold AS (
        SELECT orders.*, taxes.name AS tax_name,
            CASE WHEN orders.tax_cents > 0 AND coalesce(basis_points, 0) = 0
                THEN greatest(round(orders.tax_cents * 10000.0 / (total_cents + shipping_cents)), 1)::integer
                ELSE coalesce(basis_points, 0) END AS basis_points,
            bool_or(taxes.name IS NOT NULL OR orders.tax_cents > 0) OVER () AS taxed
        FROM orders LEFT JOIN taxes ON taxes.checkout_id = orders.checkout_id AND taxes.line = orders.line
        WHERE orders.id = ANY (of_orders)
    )
    SELECT jsonb_agg(
        jsonb_build_object('orderId', id, 'order', number, 'partNumber', part_number, 'name', product_name,
            'quantity', quantity, 'unitCents', unit_price_cents, 'goodsCents', total_cents,
            'freightCents', shipping_cents, 'taxCents', tax_cents, 'taxName', coalesce(tax_name, ''),
            'basisPoints', basis_points,
            'taxCategory', CASE
                WHEN basis_points > 0 THEN 'S'
                WHEN tax_name = 'Reverse charge' THEN 'AE'
                WHEN tax_name LIKE 'Exempt%' THEN 'E'
                WHEN tax_name IS NOT NULL THEN 'Z'
                WHEN taxed THEN 'E'
                ELSE 'O' END)
        ORDER BY line, number)
    FROM sold
$$;

-- A document with the next number of its series. Its caller holds the lock of the series.
CREATE FUNCTION issue(
    new_kind text, of_account uuid, of_order uuid, of_checkout uuid, crediting uuid, refunding uuid, at timestamptz,
    facts jsonb, lines jsonb
) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    new_id uuid := uuid_of_moment(at);
    new_series text := CASE new_kind WHEN 'invoice' THEN 'INV' ELSE 'CN' END;
    new_number bigint;
    goods bigint;
    freight bigint;
    tax bigint;
BEGIN
    SELECT sum((line ->> 'goodsCents')::bigint), sum((line ->> 'freightCents')::bigint), sum((line ->> 'taxCents')::bigint)
    INTO goods, freight, tax FROM jsonb_array_elements(lines) AS line;
    UPDATE invoice_series SET last = last + 1 WHERE series = new_series RETURNING last INTO new_number;
    INSERT INTO invoices (id, series, number, kind, account_id, order_id, checkout_id, credits, refund_id, issued_at,
        total_cents, data)
    VALUES (new_id, new_series, new_number, new_kind, of_account, of_order, of_checkout, crediting, refunding, at,
        goods + freight + tax,
        facts || jsonb_build_object('lines', lines, 'goodsCents', goods, 'freightCents', freight, 'taxCents', tax,
            'totalCents', goods + freight + tax));
    RETURN new_id;
END
$$;

-- What of a paid order went back is credited, with the part of its tax. The parts are differences of rounded sums, as in the
-- revenue, so that all of them come to the whole.
CREATE FUNCTION credit_refund(back refunds) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    billed invoices%ROWTYPE;
    line jsonb;
    goods bigint;
    freight bigint;
    tax bigint;
    due bigint;
    before bigint;
    after bigint;
    tax_back bigint;
    freight_back bigint;
    goods_back bigint;
BEGIN
    SELECT invoices.* INTO billed FROM invoice_orders JOIN invoices ON invoices.id = invoice_id
    WHERE invoice_orders.order_id = back.order_id;
    IF NOT FOUND OR EXISTS (SELECT FROM invoices WHERE refund_id = back.id) OR NOT EXISTS (
        SELECT FROM order_events
        WHERE order_id = back.order_id AND kind = 'paid' AND data ->> 'transaction' = back.payment_id
    ) THEN
        RETURN;
    END IF;
    SELECT entry INTO line FROM jsonb_array_elements(billed.data -> 'lines') AS entry
    WHERE entry ->> 'orderId' = back.order_id::text;
    goods := line ->> 'goodsCents';
    freight := line ->> 'freightCents';
    tax := line ->> 'taxCents';
    due := goods + freight + tax;
    SELECT coalesce(sum(total_cents), 0) INTO before FROM invoices WHERE order_id = back.order_id AND kind = 'credit';
    after := least(before + back.amount_cents, due);
    IF after <= before THEN
        RETURN;
    END IF;
    IF before > 0 OR after < due THEN
        tax_back := round(after::numeric * tax / due) - round(before::numeric * tax / due);
        freight_back := round((after - round(after::numeric * tax / due)) * freight / (goods + freight))
            - round((before - round(before::numeric * tax / due)) * freight / (goods + freight));
        goods_back := after - before - tax_back - freight_back;
        line := line || jsonb_build_object('name', left('Partial refund: ' || (line ->> 'name'), 300), 'quantity', 1,
            'unitCents', goods_back, 'goodsCents', goods_back, 'freightCents', freight_back, 'taxCents', tax_back);
    END IF;
    PERFORM issue('credit', billed.account_id, back.order_id, billed.checkout_id, billed.id, back.id, back.changed_at,
        billed.data || jsonb_build_object('seller', seller_as_printed(), 'paidAt', NULL,
            'credits', jsonb_build_object('number', billed.number, 'issuedAt', billed.issued_at)),
        jsonb_build_array(line));
END
$$;

-- A purchase is invoiced when it is paid, or shipped on account: all orders of a checkout for which that holds on one invoice,
-- unless they are on one already. When the transaction commits, so that a payment of many orders makes one invoice.
CREATE FUNCTION order_event_to_invoices() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    sold orders%ROWTYPE;
    bought checkouts%ROWTYPE;
    members uuid[];
    lines jsonb;
    place jsonb;
    vat text;
    invoice uuid;
    back refunds%ROWTYPE;
BEGIN
    IF EXISTS (SELECT FROM invoice_orders WHERE order_id = NEW.order_id) THEN
        RETURN NULL;
    END IF;
    -- Both rows in one order, whatever comes first: nobody waits for somebody who waits.
    PERFORM FROM invoice_series ORDER BY series FOR UPDATE;
    SELECT * INTO sold FROM orders WHERE id = NEW.order_id;
    SELECT * INTO bought FROM checkouts WHERE id = sold.checkout_id;
    SELECT array_agg(orders.id) INTO members FROM orders
    WHERE (orders.id = sold.id OR orders.checkout_id = sold.checkout_id)
        AND EXISTS (
            SELECT FROM order_events WHERE order_id = orders.id AND kind = NEW.kind
                AND (kind = 'paid' OR data ->> 'onAccount' = 'true')
        )
        AND NOT EXISTS (SELECT FROM invoice_orders WHERE order_id = orders.id);
    IF members IS NULL THEN
        RETURN NULL;
    END IF;
    lines := lines_as_printed(members);
    place := coalesce(bought.address, jsonb_build_object('text', sold.contact_address));
    IF lines @> '[{"taxCategory": "AE"}]' THEN
        SELECT exemptions.number INTO vat FROM exemptions
        WHERE account_id = sold.buyer_id AND kind = 'reverse-charge' ORDER BY (country = place ->> 'country') DESC, id DESC LIMIT 1;
    END IF;
    invoice := issue('invoice', sold.buyer_id, CASE WHEN bought.id IS NULL THEN sold.id END, bought.id, NULL, NULL, NEW.at,
        jsonb_build_object(
            'purchase', CASE WHEN bought.id IS NULL THEN 'DL-' || sold.number ELSE checkout_as_shown(bought.number) END,
            'paidAt', CASE NEW.kind WHEN 'paid' THEN NEW.at END,
            'credits', NULL,
            'poNumber', coalesce(bought.po_number, sold.po_number),
            'seller', seller_as_printed(),
            'buyer', jsonb_build_object('name', coalesce(bought.contact_name, sold.contact_name),
                'email', coalesce(bought.contact_email, sold.contact_email),
                'phone', coalesce(bought.contact_phone, sold.contact_phone), 'vatId', vat, 'address', place),
            'deliverTo', place),
        lines);
    INSERT INTO invoice_orders (order_id, invoice_id) SELECT member, invoice FROM unnest(members) AS member;
    -- A refund may be heard of before its payment.
    FOR back IN SELECT * FROM refunds WHERE order_id = ANY (members) AND state IN ('succeeded', 'recorded') ORDER BY created_at, id LOOP
        PERFORM credit_refund(back);
    END LOOP;
    RETURN NULL;
END
$$;

-- A checkout's number, as people use it.
CREATE FUNCTION checkout_as_shown(number bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT 'P-' || number $$;

CREATE FUNCTION refund_to_invoices() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM invoice_orders WHERE order_id = NEW.order_id)
        AND NOT EXISTS (SELECT FROM invoices WHERE refund_id = NEW.id) THEN
        PERFORM FROM invoice_series ORDER BY series FOR UPDATE;
        PERFORM credit_refund(NEW);
    END IF;
    RETURN NULL;
END
$$;

-- Triggers and not the program: what a copy of the previous program settles, ships and refunds gets its documents too.
CREATE CONSTRAINT TRIGGER order_events_reach_invoices AFTER INSERT ON order_events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind = 'paid' OR (NEW.kind = 'shipped' AND NEW.data ->> 'onAccount' = 'true'))
    EXECUTE FUNCTION order_event_to_invoices();
CREATE CONSTRAINT TRIGGER refunds_reach_invoices AFTER INSERT OR UPDATE OF state ON refunds DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.state IN ('succeeded', 'recorded'))
    EXECUTE FUNCTION refund_to_invoices();

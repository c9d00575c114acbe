-- First, and at once: whoever signs up meanwhile waits, and then meets the trigger.
SET LOCAL lock_timeout = '500ms';
-- lint: for as long as the catalogue of the database is changed; nothing below reads a row.
LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE;

-- How far the tables below are. They are folded by the numbers of orders ('placed') and by those of the revenue ledger's
-- entries ('sales'), both of which only ever grow by new rows, so that nothing has to correct them. A table of its own,
-- because the previous program folds every row of `rollups` in its own way.
CREATE TABLE sales_rollups (
    name text PRIMARY KEY CHECK (name IN ('placed', 'sales')),
    -- As in `rollups`.
    folded_to bigint NOT NULL DEFAULT 0,
    next_to bigint,
    horizon bigint,

    CONSTRAINT sales_rollups_target_is_whole CHECK ((next_to IS NULL) = (horizon IS NULL))
);
INSERT INTO sales_rollups (name) VALUES ('placed'), ('sales');

-- Of the orders that were placed on a day: how many there were, cancelled ones among them, and how many of them were paid,
-- whenever that was.
CREATE TABLE placed_days (
    day date PRIMARY KEY,
    placed bigint NOT NULL DEFAULT 0,
    paid bigint NOT NULL DEFAULT 0
);

-- What the orders that were placed on a day brought in, by product and by customer: what was paid for them less what went
-- back, whenever that was, so that it is about the same orders as a list of that day. Numeric, as in `revenue_days`.
CREATE TABLE product_sales (
    day date NOT NULL,
    product_id uuid NOT NULL,
    -- Orders that were paid, and their units.
    orders bigint NOT NULL,
    units bigint NOT NULL,
    cents numeric NOT NULL,
    PRIMARY KEY (day, product_id)
);
CREATE TABLE customer_sales (
    day date NOT NULL,
    account_id uuid NOT NULL,
    orders bigint NOT NULL,
    cents numeric NOT NULL,
    PRIMARY KEY (day, account_id)
);

-- What each account has ordered and spent, ever. A row for every account, so that their list can be sorted by it.
CREATE TABLE customer_totals (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    orders bigint NOT NULL DEFAULT 0,
    spent_cents bigint NOT NULL DEFAULT 0
);
CREATE INDEX customer_totals_by_spent ON customer_totals (spent_cents DESC, account_id DESC);

-- A trigger and not the program: accounts that a copy of the previous program adds have a row too.
CREATE FUNCTION account_to_customer_totals() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO customer_totals (account_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER accounts_reach_customer_totals AFTER INSERT ON accounts
    FOR EACH ROW EXECUTE FUNCTION account_to_customer_totals();

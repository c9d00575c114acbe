CREATE TABLE products (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    description text NOT NULL CHECK (length(description) BETWEEN 1 AND 5000),
    part_number text CHECK (length(part_number) BETWEEN 1 AND 60),
    category text NOT NULL CHECK (category IN (
        'BRAKES', 'REPLACEMENT PARTS', 'SAFETY ACCESSORIES', 'TIRES',
        'STEERING WHEEL', 'SERVICE KITS', 'BATTERIES', 'OILS AND FLUIDS'
    )),
    img text NOT NULL CHECK (length(img) BETWEEN 1 AND 2000),
    -- 0.01 to 9,999,999.99 dollars, in cents.
    price_cents bigint NOT NULL CHECK (price_cents BETWEEN 1 AND 999999999),
    min_order integer NOT NULL CHECK (min_order BETWEEN 50 AND 1000000000),
    available integer NOT NULL CHECK (available BETWEEN 0 AND 1000000000),
    created_at timestamptz NOT NULL,
    archived_at timestamptz,
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32),
    -- The name, and all that a search looks through, folded to one case by the program: lower() follows the database's
    -- locale, and under "C" it knows ASCII only.
    name_key text COLLATE "C" NOT NULL,
    search_key text COLLATE "C" NOT NULL
);

-- One per order in which a list comes.
CREATE INDEX products_newest ON products (created_at, id) WHERE archived_at IS NULL;
CREATE INDEX products_by_price ON products (price_cents, id) WHERE archived_at IS NULL;
CREATE INDEX products_by_name ON products (name_key, id) WHERE archived_at IS NULL;
-- An order without an id names its product by these.
CREATE INDEX products_by_looks ON products (name, category) WHERE archived_at IS NULL;

CREATE TRIGGER products_stay BEFORE DELETE ON products
    FOR EACH ROW EXECUTE FUNCTION refuse('orders and the stock ledger refer to it; set archived_at');
CREATE TRIGGER products_stay_all BEFORE TRUNCATE ON products
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('orders and the stock ledger refer to them; set archived_at');

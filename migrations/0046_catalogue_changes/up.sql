-- What a search engine beside this database has to hear of: which products changed. Written in the transaction of the change,
-- by triggers, so that no way of changing a product can forget it and the previous program is heard too. One for each statement:
-- an import of ten thousand products writes its lines at once.
SET LOCAL lock_timeout = '500ms';

-- Who follows, each an index of the engine, and how far it is. A shop without an engine has no row here, and then nothing is
-- written below.
CREATE TABLE catalogue_followers (
    name text COLLATE "C" PRIMARY KEY CHECK (name ~ '^[a-z0-9-]{1,80}$'),
    made_at timestamptz NOT NULL DEFAULT now(),
    -- All changes of transactions below `xact` are in, and those of `xact` up to `seq`. NULL until it is known from when on.
    xact bigint,
    seq bigint NOT NULL DEFAULT 0,
    -- All products up to this number are in; NULL once all are.
    filled_to integer DEFAULT 0,
    -- Whether searches are answered from it.
    live boolean NOT NULL DEFAULT false,
    -- The nightly comparison with the products: up to which number it is, and when it last came to the end.
    compared_to integer NOT NULL DEFAULT 0,
    compared_at timestamptz NOT NULL DEFAULT now()
);

-- One copy of the program at a time writes to the engine.
CREATE TABLE catalogue_lease (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    holder uuid,
    until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO catalogue_lease DEFAULT VALUES;

-- Numbers of an identity are not committed in their order, so that a follower of `seq` alone would pass one that commits late.
-- It reads by the transaction first, and only transactions below the oldest that still runs: whatever commits later has a higher
-- one.
CREATE TABLE catalogue_changes (
    xact bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    product_no integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (xact, seq)
);

CREATE FUNCTION note_changed_products(products_no integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF products_no IS NOT NULL AND EXISTS (SELECT FROM catalogue_followers) THEN
        INSERT INTO catalogue_changes (product_no) SELECT DISTINCT no FROM unnest(products_no) AS no;
    END IF;
END
$$;

CREATE FUNCTION note_added_products() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM catalogue_followers) THEN
        PERFORM note_changed_products(array_agg(no)) FROM changed;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER products_are_noted_when_added AFTER INSERT ON products
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_added_products();

-- Only what a document holds: an order that leaves enough for the next one changes nothing in it. Of a product that is replaced
-- by another from now on, or no longer, the other one as well: it is found by the numbers of those that it replaces.
CREATE FUNCTION note_edited_products() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM catalogue_followers) THEN
        PERFORM note_changed_products(array_agg(noted.no)) FROM (
            SELECT changed.no, former.replaced_by AS other_id
            FROM changed JOIN former ON former.no = changed.no
            WHERE (changed.search_key, changed.name_key, changed.category, changed.brand_id, changed.part_type_id, changed.price_cents,
                    changed.created_at, changed.archived_at IS NULL, changed.replaced_by, changed.universal,
                    changed.available >= changed.min_order)
                IS DISTINCT FROM (former.search_key, former.name_key, former.category, former.brand_id, former.part_type_id,
                    former.price_cents, former.created_at, former.archived_at IS NULL, former.replaced_by, former.universal,
                    former.available >= former.min_order)
        ) AS found
        CROSS JOIN LATERAL (
            SELECT found.no UNION ALL SELECT other.no FROM products AS other WHERE other.id = found.other_id
        ) AS noted (no);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER products_are_noted_when_changed AFTER UPDATE ON products
    REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_edited_products();

CREATE FUNCTION note_products_of_rows() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM catalogue_followers) THEN
        PERFORM note_changed_products(array_agg(product_no)) FROM changed;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER part_numbers_are_noted_when_added AFTER INSERT ON part_numbers
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_rows();
CREATE TRIGGER part_numbers_are_noted_when_changed AFTER UPDATE ON part_numbers
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_rows();
CREATE TRIGGER part_numbers_are_noted_when_removed AFTER DELETE ON part_numbers
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_rows();
CREATE TRIGGER product_attributes_are_noted_when_added AFTER INSERT ON product_attributes
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_rows();
CREATE TRIGGER product_attributes_are_noted_when_changed AFTER UPDATE ON product_attributes
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_rows();
CREATE TRIGGER product_attributes_are_noted_when_removed AFTER DELETE ON product_attributes
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_rows();

-- Names that documents hold. Synonyms are not among them: they are looked up when somebody searches.
CREATE FUNCTION note_products_of_brands() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM catalogue_followers) THEN
        PERFORM note_changed_products(array_agg(product_no)) FROM (
            SELECT search.product_no FROM product_search AS search WHERE search.brand_id IN (SELECT id FROM changed)
            UNION
            SELECT number.product_no FROM part_numbers AS number WHERE number.brand_id IN (SELECT id FROM changed)
        ) AS named;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER brands_are_noted_when_changed AFTER UPDATE ON brands
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_brands();

CREATE FUNCTION note_products_of_part_types() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM catalogue_followers) THEN
        PERFORM note_changed_products(array_agg(product_no)) FROM product_search
        WHERE part_type_id IN (SELECT id FROM changed);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER part_types_are_noted_when_changed AFTER UPDATE ON part_types
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_part_types();

CREATE FUNCTION note_products_of_attributes() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM catalogue_followers) THEN
        PERFORM note_changed_products(array_agg(product_no)) FROM product_attributes
        WHERE attribute_id IN (SELECT id FROM changed);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER attributes_are_noted_when_changed AFTER UPDATE ON attributes
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_products_of_attributes();

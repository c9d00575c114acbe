-- Where on a vehicle a product belongs, whatever the vehicle, so that a list of a part type counts its positions by a row for
-- each product and not by all of their vehicles.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE product_positions (
    product_no integer PRIMARY KEY REFERENCES products (no),
    -- A bit for each position of its fitments: 1 << position.
    positions integer NOT NULL CHECK (positions > 0)
);

CREATE FUNCTION note_added_positions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO product_positions AS placed (product_no, positions)
    SELECT product_no, bit_or(1 << position) FROM changed WHERE position > 0 GROUP BY product_no ORDER BY product_no
    ON CONFLICT (product_no) DO UPDATE SET positions = placed.positions | excluded.positions;
    RETURN NULL;
END
$$;
CREATE TRIGGER positions_are_noted_when_added AFTER INSERT ON fitments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_added_positions();

-- Locked first, and read by a statement that begins after that: whoever adds a fitment meanwhile has either committed it, or waits
-- to add its position to what is written here.
CREATE FUNCTION note_removed_positions() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    removed integer[];
BEGIN
    SELECT array_agg(DISTINCT product_no) INTO removed FROM changed WHERE position > 0;
    IF removed IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM product_positions WHERE product_no = ANY (removed) ORDER BY product_no FOR UPDATE;
    DELETE FROM product_positions AS placed
    WHERE product_no = ANY (removed)
        AND NOT EXISTS (SELECT FROM fitments WHERE fitments.product_no = placed.product_no AND position > 0);
    UPDATE product_positions AS placed SET positions = kept.positions
    FROM (
        SELECT product_no, bit_or(1 << position) AS positions FROM fitments
        WHERE product_no = ANY (removed) AND position > 0 GROUP BY product_no
    ) AS kept
    WHERE placed.product_no = kept.product_no AND placed.positions <> kept.positions;
    RETURN NULL;
END
$$;
CREATE TRIGGER positions_are_noted_when_removed AFTER DELETE ON fitments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_removed_positions();

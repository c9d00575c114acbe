-- Which part fits which vehicle. Vehicles and engines have no tables: the program carries them, and their numbers stay.
SET LOCAL lock_timeout = '500ms';

-- Who says that parts fit: a list that was read, or the shop itself, which has one source for each day of its own.
CREATE TABLE fitment_sources (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    dated date,
    by_hand boolean NOT NULL DEFAULT false,
    CONSTRAINT fitment_sources_by_hand_are_dated CHECK (NOT by_hand OR dated IS NOT NULL)
);
CREATE UNIQUE INDEX fitment_sources_by_hand ON fitment_sources (dated) WHERE by_hand;

-- What else has to be true for a part to fit. Number 0 is nothing else, so that the key of a fitment has no NULL in it.
CREATE TABLE conditions (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    body text COLLATE "C" NOT NULL UNIQUE CHECK (length(body) <= 500),
    CONSTRAINT conditions_say_something CHECK ((id = 0) = (body = ''))
);
INSERT INTO conditions (id, body) OVERRIDING SYSTEM VALUE VALUES (0, '');

-- One row for each year, so that a vehicle's parts are found and counted by the key alone; 0 is any engine, any position and no
-- part type. A row without its condition would promise too much, so conditions are never taken away.
CREATE TABLE fitments (
    vehicle_id integer NOT NULL,
    -- The product's, kept in step below.
    part_type_id integer NOT NULL DEFAULT 0,
    product_no integer NOT NULL REFERENCES products (no),
    engine_id integer NOT NULL DEFAULT 0,
    condition_id integer NOT NULL DEFAULT 0 REFERENCES conditions,
    position smallint NOT NULL DEFAULT 0 CHECK (position BETWEEN 0 AND 12),
    per_vehicle smallint NOT NULL DEFAULT 1 CHECK (per_vehicle BETWEEN 1 AND 1000),
    source_id integer NOT NULL REFERENCES fitment_sources,
    PRIMARY KEY (vehicle_id, part_type_id, product_no, engine_id, condition_id, position)
);
CREATE INDEX fitments_of ON fitments (product_no, vehicle_id);

-- Products that fit every vehicle. Beside the products, because every order changes those, and all of their indexes.
CREATE TABLE universal_products (
    product_no integer PRIMARY KEY REFERENCES products (no)
);
INSERT INTO universal_products (product_no) SELECT no FROM products WHERE universal;

CREATE FUNCTION mirror_new_universal_products() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO universal_products (product_no) SELECT no FROM changed WHERE universal;
    RETURN NULL;
END
$$;
CREATE TRIGGER products_are_universal_when_added AFTER INSERT ON products
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mirror_new_universal_products();

CREATE FUNCTION mirror_product_to_fitments() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.universal THEN
        INSERT INTO universal_products (product_no) VALUES (NEW.no) ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM universal_products WHERE product_no = NEW.no;
    END IF;
    UPDATE fitments SET part_type_id = coalesce(NEW.part_type_id, 0)
    WHERE product_no = NEW.no AND part_type_id <> coalesce(NEW.part_type_id, 0);
    RETURN NULL;
END
$$;
-- Not when an order takes units.
CREATE TRIGGER products_are_mirrored_to_fitments AFTER UPDATE OF universal, part_type_id ON products
    FOR EACH ROW
    WHEN (OLD.universal <> NEW.universal OR OLD.part_type_id IS DISTINCT FROM NEW.part_type_id)
    EXECUTE FUNCTION mirror_product_to_fitments();

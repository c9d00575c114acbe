-- Vehicles that customers keep, and the vehicle that an order's part is for.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE garage (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    -- Of the table of vehicles that the program carries; its ids stay.
    vehicle_id integer NOT NULL CHECK (vehicle_id > 0),
    engine_id integer CHECK (engine_id > 0),
    name text CHECK (length(name) BETWEEN 1 AND 60),
    -- A VIN tells who owns a vehicle: the key that opens it is not in the database.
    vin_sealed bytea CHECK (octet_length(vin_sealed) BETWEEN 1 AND 100),
    added_at timestamptz NOT NULL,
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32),
    once_fingerprint bytea CHECK (octet_length(once_fingerprint) = 32),

    CONSTRAINT garage_once_is_whole CHECK ((once_key IS NULL) = (once_fingerprint IS NULL))
);
CREATE INDEX garage_of_account ON garage (account_id, added_at DESC, id DESC);

-- Two that are added at once would not see each other: the account is locked, and then counted anew.
CREATE FUNCTION keep_garage_small() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM accounts WHERE id = NEW.account_id FOR NO KEY UPDATE;
    IF (SELECT count(*) FROM garage WHERE account_id = NEW.account_id) >= 200 THEN
        RAISE EXCEPTION 'a garage has at most 200 vehicles'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'garage_has_at_most_200';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER garage_stays_small BEFORE INSERT ON garage
    FOR EACH ROW EXECUTE FUNCTION keep_garage_small();

-- An account is kept for its orders when it is removed, by this program or the previous one; its vehicles are not.
CREATE FUNCTION empty_garage() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM garage WHERE account_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER garage_goes_with_account AFTER UPDATE OF removed_at ON accounts
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
    EXECUTE FUNCTION empty_garage();

-- What the shop said when the order was placed: {id, engine, label, verdict, conditions}.
ALTER TABLE orders
    ADD COLUMN vehicle jsonb,
    ADD CONSTRAINT orders_vehicle_check CHECK (jsonb_typeof(vehicle) = 'object') NOT VALID;

-- How goods are delivered, what is taxed where and when, and who is exempt.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE shipping_methods (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL CONSTRAINT shipping_methods_have_a_name CHECK (length(name) BETWEEN 1 AND 60),
    -- Everywhere if there are none.
    countries text[] CONSTRAINT shipping_methods_countries_are_some CHECK (cardinality(countries) BETWEEN 1 AND 249),
    -- Cubic centimeters that count as a kilogram.
    divisor integer NOT NULL CONSTRAINT shipping_methods_divisor_is_positive CHECK (divisor BETWEEN 1 AND 1000000),
    free_over_cents bigint CONSTRAINT shipping_methods_free_over_fits CHECK (free_over_cents BETWEEN 0 AND 99999999999999),
    -- What parcels cost, lightest first: [{"grams": n, "cents": n}].
    bands jsonb NOT NULL CONSTRAINT shipping_methods_bands_are_a_list CHECK (
        jsonb_typeof(bands) = 'array' AND jsonb_array_length(bands) BETWEEN 1 AND 50
    ),
    per_extra_kg_cents bigint NOT NULL CONSTRAINT shipping_methods_extra_fits CHECK (per_extra_kg_cents BETWEEN 0 AND 99999999999999),
    pallet_from_grams integer CONSTRAINT shipping_methods_pallets_begin CHECK (pallet_from_grams BETWEEN 1 AND 100000000),
    -- Without it, an admin quotes what goes on pallets.
    per_pallet_cents bigint CONSTRAINT shipping_methods_pallet_fits CHECK (per_pallet_cents BETWEEN 0 AND 99999999999999),

    CONSTRAINT shipping_methods_pallets_have_a_weight CHECK (per_pallet_cents IS NULL OR pallet_from_grams IS NOT NULL)
);
CREATE UNIQUE INDEX shipping_methods_by_name ON shipping_methods (lower(name));

-- What the shop has promised all along.
INSERT INTO shipping_methods (name, divisor, free_over_cents, bands, per_extra_kg_cents)
VALUES ('Standard', 5000, 14000, '[{"grams": 30000, "cents": 1500}]', 0);

CREATE TABLE tax_rates (
    id uuid PRIMARY KEY,
    country text NOT NULL CONSTRAINT tax_rates_country_is_a_code CHECK (country ~ '^[A-Z]{2}$'),
    region text CONSTRAINT tax_rates_region_is_short CHECK (length(region) BETWEEN 1 AND 60),
    -- In one case, folded by the program; the whole country is ''.
    region_key text COLLATE "C" NOT NULL,
    name text NOT NULL CONSTRAINT tax_rates_have_a_name CHECK (length(name) BETWEEN 1 AND 60),
    basis_points integer NOT NULL CONSTRAINT tax_rates_are_a_part CHECK (basis_points BETWEEN 0 AND 10000),
    valid_from date NOT NULL,
    -- The last day.
    valid_until date,

    CONSTRAINT tax_rates_region_has_a_key CHECK ((region IS NULL) = (region_key = '')),
    CONSTRAINT tax_rates_end_after_they_begin CHECK (valid_until >= valid_from)
);
CREATE INDEX tax_rates_of_place ON tax_rates (country, region_key, valid_from);

-- An exclusion constraint would need an extension. Two that are written at once would not see each other, so they wait.
CREATE FUNCTION tax_rates_share_no_day() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('tax_rates', 60));
    IF EXISTS (
        SELECT FROM tax_rates AS other
        WHERE other.id <> NEW.id AND other.country = NEW.country AND other.region_key = NEW.region_key
            AND other.valid_from <= coalesce(NEW.valid_until, 'infinity')
            AND NEW.valid_from <= coalesce(other.valid_until, 'infinity')
    ) THEN
        RAISE EXCEPTION 'the tax rates of a place share no day'
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'tax_rates_share_no_day';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER tax_rates_are_one_at_a_time BEFORE INSERT OR UPDATE ON tax_rates
    FOR EACH ROW EXECUTE FUNCTION tax_rates_share_no_day();

CREATE TABLE exemptions (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    kind text NOT NULL CONSTRAINT exemptions_kind_is_known CHECK (kind IN ('resale', 'government', 'reverse-charge')),
    country text NOT NULL CONSTRAINT exemptions_country_is_a_code CHECK (country ~ '^[A-Z]{2}$'),
    region text CONSTRAINT exemptions_region_is_short CHECK (length(region) BETWEEN 1 AND 60),
    region_key text COLLATE "C" NOT NULL,
    number text NOT NULL CONSTRAINT exemptions_have_a_number CHECK (length(number) BETWEEN 1 AND 40),
    valid_until date,
    -- When a register confirmed the number.
    checked_at timestamptz,
    entered_at timestamptz NOT NULL,

    CONSTRAINT exemptions_region_has_a_key CHECK ((region IS NULL) = (region_key = '')),
    CONSTRAINT exemptions_are_one_of_a_kind UNIQUE (account_id, kind, country, region_key)
);
CREATE INDEX exemptions_latest ON exemptions (entered_at DESC, id DESC);

-- Numbers are of a person who has gone.
CREATE FUNCTION end_exemptions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM exemptions WHERE account_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER exemptions_go_with_account AFTER UPDATE OF removed_at ON accounts
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
    EXECUTE FUNCTION end_exemptions();

-- What the later tables lean on to hold their promises even against a defect of ours.

-- Refuses whatever statement it is hung on. The reason is the trigger's argument.
CREATE FUNCTION refuse() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % refused: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0]
        USING ERRCODE = 'restrict_violation';
END
$$;

-- Whether an e-mail address is in lower case and of a credible length. The rules of the shop say the rest of it; they
-- know only ASCII addresses, so that "C" lower-cases all there is.
CREATE FUNCTION is_lower_email(address text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT address = lower(address COLLATE "C")
       AND length(address) BETWEEN 3 AND 254
       AND position('@' IN address) > 1
$$;

-- What admins changed: who, what, before and after, from where. Rows are noted by triggers in the transaction of the change, and
-- become entries when it commits, each with the hash of the one before. See docs/decisions/0087-audit-trail-by-triggers.md and
-- docs/decisions/0088-hash-chain-at-commit.md.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE audit_entries (
    -- Without gaps, in the order of the commits; `at` never goes back.
    number bigint NOT NULL,
    at timestamptz NOT NULL,
    -- The admin, and the address as it was then. No reference: an entry outlives what it is about.
    account_id uuid NOT NULL,
    email text NOT NULL,
    operation text NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    kind text NOT NULL,
    change text NOT NULL,
    -- What was changed, and what it belongs to: the product of a picture, the order of a refund.
    target text,
    parent text,
    -- JSON, as text: the hash is of exactly these characters.
    before text,
    after text,
    client_address text NOT NULL,
    user_agent text,
    request_id text NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_entries_pkey PRIMARY KEY (number),
    CONSTRAINT audit_entries_number_check CHECK (number > 0),
    CONSTRAINT audit_entries_change_check CHECK (change IN ('added', 'changed', 'removed', 'done')),
    CONSTRAINT audit_entries_hash_check CHECK (octet_length(previous) = 32 AND octet_length(hash) = 32)
);
CREATE INDEX audit_entries_at ON audit_entries (at, number);
CREATE INDEX audit_entries_email ON audit_entries (email, number);
CREATE INDEX audit_entries_operation ON audit_entries (operation, number);
CREATE INDEX audit_entries_kind ON audit_entries (kind, number);
CREATE INDEX audit_entries_target ON audit_entries (target, number) WHERE target IS NOT NULL;
CREATE INDEX audit_entries_parent ON audit_entries (parent, number) WHERE parent IS NOT NULL;

-- The newest entry. It is the lock of the chain, and shows if entries were cut off behind the last one that is there.
CREATE TABLE audit_head (
    one boolean NOT NULL DEFAULT true,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    at timestamptz NOT NULL,
    CONSTRAINT audit_head_pkey PRIMARY KEY (one),
    CONSTRAINT audit_head_one_check CHECK (one)
);
INSERT INTO audit_head (number, hash, at) VALUES (0, decode(repeat('00', 32), 'hex'), '-infinity');

-- What the running transaction has changed so far. Nobody else ever sees a row of it, so that it need not survive a crash.
CREATE UNLOGGED TABLE audit_pending (
    id bigint GENERATED ALWAYS AS IDENTITY,
    xact bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    is_first boolean NOT NULL,
    is_last_round boolean NOT NULL DEFAULT false,
    kind text NOT NULL,
    change text NOT NULL,
    target text,
    parent text,
    owner text,
    before text,
    after text,
    CONSTRAINT audit_pending_pkey PRIMARY KEY (id)
);

-- A text in the bytes that are hashed: its length and itself, so that no two lists of texts are written alike.
CREATE FUNCTION audit_field(field text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN field IS NULL THEN '-,' ELSE octet_length(convert_to(field, 'UTF8')) || ':' || field || ',' END
$$;

-- Notes a change of this transaction, which is attributed to an admin.
CREATE FUNCTION note_audit(kind text, change text, target text, parent text, owner text, before text, after text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    -- Local to the transaction, and undone with a savepoint as the rows are.
    is_first boolean := coalesce(current_setting('driveline.audit_begun', true), '') = '';
BEGIN
    IF is_first THEN
        PERFORM set_config('driveline.audit_begun', 'yes', true);
    END IF;
    INSERT INTO audit_pending (is_first, kind, change, target, parent, owner, before, after)
    VALUES (is_first, kind, change, target, parent, owner, before, after);
END
$$;

-- Notes the change of a row. Its arguments: the kind; the column of the row's id, if it has one of its own; the columns that may
-- hold what it belongs to; the columns that are never shown; those that are shown of every change, because they say which row it
-- is.
CREATE FUNCTION note_audited_row() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    belongs_to text[] := TG_ARGV[2]::text[];
    hidden text[] := TG_ARGV[3]::text[];
    always text[] := TG_ARGV[4]::text[];
    old_row jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    new_row jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    whole jsonb := coalesce(new_row, old_row);
    old_values jsonb := old_row - hidden;
    new_values jsonb := new_row - hidden;
    parent text;
    holder text;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF old_values = new_values THEN
            RETURN NULL;
        END IF;
        SELECT jsonb_object_agg(key, earlier.value), jsonb_object_agg(key, later.value) INTO old_values, new_values
        FROM jsonb_each(old_values) AS earlier JOIN jsonb_each(new_values) AS later USING (key)
        WHERE earlier.value <> later.value OR key = ANY (always);
    END IF;
    FOREACH holder IN ARRAY belongs_to LOOP
        IF parent IS NULL AND holder = 'product_no' THEN
            SELECT id INTO parent FROM products WHERE no = (whole ->> holder)::integer;
        ELSIF parent IS NULL THEN
            parent := whole ->> holder;
        END IF;
    END LOOP;
    PERFORM note_audit(
        TG_ARGV[0],
        CASE TG_OP WHEN 'INSERT' THEN 'added' WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END,
        whole ->> TG_ARGV[1], parent, whole ->> 'buyer_id', old_values::text, new_values::text);
    RETURN NULL;
END
$$;

-- Turns what a transaction has noted into entries, once, as the last thing before its commit: only then is the head locked, so
-- that transactions which lock their rows in different orders do not wait for each other here. The first call puts itself off
-- behind the other triggers that wait for the commit, because those lock rows too.
CREATE FUNCTION chain_audit() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    this_xact CONSTANT bigint := pg_current_xact_id()::text::bigint;
    who jsonb;
    head audit_head%ROWTYPE;
    noted audit_pending%ROWTYPE;
    hashed bytea;
BEGIN
    IF NOT NEW.is_last_round THEN
        UPDATE audit_pending SET is_last_round = true WHERE id = NEW.id;
        RETURN NULL;
    END IF;
    -- Whatever is noted after this is chained by a call of its own.
    PERFORM set_config('driveline.audit_begun', '', true);
    who := current_setting('driveline.audit')::jsonb;
    -- Everybody may do this to what is their own.
    IF who ? 'notOwn' AND EXISTS (SELECT FROM audit_pending WHERE xact = this_xact AND owner = who ->> 'account') THEN
        DELETE FROM audit_pending WHERE xact = this_xact;
        RETURN NULL;
    END IF;
    SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
    head.at := greatest(clock_timestamp(), head.at);
    FOR noted IN SELECT * FROM audit_pending WHERE xact = this_xact ORDER BY id LOOP
        head.number := head.number + 1;
        hashed := sha256(head.hash || convert_to(
            audit_field(head.number::text) || audit_field(((extract(epoch FROM head.at) * 1000000)::bigint)::text)
            || audit_field(who ->> 'account') || audit_field(who ->> 'email')
            || audit_field(who ->> 'operation') || audit_field(who ->> 'method') || audit_field(who ->> 'route')
            || audit_field(noted.kind) || audit_field(noted.change) || audit_field(noted.target) || audit_field(noted.parent)
            || audit_field(noted.before) || audit_field(noted.after)
            || audit_field(who ->> 'address') || audit_field(who ->> 'agent') || audit_field(who ->> 'request'),
            'UTF8'));
        INSERT INTO audit_entries (
            number, at, account_id, email, operation, method, route, kind, change, target, parent, before, after,
            client_address, user_agent, request_id, previous, hash
        ) VALUES (
            head.number, head.at, (who ->> 'account')::uuid, who ->> 'email',
            who ->> 'operation', who ->> 'method', who ->> 'route',
            noted.kind, noted.change, noted.target, noted.parent, noted.before, noted.after,
            who ->> 'address', who ->> 'agent', who ->> 'request', head.hash, hashed
        );
        head.hash := hashed;
    END LOOP;
    UPDATE audit_head SET number = head.number, hash = head.hash, at = head.at;
    DELETE FROM audit_pending WHERE xact = this_xact;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER audit_pending_is_chained AFTER INSERT OR UPDATE ON audit_pending DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.is_first) EXECUTE FUNCTION chain_audit();

-- Entries are only ever added, by the function above; nor is the head moved by anybody else.
CREATE FUNCTION keep_audit() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF (TG_TABLE_NAME, TG_OP) IN (('audit_entries', 'INSERT'), ('audit_head', 'UPDATE')) AND pg_trigger_depth() > 1 THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER audit_entries_are_kept BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();
CREATE TRIGGER audit_head_is_kept BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON audit_head
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();

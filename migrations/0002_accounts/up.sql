CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    -- Unique over removed accounts too: a removed person cannot come back under the same address.
    email text NOT NULL UNIQUE CHECK (is_lower_email(email)),
    display_name text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 120),
    photo_url text CHECK (length(photo_url) BETWEEN 1 AND 2000),
    role text NOT NULL CHECK (role IN ('customer', 'admin')),
    password_hash text CHECK (password_hash <> ''),
    google_subject text UNIQUE CHECK (google_subject <> ''),
    created_at timestamptz NOT NULL,
    removed_at timestamptz
);

CREATE INDEX accounts_living ON accounts (created_at, id) WHERE removed_at IS NULL;
CREATE INDEX accounts_admins ON accounts (id) WHERE role = 'admin' AND removed_at IS NULL;

CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts
    FOR EACH ROW EXECUTE FUNCTION refuse('orders keep their buyer; set removed_at');
CREATE TRIGGER accounts_stay_all BEFORE TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('orders keep their buyer; set removed_at');

CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    -- SHA-256 of what the cookie holds; nobody can make a cookie from it.
    secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
    opened_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > opened_at),
    closed_at timestamptz
);

CREATE INDEX sessions_open_of ON sessions (account_id) WHERE closed_at IS NULL;
CREATE INDEX sessions_expiring ON sessions (expires_at);

CREATE TABLE login_guesses (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- No foreign key: guesses at addresses that nobody has count alike, or counting would tell who has an account.
    email text NOT NULL CHECK (is_lower_email(email)),
    from_address text NOT NULL CHECK (length(from_address) BETWEEN 2 AND 45),
    at timestamptz NOT NULL
);

CREATE INDEX login_guesses_at_email ON login_guesses (email, at);
CREATE INDEX login_guesses_aging ON login_guesses (at);

CREATE TABLE profiles (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    study_in text CHECK (length(study_in) BETWEEN 1 AND 200),
    lives_in text CHECK (length(lives_in) BETWEEN 1 AND 200),
    phone text CHECK (length(phone) BETWEEN 1 AND 40),
    facebook text CHECK (length(facebook) BETWEEN 1 AND 500 AND facebook ~* '^https?://'),
    linkedin text CHECK (length(linkedin) BETWEEN 1 AND 500 AND linkedin ~* '^https?://'),
    github text CHECK (length(github) BETWEEN 1 AND 500 AND github ~* '^https?://'),
    saved_at timestamptz NOT NULL
);

CREATE TABLE newsletter (
    email text PRIMARY KEY CHECK (is_lower_email(email)),
    subscribed_at timestamptz NOT NULL
);

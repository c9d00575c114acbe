CREATE TABLE reviews (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    details text NOT NULL CHECK (length(details) BETWEEN 1 AND 2000),
    rating smallint NOT NULL CHECK (rating BETWEEN 0 AND 5),
    created_at timestamptz NOT NULL,
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32)
);

CREATE INDEX reviews_oldest ON reviews (created_at, id);

-- What admins note about an order or a customer, for each other. One that is taken away stays here: its idempotency key must
-- not write it again.
CREATE TABLE notes (
    id uuid PRIMARY KEY,
    order_id uuid REFERENCES orders (id),
    account_id uuid REFERENCES accounts (id),
    author_id uuid NOT NULL REFERENCES accounts (id),
    author_email text NOT NULL CHECK (is_lower_email(author_email)),
    text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
    created_at timestamptz NOT NULL,
    removed_at timestamptz,
    removed_by uuid REFERENCES accounts (id),
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32),
    once_fingerprint bytea CHECK (octet_length(once_fingerprint) = 32),

    CONSTRAINT notes_are_about_one CHECK (num_nonnulls(order_id, account_id) = 1),
    CONSTRAINT notes_removal_is_whole CHECK ((removed_at IS NULL) = (removed_by IS NULL)),
    CONSTRAINT notes_once_is_whole CHECK ((once_key IS NULL) = (once_fingerprint IS NULL))
);
CREATE INDEX notes_of_order ON notes (order_id, created_at DESC, id DESC)
    WHERE removed_at IS NULL AND order_id IS NOT NULL;
CREATE INDEX notes_of_account ON notes (account_id, created_at DESC, id DESC)
    WHERE removed_at IS NULL AND account_id IS NOT NULL;

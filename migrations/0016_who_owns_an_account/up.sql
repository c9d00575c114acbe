-- Who has proved what about an account. `email_verified_at` does not say it: until now the link of the confirmation e-mail
-- confirmed an address for whoever had signed up with it, and Google's word was taken for every address.
ALTER TABLE accounts
    -- When it was proved that whoever holds the account's ways in reads the mail of its address: by a password set through
    -- an e-mailed link, by confirming with the account's own session or password, or by Google where it speaks for the address.
    ADD COLUMN proved_at timestamptz,
    -- Which provider `google_subject` is of; null for links of earlier programs.
    ADD COLUMN google_issuer text,
    -- When it was linked by the rules above; null for links of earlier programs, which are judged anew at the next sign-in.
    ADD COLUMN google_linked_at timestamptz,
    -- Unpaid orders placed before this moment are still to be cancelled: they were not the owner's.
    ADD COLUMN cancel_orders_before timestamptz;

-- Where Google is the only way in and has confirmed the address there is no password that somebody else could know.
UPDATE accounts SET proved_at = email_verified_at, google_linked_at = email_verified_at
    WHERE google_subject IS NOT NULL AND password_hash IS NULL AND email_verified_at IS NOT NULL;

CREATE INDEX accounts_with_orders_to_cancel ON accounts (id) WHERE cancel_orders_before IS NOT NULL;

-- Sign-ins with Google that an e-mailed link has to finish, because Google does not speak for the address.
CREATE TABLE google_sign_ins (
    -- The e-mail that asks for it.
    outbox_id bigint PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
    email text NOT NULL CHECK (is_lower_email(email)),
    issuer text NOT NULL CHECK (issuer <> ''),
    subject text NOT NULL CHECK (subject <> ''),
    display_name text,
    photo_url text,
    -- Where the browser wants to be afterwards.
    destination text NOT NULL,
    -- SHA-256 of what the browser's cookie holds: nobody else's browser can finish it.
    browser_hash bytea NOT NULL UNIQUE CHECK (octet_length(browser_hash) = 32),
    -- SHA-256 of what the e-mail's link holds. One for each attempt to send it: nobody knows which of them arrived.
    token_hashes bytea[] NOT NULL DEFAULT '{}',
    made_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > made_at),
    used_at timestamptz
);
CREATE INDEX google_sign_ins_of ON google_sign_ins (email, made_at);
CREATE INDEX google_sign_ins_aging ON google_sign_ins (expires_at);

-- Which account an e-mail to somebody else is about.
CREATE TABLE account_notices (
    outbox_id bigint PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
    about_email text NOT NULL CHECK (is_lower_email(about_email))
);

-- E-mails that went to addresses that nobody has confirmed: such an address gets few of them.
CREATE TABLE unconfirmed_mail (
    outbox_id bigint PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
    email text NOT NULL CHECK (is_lower_email(email)),
    at timestamptz NOT NULL
);
CREATE INDEX unconfirmed_mail_to ON unconfirmed_mail (email, at);

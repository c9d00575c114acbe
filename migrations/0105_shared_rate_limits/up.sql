-- How much of their limits clients have used up, which all copies of the shop count together. What a crash loses of it lets a client
-- in a little earlier, so it is not worth a line of the log or a standby's answer.
CREATE UNLOGGED TABLE rate_limits (
    -- An address, or the network of an IPv6 address.
    client text NOT NULL CHECK (length(client) <= 64),
    limited text NOT NULL,
    -- When all that the client may do at once will be there again.
    spent_until timestamptz NOT NULL,
    PRIMARY KEY (client, limited)
);
-- What limits nobody any more is deleted.
CREATE INDEX rate_limits_spent ON rate_limits (spent_until);

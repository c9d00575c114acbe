-- The failed logins of unknown devices that count against an attempt: of the account, of the network, and of both.

SELECT
    (SELECT at FROM login_guesses WHERE email = :email AND device IS NULL AND at >= :window_start
        ORDER BY at DESC OFFSET :account_limit - 1 LIMIT 1) AS of_account,
    (SELECT at FROM login_guesses WHERE from_address = :from_address AND device IS NULL AND at >= :window_start
        ORDER BY at DESC OFFSET :network_limit - 1 LIMIT 1) AS of_network,
    EXISTS (SELECT FROM login_guesses
        WHERE email = :email AND from_address = :from_address AND device IS NULL AND at >= :day_start) AS from_here,
    (SELECT count(*) FROM (SELECT FROM login_guesses
        WHERE email = :email AND beyond AND at >= :day_start LIMIT :beyond_limit) AS looks) AS beyond;

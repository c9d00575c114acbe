DROP TRIGGER second_factors_go_with_account ON accounts;
DROP FUNCTION forget_second_factors();
DROP TABLE code_attempts, second_factor_challenges, recovery_codes, passkeys, authenticator_apps;
ALTER TABLE sessions DROP COLUMN second_factor_at;
ALTER TABLE accounts DROP COLUMN second_factor_since;

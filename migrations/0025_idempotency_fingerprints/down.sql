DROP INDEX answers_of_visitors;
ALTER TABLE answers DROP COLUMN visitor;
ALTER TABLE webhook_endpoints DROP COLUMN once_key, DROP COLUMN once_fingerprint;
ALTER TABLE imports DROP COLUMN once_fingerprint;
ALTER TABLE reviews DROP COLUMN once_fingerprint;
ALTER TABLE products DROP COLUMN once_fingerprint;
ALTER TABLE restockings DROP COLUMN once_fingerprint;
ALTER TABLE orders DROP COLUMN once_fingerprint;

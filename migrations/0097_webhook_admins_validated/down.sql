-- What was validated stays valid.
SELECT 1;

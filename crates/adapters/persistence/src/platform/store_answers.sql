-- Stores the responses of a batch of claims, each only as long as its holder owns the claim.

UPDATE answers SET sealed = asked.sealed
FROM (
    SELECT * FROM unnest((SELECT :keys), (SELECT :holders), (SELECT :responses)) WITH ORDINALITY
        AS asked (key, holder, sealed, place)
    -- As in lock_products.sql.
    WHERE place BETWEEN 1 AND 1000
) AS asked
WHERE answers.key = asked.key AND answers.holder = asked.holder AND answers.sealed IS NULL;

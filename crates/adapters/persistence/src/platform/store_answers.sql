-- Stores the responses of a batch of claims, each only as long as its holder owns the claim.

UPDATE answers SET sealed = asked.sealed
FROM unnest((SELECT :keys), (SELECT :holders), (SELECT :responses)) AS asked (key, holder, sealed)
WHERE answers.key = asked.key AND answers.holder = asked.holder AND answers.sealed IS NULL;

-- Puts the units of an accepted return back in stock and enters them into the ledger. Returns nothing.

WITH stocked AS (
    UPDATE products SET available = available + :units WHERE id = :product
)
INSERT INTO stock_ledger (product_id, delta, kind, return_id, actor_id, actor_email, at)
VALUES (:product, :units, 'returned', :returned, :actor_id, :actor_email, :at);

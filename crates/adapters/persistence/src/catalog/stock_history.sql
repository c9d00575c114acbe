-- What happened to a product's stock, newest first: restockings, corrections, what feeds counted, and that it was archived.

(SELECT arriving AS units, price_cents AS cents, NULL::text AS reason, NULL::text AS note, actor_id, actor_email, at
    FROM restockings WHERE product_id = :product ORDER BY at DESC, id DESC LIMIT :limit)
UNION ALL
(SELECT delta, NULL, reason, note, actor_id, actor_email, at
    FROM stock_corrections WHERE product_id = :product ORDER BY at DESC, id DESC LIMIT :limit)
UNION ALL
(SELECT delta, NULL, 'miscount', 'Counted by a feed', actor_id, actor_email, at
    FROM stock_ledger WHERE product_id = :product AND kind = 'counted' ORDER BY id DESC LIMIT :limit)
UNION ALL
(SELECT NULL, NULL, NULL, NULL, archived_by, archived_by_email, archived_at
    FROM products WHERE id = :product AND archived_at IS NOT NULL)
ORDER BY at DESC LIMIT :limit;

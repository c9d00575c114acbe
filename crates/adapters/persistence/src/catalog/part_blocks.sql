-- The blocks of `block_size` numbers that have parts for sale, and when one of each last changed. Reads every part, block by
-- block; whoever asks keeps the answer for a while.
SELECT block.nth, changed.changed_at
FROM generate_series(0, (SELECT (max(no) - 1) / :block_size FROM products)) AS block (nth)
CROSS JOIN LATERAL (
    SELECT max(coalesce(product.changed_at, product.created_at)) AS changed_at FROM products AS product
    WHERE product.no > block.nth * :block_size AND product.no <= (block.nth + 1) * :block_size
        AND product.archived_at IS NULL
) AS changed
WHERE changed.changed_at IS NOT NULL
ORDER BY block.nth

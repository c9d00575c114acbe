-- Of the next products in the order of their ids: how many have another stock than the entries of their ledger add up to.

SELECT
    count(*) FILTER (WHERE part.available <> part.ledger) AS drifted,
    (array_agg(part.id ORDER BY part.id DESC))[1] AS last
FROM (
    SELECT
        products.id,
        products.available,
        (SELECT coalesce(sum(delta), 0) FROM stock_ledger WHERE stock_ledger.product_id = products.id) AS ledger
    FROM products
    WHERE products.id > :after
    ORDER BY products.id
    LIMIT :limit
) AS part;

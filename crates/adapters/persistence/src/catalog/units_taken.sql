-- How many units a product has, plus those that cancelled orders could still return.

SELECT available + coalesce((
    SELECT sum(quantity) FROM orders
    WHERE product_id = products.id AND cancelled_at IS NULL AND fulfilment = 'pending'
), 0)::bigint FROM products WHERE id = :product;

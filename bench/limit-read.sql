\set n random(1, :orders)
SELECT * FROM orders WHERE id = (lpad(to_hex(:n::bigint), 8, '0') || left(md5('order'), 24))::uuid;

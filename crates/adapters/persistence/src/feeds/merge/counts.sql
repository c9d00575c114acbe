SELECT count(*) AS row_count,
    count(*) FILTER (WHERE outcome = 'added') AS added,
    count(*) FILTER (WHERE outcome = 'changed') AS changed,
    count(*) FILTER (WHERE outcome = 'same') AS same,
    count(*) FILTER (WHERE outcome = 'refused') AS refused,
    (SELECT count(*) FROM feed_gone) AS archived,
    (SELECT count(*) FROM feed_problems) AS findings,
    EXISTS (
        SELECT FROM (SELECT group_key, count(*) AS gone FROM feed_gone GROUP BY group_key) AS brand
        WHERE gone * 100 > (SELECT archive_percent FROM feed_job) * (
            SELECT count(*) FROM products AS product JOIN brands ON brands.id = product.brand_id
            LEFT JOIN part_numbers AS number ON (SELECT kind FROM feed_job) = 'numbers' AND number.product_no = product.no
            WHERE brands.name_key = brand.group_key
                AND CASE (SELECT kind FROM feed_job) WHEN 'numbers' THEN number.feed_id IS NOT NULL ELSE product.archived_at IS NULL END
        )
    ) AS archives_much
FROM feed_found

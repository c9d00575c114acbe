SELECT count(*) AS row_count,
    count(*) FILTER (WHERE outcome = 'added') AS added,
    count(*) FILTER (WHERE outcome = 'changed') AS changed,
    count(*) FILTER (WHERE outcome = 'same') AS same,
    count(*) FILTER (WHERE outcome = 'refused') AS refused,
    (SELECT count(*) FROM feed_gone) AS archived,
    (SELECT count(*) FROM feed_problems) AS findings,
    EXISTS (
        SELECT FROM (SELECT group_key, count(*) AS gone FROM feed_gone GROUP BY group_key) AS brand, feed_job AS job
        WHERE gone * 100 > job.archive_percent * CASE job.kind
            WHEN 'numbers' THEN (
                SELECT count(*) FROM brands
                JOIN products AS product ON product.brand_id = brands.id
                JOIN part_numbers AS number ON number.product_no = product.no AND number.feed_id IS NOT NULL
                WHERE brands.name_key = brand.group_key
            )
            WHEN 'fitment' THEN (
                SELECT count(*) FROM brands
                JOIN products AS product ON product.brand_id = brands.id
                JOIN fitments AS fitment ON fitment.product_no = product.no
                JOIN fitment_sources AS source ON source.id = fitment.source_id
                JOIN feeds AS earlier ON earlier.id = source.feed_id AND earlier.kind = job.kind
                WHERE brands.name_key = brand.group_key
            )
            ELSE (
                SELECT count(*) FROM brands
                JOIN products AS product ON product.brand_id = brands.id AND product.archived_at IS NULL
                WHERE brands.name_key = brand.group_key
            )
        END
    ) AS archives_much
FROM feed_found

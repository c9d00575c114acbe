-- What a checkout says on a packing slip or a confirmation, and whose it is: the lines of it that were not cancelled. No row if
-- there is none, or all of it was cancelled.

SELECT checkouts.buyer_id AS owner, jsonb_build_object(
    'purchase', checkout_as_shown(checkouts.number),
    'placedAt', checkouts.placed_at,
    'seller', seller_as_printed(),
    'buyer', jsonb_build_object('name', contact_name, 'email', contact_email, 'phone', contact_phone, 'vatId', NULL,
        'address', address),
    'deliverTo', address,
    'poNumber', po_number,
    'note', note,
    'freightWaits', shipping_cents IS NULL,
    'lines', lines_as_printed(members.ids)
) AS printed
FROM checkouts
CROSS JOIN LATERAL (
    SELECT array_agg(orders.id) AS ids FROM orders WHERE orders.checkout_id = checkouts.id AND orders.cancelled_at IS NULL
) AS members
WHERE checkouts.id = :checkout_id AND members.ids IS NOT NULL;

-- What an order says on a packing slip or a confirmation, and whose it is. No row if there is none, or it was cancelled.

SELECT orders.buyer_id AS owner, jsonb_build_object(
    'purchase', 'DL-' || orders.number,
    'placedAt', orders.placed_at,
    'seller', seller_as_printed(),
    'buyer', jsonb_build_object('name', orders.contact_name, 'email', orders.contact_email, 'phone', orders.contact_phone,
        'vatId', NULL, 'address', coalesce(checkouts.address, jsonb_build_object('text', orders.contact_address))),
    'deliverTo', coalesce(checkouts.address, jsonb_build_object('text', orders.contact_address)),
    'poNumber', coalesce(checkouts.po_number, orders.po_number),
    'note', checkouts.note,
    'freightWaits', orders.awaits_freight,
    'lines', lines_as_printed(ARRAY[orders.id])
) AS printed
FROM orders LEFT JOIN checkouts ON checkouts.id = orders.checkout_id
WHERE orders.id = :order_id AND orders.cancelled_at IS NULL;

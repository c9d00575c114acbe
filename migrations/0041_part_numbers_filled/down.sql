DELETE FROM product_search;
DELETE FROM part_numbers WHERE kind = 1;
DELETE FROM synonyms;
DELETE FROM part_types WHERE id < 1000 AND NOT EXISTS (SELECT FROM products WHERE part_type_id = part_types.id);

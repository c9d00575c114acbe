DROP TRIGGER products_are_mirrored_to_fitments ON products;
DROP TRIGGER products_are_universal_when_added ON products;
DROP FUNCTION mirror_product_to_fitments(), mirror_new_universal_products();
DROP TABLE universal_products, fitments, conditions, fitment_sources;

DELETE FROM product_positions;

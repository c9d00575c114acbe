DROP TABLE product_pictures;

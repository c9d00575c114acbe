-- Further pictures of a product; the first one stays its `img`.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE product_pictures (
    product_no integer NOT NULL REFERENCES products (no),
    -- Where it stands; the product's `img` has the place 0.
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 11),
    img text NOT NULL CHECK (length(img) BETWEEN 1 AND 2000),
    PRIMARY KEY (product_no, place)
);

-- What pages for everybody say of a part: since when, and in more than one picture.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE products
    -- When what is said of the part last changed; null for what has not changed since it was added.
    ADD COLUMN changed_at timestamptz,
    -- The pictures beside the first one, in their order.
    ADD COLUMN more_imgs text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT products_pictures_are_few CHECK (cardinality(more_imgs) <= 11) NOT VALID;

-- Here, so that no way of changing a product forgets it and the previous program's changes count too. Not when an order takes
-- units.
CREATE FUNCTION date_product_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END
$$;
CREATE TRIGGER products_are_dated BEFORE UPDATE OF name, description, part_number, category, img, price_cents, min_order,
    brand_id, part_type_id, universal, pack_size, weight_grams, length_mm, width_mm, height_mm, replaced_by, archived_at, more_imgs
    ON products FOR EACH ROW EXECUTE FUNCTION date_product_change();

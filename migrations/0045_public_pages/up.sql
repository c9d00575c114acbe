-- Since when pages for everybody say of a part what they say.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE products
    -- When what is said of the part last changed; null for what has not changed since it was added.
    ADD COLUMN changed_at timestamptz;

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
    brand_id, part_type_id, universal, pack_size, weight_grams, length_mm, width_mm, height_mm, replaced_by, archived_at
    ON products FOR EACH ROW EXECUTE FUNCTION date_product_change();

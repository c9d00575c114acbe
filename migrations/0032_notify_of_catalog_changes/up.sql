-- Every copy of the program keeps the catalogue in memory, and hears here which products changed. Triggers, so that no way of
-- changing a product can forget it, and copies of the previous program are heard too. One for each statement and not for each
-- row: a statement of a hundred orders sends one message.

CREATE FUNCTION notify_of_products() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    -- A message has room for 8,000 bytes.
    PERFORM pg_notify('driveline_products', string_agg(id::text, ','))
    FROM (SELECT id, row_number() OVER () / 200 AS message FROM changed) AS numbered
    GROUP BY message;
    RETURN NULL;
END
$$;

CREATE FUNCTION notify_of_reviews() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('driveline_reviews', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER products_are_announced_when_added AFTER INSERT ON products
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_of_products();
CREATE TRIGGER products_are_announced_when_changed AFTER UPDATE ON products
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_of_products();
CREATE TRIGGER reviews_are_announced AFTER INSERT OR UPDATE ON reviews
    FOR EACH STATEMENT EXECUTE FUNCTION notify_of_reviews();

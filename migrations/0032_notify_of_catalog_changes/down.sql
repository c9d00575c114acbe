DROP TRIGGER reviews_are_announced ON reviews;
DROP TRIGGER products_are_announced_when_changed ON products;
DROP TRIGGER products_are_announced_when_added ON products;
DROP FUNCTION notify_of_reviews();
DROP FUNCTION notify_of_products();

DROP TRIGGER positions_are_noted_when_removed ON fitments;
DROP TRIGGER positions_are_noted_when_added ON fitments;
DROP FUNCTION note_removed_positions();
DROP FUNCTION note_added_positions();
DROP TABLE product_positions;

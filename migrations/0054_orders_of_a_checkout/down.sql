DROP INDEX orders_lines;

DROP INDEX products_by_no;

DROP INDEX checkouts_waiting;

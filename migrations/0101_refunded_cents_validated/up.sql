-- Reading every order to see that the constraint of 0088 holds takes seconds for millions of them. In the step that adds the column it
-- would hold the table meanwhile, and every order would wait; in a step of its own it holds nobody up.
ALTER TABLE orders VALIDATE CONSTRAINT orders_refunded_cents_fit;

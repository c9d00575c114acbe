-- Which part a review is about, as the part was called then; whether its author had paid for an order, of that part if it names
-- one; and the author's account by its name, where the review was signed with another. All are absent in what the previous
-- program writes, and in every review from before.
ALTER TABLE reviews
    ADD COLUMN product_id uuid,
    ADD COLUMN product_name text,
    ADD COLUMN part_number text,
    ADD COLUMN is_verified boolean NOT NULL DEFAULT false,
    ADD COLUMN author text,
    ADD CONSTRAINT reviews_product_id_fkey FOREIGN KEY (product_id) REFERENCES products (id) NOT VALID,
    ADD CONSTRAINT reviews_part_is_whole CHECK (
        (product_id IS NULL) = (product_name IS NULL) AND (part_number IS NULL OR product_id IS NOT NULL)
    ) NOT VALID,
    ADD CONSTRAINT reviews_product_name_fits CHECK (length(product_name) BETWEEN 1 AND 200) NOT VALID,
    ADD CONSTRAINT reviews_part_number_fits CHECK (length(part_number) BETWEEN 1 AND 60) NOT VALID,
    ADD CONSTRAINT reviews_author_fits CHECK (length(author) BETWEEN 1 AND 120) NOT VALID;

-- The latest reviews of a part, and its stars.
-- lint: no review names a part yet, so the index is empty; a shop has few reviews, and reads through them in milliseconds.
CREATE INDEX reviews_of_product ON reviews (product_id, created_at DESC, id DESC) INCLUDE (rating)
    WHERE removed_at IS NULL AND product_id IS NOT NULL;
-- lint: reviews are removed one by one and by hand, so there are few.
CREATE INDEX reviews_hidden ON reviews (removed_at DESC, id DESC) WHERE removed_at IS NOT NULL;

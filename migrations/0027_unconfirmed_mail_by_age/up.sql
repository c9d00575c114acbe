-- Counted e-mails are deleted by their age, in batches: without it every batch would read the whole table.
CREATE INDEX CONCURRENTLY unconfirmed_mail_aging ON unconfirmed_mail (at);

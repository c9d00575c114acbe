DROP INDEX unconfirmed_mail_aging;

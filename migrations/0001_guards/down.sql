DROP FUNCTION is_lower_email(text);
DROP FUNCTION refuse();

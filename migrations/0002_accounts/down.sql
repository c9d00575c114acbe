DROP TABLE newsletter;
DROP TABLE profiles;
DROP TABLE login_guesses;
DROP TABLE sessions;
DROP TABLE accounts;

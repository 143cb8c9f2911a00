-- The gateways' role: it owns one schema, in which the gateways make their tables, and may do nothing else.
-- psql runs it once, in the gateways' database, as its owner; GATEWAY_PASSWORD_FILE names a file with the password.
\set ON_ERROR_STOP on
\set password `cat "$GATEWAY_PASSWORD_FILE"`
SELECT current_database() AS database \gset

-- Three connections of each gateway, and those of commands.
CREATE ROLE headgate LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION CONNECTION LIMIT 64 PASSWORD :'password';
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO headgate;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA headgate AUTHORIZATION headgate;

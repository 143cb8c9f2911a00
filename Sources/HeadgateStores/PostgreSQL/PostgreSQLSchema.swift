/// Tables of all gateways that share a database, in the schema `headgate`. Versions only increase.
enum PostgreSQLSchema {
    /// Advisory locks in the gateway's namespace ("hgat").
    enum Lock: Int {
        case schema = 1
        case keys = 2
        case forgetting = 3

        /// Arguments of a function that takes the lock.
        var arguments: String { "1751605620, \(rawValue)" }
    }

    /// Channel of notifications about changed keys. The payload is the name of a key, or empty for all keys.
    static let keyChannel = "headgate_keys"

    /// Migrations as lists of statements; the n-th one leads from version n to n + 1.
    static let migrations: [[String]] = [requestsAndKeys]

    /// Migrates the tables to the latest version, or leaves everything unchanged.
    static func prepare(_ connection: PostgreSQLConnection) throws(StoreError) {
        if try version(connection) == migrations.count { return }
        do throws(StoreError) {
            try connection.transaction { () throws(StoreError) in
                try connection.query("SELECT pg_advisory_xact_lock(\(Lock.schema.arguments))")
                // Another gateway might have been faster.
                let version = try version(connection)
                guard version < migrations.count else { return }
                let schemas = "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'headgate')"
                if try !connection.query(schemas).flag(0, 0) {
                    try connection.query("CREATE SCHEMA headgate")
                }
                for migration in migrations[version...] {
                    for statement in migration {
                        try connection.query(statement, within: connection.server.patience.work)
                    }
                }
                try connection.query("UPDATE headgate.schema_version SET version = \(migrations.count)")
            }
        } catch {
            guard error.cause == .forbidden else { throw error }
            throw StoreError(.noTables, connection.server.name, error.reason)
        }
    }

    /// Returns the version; 0 if there are no tables.
    static func version(_ connection: PostgreSQLConnection) throws(StoreError) -> Int {
        // Queries the catalog itself, since PostgreSQL's cache of it can be older than the lock.
        let tables = try connection.query(
            """
            SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n
                ON n.oid = c.relnamespace WHERE n.nspname = 'headgate' AND c.relname = 'schema_version')
            """)
        guard tables.flag(0, 0) else { return 0 }
        let rows = try connection.query("SELECT version FROM headgate.schema_version")
        let (version, name) = (Int(rows.integer(0, 0)), connection.server.name)
        guard rows.count == 1, version > 0 else { throw StoreError(.damaged, name, "its version is \(version)") }
        guard version <= migrations.count else {
            throw StoreError(.newer, name, "its version is \(version), this one knows \(migrations.count)")
        }
        return version
    }

    private static let requestsAndKeys = [
        "CREATE TABLE headgate.schema_version (version integer NOT NULL)",
        "INSERT INTO headgate.schema_version VALUES (0)",
        // A request is identified by the time of its end, its gateway's number and its own. Writing it again changes
        // nothing.
        """
        CREATE TABLE headgate.requests (
            ended bigint NOT NULL,
            process bigint NOT NULL,
            sequence bigint NOT NULL,
            request_id text COLLATE "C" NOT NULL,
            started bigint NOT NULL,
            key text COLLATE "C" NOT NULL,
            operation text COLLATE "C" NOT NULL,
            model text COLLATE "C" NOT NULL,
            upstream text COLLATE "C" NOT NULL,
            upstream_model text COLLATE "C" NOT NULL,
            status integer NOT NULL,
            outcome text COLLATE "C" NOT NULL,
            attempts integer NOT NULL,
            prompt_tokens bigint,
            completion_tokens bigint,
            cached_tokens bigint,
            token_source text COLLATE "C" NOT NULL,
            cost bigint,
            is_stream boolean NOT NULL,
            PRIMARY KEY (ended, process, sequence)
        )
        """,
        """
        COMMENT ON TABLE headgate.requests IS
            'Times are milliseconds since 1970, costs picodollars. What is not there is an empty text.'
        """,
        """
        CREATE TABLE headgate.keys (
            name text COLLATE "C" PRIMARY KEY,
            digest bytea NOT NULL UNIQUE,
            identity bytea NOT NULL,
            settings text NOT NULL,
            created bigint NOT NULL
        )
        """,
        """
        CREATE TABLE headgate.former_keys (
            name text COLLATE "C" NOT NULL REFERENCES headgate.keys ON DELETE CASCADE,
            digest bytea NOT NULL,
            ends bigint NOT NULL,
            PRIMARY KEY (name, digest)
        )
        """,
        "CREATE INDEX former_keys_digest ON headgate.former_keys (digest)",
        // Revoked keys in groups, whose usage still counts for their groups. They are stored for as long as budgets
        // reach back.
        """
        CREATE TABLE headgate.revoked_keys (
            name text COLLATE "C" PRIMARY KEY,
            settings text NOT NULL,
            at bigint NOT NULL
        )
        """,
        // Gateways are notified of every change, by any client of the database.
        """
        CREATE FUNCTION headgate.tell_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP <> 'INSERT' THEN
                PERFORM pg_catalog.pg_notify('\(keyChannel)',
                    CASE WHEN pg_catalog.octet_length(OLD.name) < 1000 THEN OLD.name ELSE '' END);
            END IF;
            IF TG_OP <> 'DELETE' THEN
                PERFORM pg_catalog.pg_notify('\(keyChannel)',
                    CASE WHEN pg_catalog.octet_length(NEW.name) < 1000 THEN NEW.name ELSE '' END);
            END IF;
            RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION headgate.tell_of_all_keys() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_catalog.pg_notify('\(keyChannel)', '');
            RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON headgate.keys
            FOR EACH ROW EXECUTE FUNCTION headgate.tell_of_key()
        """,
        """
        CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON headgate.former_keys
            FOR EACH ROW EXECUTE FUNCTION headgate.tell_of_key()
        """,
        """
        CREATE TRIGGER tell_all AFTER TRUNCATE ON headgate.keys
            FOR EACH STATEMENT EXECUTE FUNCTION headgate.tell_of_all_keys()
        """,
    ]
}

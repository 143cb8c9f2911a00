internal import CPostgreSQL
internal import HeadgateConfiguration
internal import HeadgateLibC

/// Connection to PostgreSQL. Used by one thread at a time, which waits for results up to a limit.
final class PostgreSQLConnection {
    let server: PostgreSQLServer
    private let library: headgate_postgresql
    private let connection: OpaquePointer
    /// Whether it can no longer be used.
    private(set) var isBroken = false
    /// Milliseconds after which the server cancels a statement.
    private var statementTimeout: Int64 = -1

    private static let watch = Duration.milliseconds(50)

    init(to server: PostgreSQLServer) throws(StoreError) {
        guard let library = PostgreSQLLibrary.functions else { throw StoreError(.noPostgreSQL, server.name) }
        self.server = server
        self.library = library
        // Parameters of the URL override those before `dbname`, and are overridden by those after it.
        let parameters = [
            ("connect_timeout", "\(server.patience.connecting)"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
            ("fallback_application_name", "headgate"), ("dbname", server.current.reveal()),
            ("client_encoding", "UTF8"),
        ]
        let names = TextArray(parameters.map(\.0))
        let values = TextArray(parameters.map(\.1))
        let made = names.withPointers { names in
            values.withPointers { values in library.connectdbParams(names, values, 1) }
        }
        guard let made else { throw StoreError(.failed, server.name, "there is no memory for a connection") }
        connection = made
        _ = library.setnonblocking(connection, 1)
        _ = library.setNoticeReceiver(connection, { _, _ in }, nil)
        guard library.status(connection) == CONNECTION_OK else {
            isBroken = true
            throw StoreError(connecting: message, server)
        }
        let encoding = library.parameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? ""
        guard encoding == "UTF8" else { throw StoreError(.notUTF8, server.name, encoding) }
        try settle()
    }

    deinit { library.finish(connection) }

    /// Applies the session's settings. Names are always qualified, so that no other object can take their place. A
    /// transaction of a gateway that vanished does not block others for long.
    private func settle() throws(StoreError) {
        _ = try query(
            """
            SELECT set_config('search_path', 'pg_catalog, pg_temp', false),
                set_config('idle_in_transaction_session_timeout', '60000', false),
                set_config('lock_timeout', '10000', false),
                (SELECT set_config(name, '1000', false) FROM pg_catalog.pg_settings
                    WHERE name = 'client_connection_check_interval')
            """)
    }

    private var message: String { library.errorMessage(connection).map { String(cString: $0) } ?? "" }

    private func broken(_ reason: String) -> StoreError {
        isBroken = true
        return StoreError(.unreachable, server.name, server.shown(reason))
    }

    // MARK: Statements

    /// Runs one statement and waits for its result.
    ///
    /// - Parameters:
    ///   - limit: maximum time, here and on the server; nil for immediate statements.
    ///   - isGivenUp: called many times a second. If it returns true, the connection is broken, and the error's cause
    ///     is `cancelled`.
    @discardableResult
    func query(
        _ text: String, _ values: [PostgreSQLValue] = [], within limit: Duration? = nil,
        until isGivenUp: (() -> Bool)? = nil
    ) throws(StoreError) -> PostgreSQLRows {
        guard !isBroken else { throw StoreError(.unreachable, server.name, "the connection is lost") }
        let limit = limit ?? server.patience.answer
        let milliseconds = Int64(limit / .milliseconds(1))
        if milliseconds != statementTimeout {
            statementTimeout = milliseconds
            // The server cancels the statement. The client waits a little longer, in case the server does not respond
            // at all.
            try run(
                "SELECT pg_catalog.set_config('statement_timeout', $1, false)", [.text("\(milliseconds)")],
                server.patience.answer, nil)
        }
        return try run(text, values, limit + server.patience.answer / 2, isGivenUp)
    }

    @discardableResult
    private func run(
        _ text: String, _ values: [PostgreSQLValue], _ limit: Duration, _ isGivenUp: (() -> Bool)?
    ) throws(StoreError) -> PostgreSQLRows {
        let deadline = ContinuousClock.now.advanced(by: limit)
        let sent = TextArray(values.map(\.text)).withPointers { pointers in
            library.sendQueryParams(connection, text, Int32(values.count), nil, pointers, nil, nil, 0)
        }
        guard sent == 1 else { throw broken(message) }
        var (rows, failure): (PostgreSQLRows?, StoreError?)
        while true {
            try wait(until: deadline, isGivenUp)
            guard let result = library.getResult(connection) else { break }
            let status = library.resultStatus(result)
            if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK {
                rows = PostgreSQLRows(result, library)
            } else {
                failure = failure ?? error(of: result)
                library.clear(result)
            }
        }
        if let failure {
            // A server that became a standby, or is shutting down, does not recover on this connection.
            isBroken = isBroken || failure.cause == .readOnly || failure.cause == .unreachable
            throw failure
        }
        guard let rows else { throw broken(message) }
        return rows
    }

    private func error(of result: OpaquePointer) -> StoreError {
        func field(_ code: Character) -> String {
            library.resultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) } ?? ""
        }
        // Only the first line: the others can contain values of a row.
        let (state, text) = (field("C"), field("M"))
        return state.isEmpty ? broken(message) : StoreError(state: state, server.shown(text), server.name)
    }

    /// Sends pending data and waits until a result is available.
    private func wait(
        until deadline: ContinuousClock.Instant, _ isGivenUp: (() -> Bool)?
    ) throws(StoreError) {
        while true {
            let unsent = library.flush(connection)
            guard unsent >= 0 else { throw broken(message) }
            if unsent == 0, library.isBusy(connection) == 0 { return }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw broken("it does not answer") }
            let pause = isGivenUp == nil ? left : min(left, PostgreSQLConnection.watch)
            if ready(within: pause, toWrite: unsent == 1), library.consumeInput(connection) == 0 {
                throw broken(message)
            }
            if let isGivenUp, isGivenUp() {
                isBroken = true
                throw StoreError(.cancelled, server.name)
            }
        }
    }

    private func ready(within limit: Duration, toWrite: Bool = false) -> Bool {
        var entry = pollfd(
            fd: library.socket(connection), events: Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0), revents: 0)
        return poll(&entry, 1, Int32(clamping: Int64((limit / .milliseconds(1)).rounded(.up)))) > 0
    }

    // MARK: Transactions

    /// Runs work in a transaction. If the connection breaks during the commit, its outcome is unknown.
    @discardableResult
    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try query("BEGIN")
        do throws(StoreError) {
            let value = try body()
            try query("COMMIT", within: server.patience.work)
            return value
        } catch {
            if !isBroken { _ = try? query("ROLLBACK") }
            throw error
        }
    }

    // MARK: Between statements

    /// Descriptor to wait on for notifications.
    var descriptor: Int32 { library.socket(connection) }

    /// Returns pending notifications without waiting.
    ///
    /// - Throws: if the connection is lost.
    func listen() throws(StoreError) -> [String] {
        guard !isBroken else { throw StoreError(.unreachable, server.name, "the connection is lost") }
        var told: [String] = []
        // A server that shuts down sends its last messages before it closes the connection.
        repeat {
            guard !ready(within: .zero) || library.consumeInput(connection) == 1 else { throw broken(message) }
            while let notice = library.notifies(connection) {
                told.append(String(cString: notice.pointee.extra))
                library.freemem(notice)
            }
        } while ready(within: .zero)
        guard library.status(connection) == CONNECTION_OK else { throw broken(message) }
        return told
    }
}

/// The system's libpq, opened with the first connection.
enum PostgreSQLLibrary {
    /// Functions of libpq; nil if the system does not have it.
    static let functions: headgate_postgresql? = {
        var table = headgate_postgresql()
        return headgate_postgresql_load(&table) == 0 ? table : nil
    }()
}

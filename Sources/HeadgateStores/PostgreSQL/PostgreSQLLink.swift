internal import HeadgateEventLoop

/// Connection of one thread to PostgreSQL, made on demand and again after a loss. An unavailable server is retried at
/// growing intervals; between attempts, calls fail at once.
final class PostgreSQLLink {
    let server: PostgreSQLServer
    private let prepare: (PostgreSQLConnection) throws(StoreError) -> Void
    private var connection: PostgreSQLConnection?
    private var failure: (error: StoreError, attempts: Int, end: ContinuousClock.Instant)?

    /// - Parameter prepare: called with each new connection, once the tables exist.
    init(
        to server: PostgreSQLServer,
        prepare: @escaping (PostgreSQLConnection) throws(StoreError) -> Void = { (_) throws(StoreError) in }
    ) {
        self.server = server
        self.prepare = prepare
    }

    /// Returns the connection, connecting if there is none.
    ///
    /// - Parameter isNew: called if the connection is new.
    func open(isNew: () -> Void = {}) throws(StoreError) -> PostgreSQLConnection {
        // A connection that was closed while it was idle is not known to be broken yet.
        if let connection, !connection.isBroken { return connection }
        connection = nil
        if let failure, ContinuousClock.now < failure.end { throw failure.error }
        do throws(StoreError) {
            let made = try server.connect()
            try PostgreSQLSchema.prepare(made)
            try prepare(made)
            connection = made
            failure = nil
            isNew()
            return made
        } catch {
            let attempts = (failure?.attempts ?? 0) + 1
            let pause = server.patience.pause
            let next = min(pause.first * Double(1 << min(attempts - 1, 16)), pause.longest)
            failure = (error, attempts, ContinuousClock.now.advanced(by: next))
            throw error
        }
    }

    /// Runs work on the connection, and again on a new one if the connection turns out to be lost.
    ///
    /// - Parameter work: can be called twice.
    @discardableResult
    func retrying<Value>(_ work: (PostgreSQLConnection) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let wasOpen = connection != nil
        do throws(StoreError) {
            return try work(try open())
        } catch {
            guard wasOpen, error.cause == .unreachable || error.cause == .readOnly else { throw error }
            return try work(try open())
        }
    }

    /// Time until the next attempt to reach an unavailable server; zero if it can be tried at once.
    var pause: Duration {
        failure.map { max(ContinuousClock.now.duration(to: $0.end), .zero) } ?? .zero
    }

    func close() { connection = nil }
}

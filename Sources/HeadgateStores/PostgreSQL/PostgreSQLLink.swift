internal import HeadgateEventLoop

/// The connection of one thread to PostgreSQL: made when it is needed, and again where it was lost. A server that is
/// not there is tried less and less often; in between it is known not to be there.
final class PostgreSQLLink {
    let server: PostgreSQLServer
    private let prepare: (PostgreSQLConnection) throws(StoreError) -> Void
    private var connection: PostgreSQLConnection?
    private var failure: (error: StoreError, attempts: Int, end: ContinuousClock.Instant)?

    /// - Parameter prepare: called with each new connection, once its tables are known to be there.
    init(
        to server: PostgreSQLServer,
        prepare: @escaping (PostgreSQLConnection) throws(StoreError) -> Void = { (_) throws(StoreError) in }
    ) {
        self.server = server
        self.prepare = prepare
    }

    /// The connection, which is made where there is none.
    ///
    /// - Parameter isNew: called where it was made just now.
    func open(isNew: () -> Void = {}) throws(StoreError) -> PostgreSQLConnection {
        // One that has rested may have ended meanwhile.
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

    /// Uses it, and once more where it turns out to be lost.
    ///
    /// - Parameter work: may be done twice.
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

    /// Until what a server that was not there may be tried again; zero where it may be at once.
    var pause: Duration {
        failure.map { max(ContinuousClock.now.duration(to: $0.end), .zero) } ?? .zero
    }

    func close() { connection = nil }
}

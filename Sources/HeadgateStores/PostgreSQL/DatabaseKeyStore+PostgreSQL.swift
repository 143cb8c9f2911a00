internal import HeadgateEventLoop
package import HeadgateGateway
internal import HeadgatePrimitives
internal import HeadgateRelay

extension DatabaseKeyStore {
    /// Creates a store in a PostgreSQL database, which gateways share. Each gateway is notified of changes at once.
    /// After a disconnect, it reads all keys again.
    ///
    /// Waits some seconds for the first response. An unavailable server is retried; until it responds, no keys are
    /// reported.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for the first response.
    ///   - told: called with the changed keys before a requested change completes; nil if no one needs them.
    ///   - report: called with the reason why keys cannot be read, once until they can be read again.
    /// - Throws: ``StoreError`` for permanent failures, or `ThreadShortage`.
    package convenience init(
        on server: PostgreSQLServer, patience: Duration = .seconds(6), told: (@Sendable (KeyStoreNews) -> Void)?,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let (looked, failure) = (Latch(), Locked<StoreError?>(nil))
        let thread = try KeyThread(
            PostgreSQLKeys(server), told: told,
            looked: { error in
                failure.withLock { $0 = error }
                looked.open()
            }, report: report)
        _ = looked.wait(atMost: patience)
        if let error = failure.withLock(\.self), error.isLasting {
            thread.end()
            throw error
        }
        self.init(thread)
    }
}

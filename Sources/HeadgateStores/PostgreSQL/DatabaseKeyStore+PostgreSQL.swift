internal import HeadgateEventLoop
package import HeadgateGateway
internal import HeadgatePrimitives
internal import HeadgateRelay

extension DatabaseKeyStore {
    /// Of a database of PostgreSQL, which other gateways share: each hears of the others' changes at once, and reads
    /// all keys anew where it has not been connected for a while.
    ///
    /// Waits some seconds for the first answer. A server that is not there then is asked again and again; until it
    /// answers no key is told of.
    ///
    /// - Parameters:
    ///   - patience: how long is waited for the first answer.
    ///   - told: of its keys, before a change that was asked for is completed; nil where nobody needs to know.
    ///   - report: told, once until it is over, what keeps keys from being read.
    /// - Throws: ``StoreError`` for what time does not mend, or `ThreadShortage`.
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

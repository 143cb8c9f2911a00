internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateLibC
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Thread of a database of keys. It runs jobs in order, and polls for changes by others between them.
final class KeyThread: Sendable {
    /// - Returns: a closure that is called after changes have been reported, with the reason if they could not be read.
    private typealias Job = @Sendable (any KeyDatabase) -> @Sendable (_ unread: StoreError?) -> Void

    private struct State: Sendable {
        var queue: [(isWriting: Bool, job: Job)] = []
        var isClosed = false
    }

    /// Maximum number of pending jobs, which are requests of administrators.
    private static let mostJobs = 1024

    private let name: String
    private let state = Locked(State())
    private let database: Locked<(any KeyDatabase)?>
    private let wakeUp = WakeUp()
    private let thread = EndingThread()
    private let revokedSettings: Locked<[String: String]>
    private let told: (@Sendable (KeyStoreNews) -> Void)?
    private let looked: @Sendable (StoreError?) -> Void
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - revoked: initial value of ``revoked``.
    ///   - told: called with changed keys; nil if no one needs them.
    ///   - looked: called after the first query, with the reason if it failed.
    init(
        _ database: sending any KeyDatabase, revoked: [String: String] = [:],
        told: (@Sendable (KeyStoreNews) -> Void)?, looked: @escaping @Sendable (StoreError?) -> Void = { _ in },
        report: @escaping @Sendable (String) -> Void
    ) throws(ThreadShortage) {
        name = database.name
        revokedSettings = Locked(revoked)
        self.told = told
        self.looked = looked
        self.report = report
        self.database = Locked(database)
        try thread.start(running: runKeyThread, with: self)
    }

    /// Settings of keys in groups that were revoked before all keys were read, by name.
    var revoked: [String: String] { revokedSettings.withLock(\.self) }

    /// Adds a job, from any thread, without waiting.
    func append<Value: Sendable>(
        isWriting: Bool, _ completion: @escaping @Sendable (Result<Value, KeyStoreFailure>) -> Void,
        _ work: @escaping @Sendable (any KeyDatabase) throws(StoreError) -> Value
    ) {
        let refusal: StoreError.Cause? = state.withLock { state in
            if state.isClosed { return .closed }
            guard state.queue.count < KeyThread.mostJobs else { return .overloaded }
            let job: Job = { [report] database in
                do throws(StoreError) {
                    let value = try work(database)
                    // A revocation is not confirmed while the key is still admitted.
                    return { completion($0.map { .failure(KeyStoreFailure("\($0)")) } ?? .success(value)) }
                } catch {
                    report("\(error); an admin's request has failed")
                    let failure = KeyStoreFailure("\(error)")
                    return { _ in completion(.failure(failure)) }
                }
            }
            state.queue.append((isWriting, job))
            return nil
        }
        guard let refusal else { return wakeUp.raise() }
        completion(.failure(KeyStoreFailure("\(StoreError(refusal, name))")))
    }

    /// Finishes pending jobs, accepts no more, and closes the database. Does not wait for the end.
    func end() {
        state.withLock { $0.isClosed = true }
        wakeUp.raise()
    }

    /// Ends the thread and waits for the end. Must not be called on a loop.
    ///
    /// - Returns: whether the database was closed.
    func close() -> Bool {
        end()
        return thread.wait(atMost: .seconds(5))
    }

    fileprivate func run() {
        serve()
        thread.finish()
    }

    private func serve() {
        // The database is used only here.
        guard let database = database.withLock({ $0.take() }) else { return }
        var (isReadable, hasWritten, hasLooked) = (true, false, false)
        while true {
            let (jobs, isClosed) = state.withLock { state in
                defer { state.queue = [] }
                return (state.queue, state.isClosed)
            }
            let completions = jobs.map { ($0.isWriting, $0.job(database)) }
            var unread: StoreError?
            hasWritten = hasWritten || jobs.contains { $0.isWriting }
            do throws(StoreError) {
                if let told, let news = try database.news(hasWritten: hasWritten) {
                    // Reports the changes even if the settings of revoked keys cannot be read, since they are not
                    // returned again.
                    defer { told(news) }
                    if case .all = news {
                        let revoked = try database.revokedSettings()
                        revokedSettings.withLock { $0 = revoked }
                    }
                }
                if !isReadable { report("\(database.name): managed keys are read again") }
                (isReadable, hasWritten) = (true, false)
            } catch {
                if isReadable { report("\(error); keys are let in as they were") }
                (isReadable, unread) = (false, error)
            }
            for (isWriting, complete) in completions { complete(isWriting ? unread : nil) }
            if !hasLooked {
                hasLooked = true
                looked(unread)
            }
            if jobs.isEmpty {
                if isClosed { return }
                database.rest(wakeUp)
            }
        }
    }
}

private func runKeyThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<KeyThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// Wakes a thread that can also wait for a descriptor.
final class WakeUp: Sendable {
    private let event: headgate_wakeup

    init() { event = headgate_wakeup_create() }

    deinit { headgate_wakeup_destroy(event) }

    func raise() { headgate_wakeup_signal(event) }

    /// Waits for ``raise()``, a readable descriptor, or the time limit.
    ///
    /// - Parameter descriptor: a descriptor to wait for; nil for none.
    func wait(for descriptor: Int32? = nil, atMost limit: Duration) {
        var entries = [
            pollfd(fd: event.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // `poll` ignores negative descriptors.
        _ = poll(&entries, 2, Int32(clamping: Int64((limit / .milliseconds(1)).rounded(.up))))
        if entries[0].revents != 0 { headgate_wakeup_clear(event) }
    }
}

internal import Glibc
internal import HeadgateEventLoop
internal import HeadgateGateway

/// The thread of a file of keys: does what it is handed, in order, and looks in between what others have changed.
final class KeyThread: Sendable {
    /// - Returns: what is called once it is told what has changed, or why that cannot be read.
    private typealias Job = @Sendable (KeyFile) -> @Sendable (_ unread: StoreError?) -> Void

    private struct State: Sendable {
        var queue: [(isWriting: Bool, job: Job)] = []
        var isClosed = false
    }

    /// Of what may wait: requests of admins, who wait for their answers.
    private static let mostJobs = 1024

    private let path: String
    private let state = Locked(State())
    private let file: Locked<KeyFile?>
    private let wakeUp = Signal()
    private let finished = Latch()
    private let interval: Duration
    private let told: (@Sendable (KeyStoreNews) -> Void)?
    private let report: @Sendable (String) -> Void

    init(
        _ file: sending KeyFile, interval: Duration, told: (@Sendable (KeyStoreNews) -> Void)?,
        report: @escaping @Sendable (String) -> Void
    ) throws(ThreadShortage) {
        path = file.path
        self.interval = interval
        self.told = told
        self.report = report
        self.file = Locked(file)
        pthread_detach(try startThread(running: runKeyThread, with: self))
    }

    /// Hands work over. From any thread, without waiting.
    func append<Value: Sendable>(
        isWriting: Bool, _ completion: @escaping @Sendable (Result<Value, KeyStoreFailure>) -> Void,
        _ work: @escaping @Sendable (KeyFile) throws(StoreError) -> Value
    ) {
        let refusal: StoreError.Cause? = state.withLock { state in
            if state.isClosed { return .closed }
            guard state.queue.count < KeyThread.mostJobs else { return .overloaded }
            let job: Job = { [report] file in
                do throws(StoreError) {
                    let value = try work(file)
                    // Who has revoked a key is not told so while it is let in.
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
        completion(.failure(KeyStoreFailure("\(StoreError(refusal, path))")))
    }

    /// Gets done what is waiting, takes no more, and lets go of the file, without being waited for.
    func end() {
        state.withLock { $0.isClosed = true }
        wakeUp.raise()
    }

    /// The same, waited for. Not from a loop.
    ///
    /// - Returns: whether it has let go of the file.
    func close() -> Bool {
        end()
        return finished.wait(atMost: .seconds(5))
    }

    fileprivate func run() {
        serve()
        finished.open()
    }

    private func serve() {
        // Nobody else asks for it.
        guard let file = file.withLock({ $0.take() }) else { return }
        var (isReadable, hasWritten) = (true, false)
        while true {
            let (jobs, isClosed) = state.withLock { state in
                defer { state.queue = [] }
                return (state.queue, state.isClosed)
            }
            let completions = jobs.map { ($0.isWriting, $0.job(file)) }
            var unread: StoreError?
            hasWritten = hasWritten || jobs.contains { $0.isWriting }
            do throws(StoreError) {
                if let told, let news = try file.news(hasWritten: hasWritten) { told(news) }
                (isReadable, hasWritten) = (true, false)
            } catch {
                if isReadable { report("\(error); keys are let in as they were") }
                (isReadable, unread) = (false, error)
            }
            for (isWriting, complete) in completions { complete(isWriting ? unread : nil) }
            if jobs.isEmpty {
                if isClosed { return }
                _ = wakeUp.wait(atMost: interval)
            }
        }
    }
}

private func runKeyThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<KeyThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

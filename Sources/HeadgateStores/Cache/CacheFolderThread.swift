internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateLibC
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// Thread of one folder of cached responses. Lookups come before writes. If the thread falls behind, lookups find
/// nothing and responses are not stored.
final class CacheFolderThread: Sendable {
    struct Question: Sendable {
        let keys: [CacheKey]
        /// Nanoseconds since 1970.
        let now: Int64
        /// Nanoseconds.
        let maximumAge: Int64?
        let completion: @Sendable (FoundResponse?) -> Void
    }

    private struct Writing: Sendable {
        let response: CachedResponse
        let key: CacheKey
    }

    /// Limits of pending work.
    struct Limits: Sendable {
        var questions = 4_096
        var writings = 1_024
        /// Maximum bytes of all pending writes.
        var octets = 64 << 20
    }

    /// Limits of the stored files.
    struct Room: Sendable {
        /// Maximum bytes of all files.
        var disk: Int
        /// Maximum bytes of memory for their index.
        var memory = Int.max
    }

    private struct State: Sendable {
        var questions: [Question] = []
        var writings: [Writing] = []
        var octets = 0
        var room: Room
        var isClosed = false
    }

    private let folder: String
    private let limits: Limits
    private let state: Locked<State>
    private let wakeUp = Signal()
    private let thread = EndingThread()
    private let now: @Sendable () -> Int64
    private let complaint: StoreComplaints
    private let files = Atomic<Int>(0)
    /// Lock of the folder, held until the thread ends.
    private let lock: Locked<(any Sendable)?>

    init(
        _ folder: String, _ limits: Limits, room: Room, holding lock: (any Sendable)?,
        now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        self.folder = folder
        self.limits = limits
        self.now = now
        state = Locked(State(room: room))
        self.lock = Locked(lock)
        complaint = StoreComplaints(folder, now: now, report)
        try thread.start(running: runCacheFolderThread, with: self)
    }

    // MARK: From any thread

    func find(_ question: Question) {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.questions.count < limits.questions else { return false }
            state.questions.append(question)
            return true
        }
        if isTaken { wakeUp.raise() } else { question.completion(nil) }
    }

    func keep(_ response: CachedResponse, as key: CacheKey) {
        let isTaken = state.withLock { state in
            if state.isClosed { return true }
            guard state.writings.count < limits.writings,
                state.octets + response.size <= limits.octets || state.writings.isEmpty
            else { return false }
            state.writings.append(Writing(response: response, key: key))
            state.octets += response.size
            return true
        }
        if isTaken { wakeUp.raise() } else { complaint.note("more is to be kept than can be written") }
    }

    /// Bytes of memory that the index of the files occupies.
    var indexSize: Int { files.load(ordering: .relaxed) * CacheFolderIndex.weight }

    func resize(to room: Room) {
        state.withLock { $0.room = room }
        wakeUp.raise()
    }

    /// Writes pending responses, accepts no more, and ends. Does not wait for the end.
    func end() {
        state.withLock { $0.isClosed = true }
        wakeUp.raise()
    }

    /// Ends the thread and waits for the end. Must not be called on a loop.
    func close() {
        end()
        thread.wait(atMost: .seconds(5))
    }

    // MARK: On the thread

    private enum Work {
        case question(Question)
        case writing(Writing)
        case nothing
        case over
    }

    fileprivate func run() {
        let files = CacheFolderFiles(folder: folder)
        var index = CacheFolderIndex(limit: state.withLock { $0.room.disk })
        var isFinding = true
        let walk = CacheFolderFiles.Walk(files)
        while true {
            let (work, room) = take()
            (index.limit, index.memory) = (room.disk, room.memory)
            switch work {
            case .question(let question): answer(question, files, &index)
            case .writing(let writing): write(writing, files, &index)
            case .nothing: if !isFinding { _ = wakeUp.wait(atMost: .seconds(600)) }
            case .over:
                lock.withLock { $0 = nil }
                return thread.finish()
            }
            if isFinding {
                if let found = walk.next(at: seconds) {
                    for file in found { index.find(file) }
                } else {
                    index.finishFinding()
                    isFinding = false
                }
            }
            for key in index.takeSuperfluous(at: seconds) { files.remove(key) }
            self.files.store(index.count, ordering: .relaxed)
        }
    }

    /// Maximum bytes of one file, so that larger responses are not held in memory.
    private static let largestFile = 2 << 30

    private var seconds: Int64 { now() / 1_000_000_000 }

    private func take() -> (Work, Room) {
        state.withLock { state in
            if !state.questions.isEmpty { return (.question(state.questions.removeFirst()), state.room) }
            guard !state.writings.isEmpty else { return (state.isClosed ? .over : .nothing, state.room) }
            let writing = state.writings.removeFirst()
            state.octets -= writing.response.size
            return (.writing(writing), state.room)
        }
    }

    private func answer(_ question: Question, _ files: CacheFolderFiles, _ index: inout CacheFolderIndex) {
        for key in question.keys {
            if let response = read(key, question, files, &index) {
                return question.completion(FoundResponse(response, key))
            }
        }
        question.completion(nil)
    }

    private func read(
        _ key: CacheKey, _ question: Question, _ files: CacheFolderFiles, _ index: inout CacheFolderIndex
    ) -> CachedResponse? {
        switch files.read(key, upTo: min(index.limit, CacheFolderThread.largestFile)) {
        case .missing: return nil
        case .failed(let error):
            complaint.note(CacheFolderThread.text(error))
            return nil
        case .foreign: break
        case .bytes(let bytes, _):
            guard let response = CachedResponse(file: bytes, for: key),
                response.isFresh(at: question.now, maximumAge: nil)
            else { break }
            index.use(CacheFolderIndex.File(key: key, size: bytes.count, usedAt: seconds))
            return response.isFresh(at: question.now, maximumAge: question.maximumAge) ? response : nil
        }
        files.remove(key)
        index.remove(key)
        return nil
    }

    private func write(_ writing: Writing, _ files: CacheFolderFiles, _ index: inout CacheFolderIndex) {
        let bytes = writing.response.file(for: writing.key)
        let limit = state.withLock { $0.room.disk }
        guard bytes.count <= min(limit, CacheFolderThread.largestFile) else { return }
        let error = files.write(bytes, as: writing.key)
        guard error == 0 else { return complaint.note(CacheFolderThread.text(error)) }
        complaint.resolve()
        index.use(CacheFolderIndex.File(key: writing.key, size: bytes.count, usedAt: seconds))
    }

    private static func text(_ error: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}

private func runCacheFolderThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<CacheFolderThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

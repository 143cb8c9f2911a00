import HeadgateCassettes
import HeadgateEventLoop
import HeadgateGateway
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay

/// Writes recordings on a separate thread. A recording that cannot be written is lost, and never delays a request. The
/// beginning and the end of such a failure are logged.
final class CassetteWriter: Sendable {
    private struct Item: Sendable {
        let folder: String
        let make: @Sendable () -> CassetteFile?
        /// Called with each written recording.
        let written: @Sendable (CassetteFile) -> Void
    }

    private struct State: Sendable {
        var items: [Item] = []
        var lost = 0
        var isClosed = false
    }

    private let log: LogWriter
    private let state = Locked(State())
    private let filled = Signal()
    private let thread = EndingThread()

    init(log: LogWriter) throws(ThreadShortage) {
        self.log = log
        try thread.start(running: runCassetteWriter, with: self)
    }

    /// - Parameter written: called on the writer's thread.
    func sink(folder: String, written: @escaping @Sendable (CassetteFile) -> Void) -> any CassetteSink {
        Sink(writer: self, folder: folder, written: written)
    }

    private struct Sink: CassetteSink {
        let writer: CassetteWriter
        let folder: String
        let written: @Sendable (CassetteFile) -> Void

        func write(_ make: @escaping @Sendable () -> CassetteFile?) {
            writer.append(Item(folder: folder, make: make, written: written))
        }

        func drop() { writer.lose("the recordings that are under way take too much memory") }
    }

    private func append(_ item: Item) {
        state.withLock { $0.items.append(item) }
        filled.raise()
    }

    private func lose(_ reason: String) {
        let isFirst = state.withLock { state in
            state.lost += 1
            return state.lost == 1
        }
        if isFirst { log.say("headgate: a recording is lost, and maybe more: \(reason)") }
    }

    /// Writes pending recordings, for at most two seconds.
    func close() {
        state.withLock { $0.isClosed = true }
        filled.raise()
        thread.wait(atMost: .seconds(2))
    }

    fileprivate func run() {
        while true {
            filled.wait()
            let (items, isClosed) = state.withLock { state in
                defer { state.items = [] }
                return (state.items, state.isClosed)
            }
            for item in items { write(item) }
            if isClosed { break }
        }
        thread.finish()
    }

    private func write(_ item: Item) {
        guard let file = item.make() else { return }
        if let reason = CassetteWriter.write(file, into: item.folder) {
            return lose("\(item.folder): \(reason)")
        }
        let lost = state.withLock { state in
            defer { state.lost = 0 }
            return state.lost
        }
        if lost > 0 { log.say("headgate: recordings are written again; \(lost) were lost") }
        item.written(file)
    }

    /// Writes a file, which gets its name only once it is complete. An existing file of that name is kept.
    ///
    /// - Returns: nil, or the reason why it could not be written.
    private static func write(_ file: CassetteFile, into folder: String) -> String? {
        let temporary = "\(folder)/.\(file.name).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return systemErrorText(errno) }
        defer { HeadgateLibC.unlink(temporary) }
        let failure = writeAll(file.cassette.text, to: descriptor)
        guard HeadgateLibC.close(descriptor) == 0, failure == nil else { return failure ?? systemErrorText(errno) }
        let stem = file.name.dropLast(CassetteFile.suffix.count)
        for number in 1...1000 {
            let name = number == 1 ? file.name : "\(stem)-\(number)\(CassetteFile.suffix)"
            let failure = FilePath.place(temporary, at: "\(folder)/\(name)")
            if failure == 0 { return nil }
            guard failure == EEXIST else { return systemErrorText(failure) }
        }
        return systemErrorText(EEXIST)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { HeadgateLibC.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return systemErrorText(errno) }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}

private func runCassetteWriter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<CassetteWriter>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Unread bytes of a body, between the loop where they arrive and the task that reads them. Pure.
struct BodyInbox<Reader> {
    /// Instruction for the source of the body.
    enum Demand: Equatable {
        case nothing
        case start
        case pause
        case resume
    }

    private enum Flow {
        case notStarted
        case flowing
        case paused
    }

    /// Bytes above which the client waits for the reader.
    static var highWaterMark: Int { 64 * 1024 }

    private var bytes: [UInt8] = []
    private var flow = Flow.notStarted
    private var reader: Reader?
    private var end: Result<Void, any Error>?

    /// Requests the next bytes for a reader.
    ///
    /// - Returns: the immediate result; nil if the reader has to wait.
    mutating func ask(_ reader: Reader) -> (answer: Result<[UInt8]?, any Error>?, Demand) {
        // A waiting reader is not replaced by a later one.
        guard self.reader == nil else { return (.failure(ConcurrentReading()), .nothing) }
        guard bytes.isEmpty else {
            defer { bytes = [] }
            return (.success(bytes), goOn())
        }
        if let end { return (end.map { nil }, .nothing) }
        self.reader = reader
        return (nil, goOn())
    }

    /// Adds received bytes.
    ///
    /// - Returns: the reader that waited for them.
    mutating func receive(_ chunk: UnsafeRawBufferPointer) -> (reader: (Reader, [UInt8])?, Demand) {
        guard end == nil else { return (nil, .nothing) }
        if let reader = reader.take() {
            return ((reader, Array(chunk)), .nothing)
        }
        bytes.append(contentsOf: chunk)
        guard bytes.count > Self.highWaterMark, flow == .flowing else { return (nil, .nothing) }
        flow = .paused
        return (nil, .pause)
    }

    /// Ends the body, or the reading.
    ///
    /// - Returns: the reader that waited for more.
    mutating func finish(_ end: Result<Void, any Error>) -> Reader? {
        guard self.end == nil else { return nil }
        self.end = end
        if case .failure = end { bytes = [] }
        defer { reader = nil }
        return reader
    }

    private mutating func goOn() -> Demand {
        defer { flow = .flowing }
        switch flow {
        case .notStarted: return .start
        case .paused: return end == nil ? .resume : .nothing
        case .flowing: return .nothing
        }
    }
}

/// Error of a second task that reads a body at the same time.
struct ConcurrentReading: Error, Equatable, CustomStringConvertible {
    var description: String { "another task waits for the next bytes of this body already: one reads it at a time" }
}

/// Memory for the collected bodies of all requests.
final class BodyBudget: Sendable {
    private let memory = BodyMemory()
    private let limit: Int

    /// - Parameter limit: the limit in bytes.
    init(limit: Int) { self.limit = limit }

    /// Returns the share of one body, which is released with its last reference.
    func share() -> Locked<BodyAllowance> { Locked(BodyAllowance(of: memory, limit: limit)) }
}

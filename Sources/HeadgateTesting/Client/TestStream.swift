internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// A response whose body is read as it arrives. It can be used from any thread, by one reader at a time.
package final class TestStream: Sendable {
    package let connection: TestConnection
    package let status: Int
    package let headers: HeaderLines
    private let state: Locked<State>

    private struct State {
        var reader: ResponseReader
        /// The decoded chunks that have not been read yet.
        var chunks: [[UInt8]] = []
        var events = EventCutter()
    }

    private init(connection: TestConnection, reader: ResponseReader, response: HTTPResponse) {
        self.connection = connection
        status = response.status.code
        headers = HeaderLines(response.headerFields.map { (name: $0.name.rawName, value: $0.value) })
        state = Locked(State(reader: reader))
    }

    static func readHead(on connection: TestConnection, method: String) async throws -> TestStream {
        var reader = ResponseReader(method: method)
        while let bytes = try await connection.nextBytes() {
            let used = try read(bytes, with: &reader) { _ in }
            guard let head = reader.head else { continue }
            connection.unread(bytes[used...])
            return TestStream(connection: connection, reader: reader, response: head.response)
        }
        throw TestFailure.closedBeforeResponse
    }

    private static func read(
        _ bytes: [UInt8], with reader: inout ResponseReader, body: (UnsafeRawBufferPointer) -> Void
    ) throws -> Int {
        do throws(HTTPSyntaxError) {
            return try reader.read(bytes, body: body)
        } catch {
            throw TestFailure.notHTTP(error.explanation)
        }
    }

    // MARK: Body

    /// Returns the next bytes of the body, at most one chunk of the chunked coding; nil at its proper end.
    ///
    /// - Throws: ``TestFailure`` if the body is truncated, reset or not HTTP, or if the wait times out.
    package func nextChunk(timeout: Duration? = nil) async throws -> [UInt8]? {
        while true {
            let (chunk, isComplete) = state.withLock { state in
                (state.chunks.isEmpty ? nil : state.chunks.removeFirst(), state.reader.isComplete)
            }
            if let chunk { return chunk }
            if isComplete { return nil }
            guard let bytes = try await connection.nextBytes(timeout: timeout) else {
                if state.withLock({ $0.reader.endsWithConnection }) { return nil }
                throw TestFailure.truncated
            }
            let used = try state.withLock { state in
                var chunks: [[UInt8]] = []
                defer { state.chunks += chunks }
                return try TestStream.read(bytes, with: &state.reader) { chunks.append(Array($0)) }
            }
            if used < bytes.count { connection.unread(bytes[used...]) }
        }
    }

    /// Returns the next event; nil at the proper end of the body.
    ///
    /// - Throws: The errors of ``nextChunk(timeout:)``.
    package func nextReceivedEvent(timeout: Duration? = nil) async throws -> ReceivedEvent? {
        while true {
            if let event = state.withLock({ $0.events.next() }) { return event }
            guard let chunk = try await nextChunk(timeout: timeout) else { return nil }
            state.withLock { $0.events.append(chunk) }
        }
    }

    /// Returns the data of the next event; nil at the proper end of the body.
    ///
    /// - Throws: The errors of ``nextChunk(timeout:)``.
    package func nextEvent(timeout: Duration? = nil) async throws -> String? {
        try await nextReceivedEvent(timeout: timeout)?.data
    }

    /// Returns the data of all remaining events.
    package func readEvents(timeout: Duration? = nil) async throws -> [String] {
        var events: [String] = []
        while let event = try await nextEvent(timeout: timeout) { events.append(event) }
        return events
    }

    /// Returns the rest of the body.
    package func readAll(timeout: Duration? = nil) async throws -> [UInt8] {
        var all: [UInt8] = []
        while let chunk = try await nextChunk(timeout: timeout) { all += chunk }
        return all
    }

    /// The monotonic time in nanoseconds at which the last read bytes arrived.
    package var lastArrival: UInt64 { connection.lastArrival }

    // MARK: Connection

    package func stopReading() { connection.stopReading() }
    package func startReading() { connection.startReading() }

    /// Sends a FIN and ends reading.
    package func close() { connection.close() }

    /// Sends a reset.
    package func reset() { connection.reset() }

    /// Sends a FIN. Reading continues.
    package func halfClose() { connection.halfClose() }
}

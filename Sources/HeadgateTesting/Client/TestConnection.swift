internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgateNetwork
internal import HeadgatePrimitives

/// A connection of a test client, as bytes. It can be used from any thread, by one reader at a time, and closes when it
/// is released.
package final class TestConnection: Sendable {
    private let socket: LoopBound<ClientSocket>
    private let arrivals: Mailbox<ClientSocket.Arrival>
    private let timeout: Duration
    private let state = Locked(State())

    private struct State {
        /// The bytes that arrived with bytes that have been read, but belong to the next read.
        var unread: [UInt8] = []
        var end: Result<Void, TestFailure>?
        var lastArrival: UInt64 = 0
    }

    private init(
        socket: LoopBound<ClientSocket>, arrivals: Mailbox<ClientSocket.Arrival>, timeout: Duration
    ) {
        self.socket = socket
        self.arrivals = arrivals
        self.timeout = timeout
    }

    deinit { close() }

    static func connect(
        to target: Connector.Target, tls: TLSContext?, on loop: EventLoop, timeout: Duration
    ) async throws -> TestConnection {
        let arrivals = Mailbox<ClientSocket.Arrival>()
        let socket: LoopBound<ClientSocket> = try await withUnsafeThrowingContinuation { continuation in
            loop.execute {
                let connector = Connector(loop: loop)
                connector.connect(to: target, timeout: timeout) { result in
                    // The connector must live until now.
                    withExtendedLifetime(connector) {}
                    switch result {
                    case .success(let descriptor):
                        do {
                            let session = try tls.map { try TLSSession.ofTestClient($0, descriptor) }
                            let socket = ClientSocket(
                                descriptor: descriptor, tls: session, loop: loop, arrivals: arrivals)
                            socket.open()
                            continuation.resume(returning: LoopBound(socket, on: loop))
                        } catch {
                            HeadgateLibC.close(descriptor)
                            continuation.resume(throwing: TestFailure.connect("\(error)"))
                        }
                    case .failure(.timedOut):
                        continuation.resume(throwing: TestFailure.timedOut(waitingFor: "a connection"))
                    case .failure(let failure):
                        continuation.resume(throwing: TestFailure.connect(failure.description))
                    }
                }
            }
        }
        return TestConnection(socket: socket, arrivals: arrivals, timeout: timeout)
    }

    // MARK: Writing

    package func send(_ bytes: [UInt8]) { onLoop { $0.send(bytes) } }

    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends a request and returns after the response's head has arrived. An earlier response must have been read to
    /// its end.
    ///
    /// - Throws: ``TestFailure``.
    package func open(
        _ method: String, _ path: String, headers: HeaderLines = [:], body: [UInt8]? = nil
    ) async throws -> TestStream {
        var head = Array("\(method) \(path) HTTP/1.1\r\n".utf8)
        var lines = HeaderLines()
        if !headers.contains("Host") { lines.append("Host", "localhost") }
        lines.write(to: &head)
        headers.write(to: &head)
        var framing = HeaderLines()
        if let body, !headers.contains("Content-Length"), !headers.contains("Transfer-Encoding") {
            framing.append("Content-Length", String(body.count))
        }
        framing.write(to: &head)
        send(head + Array("\r\n".utf8) + (body ?? []))
        return try await TestStream.readHead(on: self, method: method)
    }

    // MARK: Reading

    /// Returns the bytes of the next arrival; nil after a FIN, or after the connection was closed on this side.
    ///
    /// - Throws: ``TestFailure`` if the connection was reset or the wait timed out.
    package func nextBytes(timeout: Duration? = nil) async throws -> [UInt8]? {
        let kept = state.withLock { state in
            defer { state.unread = [] }
            return state.unread
        }
        if !kept.isEmpty { return kept }
        if let end = state.withLock({ $0.end }) {
            try end.get()
            return nil
        }
        let arrival = try await arrivals.next(timeout: timeout ?? self.timeout, "bytes from the server")
        switch arrival {
        case .bytes(let bytes, let at)?:
            state.withLock { $0.lastArrival = at }
            return bytes
        case .broken(let reason)?:
            state.withLock { $0.end = .failure(.reset(reason)) }
            throw TestFailure.reset(reason)
        case .fin?, nil:
            state.withLock { $0.end = .success(()) }
            return nil
        }
    }

    /// Returns all bytes up to the FIN.
    package func readToEnd(timeout: Duration? = nil) async throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try await nextBytes(timeout: timeout) { all += bytes }
        return all
    }

    /// Returns all bytes up to the FIN, as text.
    package func readText(timeout: Duration? = nil) async throws -> String {
        String(decoding: try await readToEnd(timeout: timeout), as: UTF8.self)
    }

    /// Returns bytes to the buffer that do not belong to the current read.
    func unread(_ bytes: ArraySlice<UInt8>) {
        state.withLock { $0.unread = bytes + $0.unread }
    }

    /// The monotonic time in nanoseconds at which the last read bytes arrived.
    package var lastArrival: UInt64 { state.withLock { $0.lastArrival } }

    package func stopReading() { onLoop { $0.stopReading() } }

    package func startReading() { onLoop { $0.startReading() } }

    // MARK: Closing

    /// Sends a FIN. Reading continues.
    package func halfClose() { onLoop { $0.halfClose() } }

    /// Sends a FIN and ends reading.
    package func close() { onLoop { $0.close() } }

    /// Sends a reset.
    package func reset() { onLoop { $0.reset() } }

    private func onLoop(_ body: @escaping @Sendable (ClientSocket) -> Void) {
        let socket = socket
        socket.loop.execute { body(socket.value) }
    }
}

extension TLSSession {
    /// Creates a session that expects a certificate for `localhost`, regardless of the address of the connection.
    fileprivate static func ofTestClient(_ context: TLSContext, _ descriptor: Int32) throws -> TLSSession {
        try TLSSession(context: context, descriptor: descriptor, role: .client(hostName: "localhost", port: 0))
    }
}

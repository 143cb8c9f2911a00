import CHeadgate
import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateServer
import Testing

/// A server whose responses the test creates, and a client that the test controls byte by byte, on one loop.
final class HandPlayedServer {
    /// Handling of each request.
    struct Script: Sendable {
        let play: @Sendable (Request) -> Void
        /// Bytes that are written to a silent stream.
        var heartbeat: [UInt8]?
        /// Bytes that are written to a stream that a shutdown ends.
        var finalEvents: [UInt8]?
        /// Called with each refused request.
        var whenRefused: @Sendable (ServerRequestMetadata) -> Void = { _ in }

        init(_ play: @escaping @Sendable (Request) -> Void) { self.play = play }
    }

    let loop: EventLoop
    let server: HTTPServer
    private(set) var received: [UInt8] = []
    private(set) var isGone = false
    /// Whether the server has reset the connection.
    private(set) var wasReset = false
    /// Called after each arrival of bytes.
    var whenReceived: () -> Void = {}
    private let channel: ByteChannel
    private var condition: (() -> Bool)?
    private var waiting: UnsafeContinuation<Void, Never>?

    /// A request, and a closure that responds to it.
    struct Request {
        let head: RequestHead
        let body: HTTPBody?
        let metadata: ServerRequestMetadata
        let answer: (ServerResponse) -> Void

        func answer(_ status: Int, _ body: HTTPBody?) {
            answer(ServerResponse(HTTPResponse(status: .init(code: status)), body))
        }
    }

    private final class Responder: RequestResponder {
        let script: Script

        init(script: Script) { self.script = script }

        func makeContext(clock _: @escaping () -> UInt64) -> any RequestContext { NotedContext() }

        func respond(
            to request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata,
            completion: @escaping (ServerResponse) -> Void
        ) {
            script.play(Request(head: request, body: body, metadata: metadata, answer: completion))
        }

        func refuse(_ violation: HTTPSyntaxError, metadata: ServerRequestMetadata) -> ServerResponse {
            script.whenRefused(metadata)
            return ServerResponse(HTTPResponse(status: .init(code: violation.status)), .bytes(Array("refused".utf8)))
        }

        func shutdownResponse(to request: RequestHead, metadata: ServerRequestMetadata) -> ServerResponse {
            ServerResponse(HTTPResponse(status: .serviceUnavailable), nil)
        }

        func heartbeat(for head: ServerResponseHead) -> [UInt8]? { script.heartbeat }

        func finalEvents(for head: ServerResponseHead, metadata: ServerRequestMetadata) -> [UInt8]? {
            script.finalEvents
        }
    }

    private init(of server: HTTPServer, loop: EventLoop, port: UInt16) throws {
        let descriptor = headgate_connect_at_once("127.0.0.1", port)
        try #require(descriptor >= 0)
        self.loop = loop
        self.server = server
        channel = ByteChannel(loop: loop, descriptor: descriptor, lowWaterMark: 64 * 1024)
        channel.open(owner: self)
    }

    deinit { channel.close() }

    /// Runs the body on the loop of the server and the client.
    static func run(
        _ limits: ServerLimits = ServerLimits(), admittedBy authentication: ListenerSettings.Authentication = .key,
        answering script: Script, _ body: @escaping @Sendable (HandPlayedServer) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        let server = HandPlayedServer.server(of: group, limits, answering: script)
        let settings = ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0), authentication: authentication)
        let address = try server.listen(on: [settings])[0]
        let port = address.port ?? 0
        let result = await Task(executorPreference: loop) {
            try await body(HandPlayedServer(of: server, loop: loop, port: port))
        }.result
        // Connections and their registry refer to each other.
        await withUnsafeContinuation { continuation in
            server.shutDown { continuation.resume() }
            server.cancelResponses()
        }
        try result.get()
    }

    static func server(
        of group: EventLoopGroup, _ limits: ServerLimits = ServerLimits(), answering script: Script,
        logError: @escaping @Sendable (String) -> Void = { _ in }
    ) -> HTTPServer {
        HTTPServer(group: group, limits: limits, responder: Responder(script: script), logError: logError)
    }

    var text: String { String(decoding: received, as: UTF8.self) }
    var bytesSent: Int { channel.bytesSent }
    var hasSentAll: Bool { channel.queuedBytes == 0 }

    func send(_ text: String) { channel.write { $0.append(contentsOf: text.utf8) } }
    func send(zeros count: Int) { channel.write(whole: [UInt8](repeating: 0x30, count: count)) }
    func close() { channel.close() }
    func reset() { channel.reset() }
    func endOutput() { channel.endOutputWhenDrained() }
    func stopReading() { channel.stopReading() }
    func startReading() { channel.startReading() }

    /// Waits for the condition, checking it again after every event. Records an issue if that takes too long.
    ///
    /// - Parameter lookingAgain: whether to check it every ten milliseconds too, because no event tells of it.
    func wait(
        for what: String, lookingAgain: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: @escaping () -> Bool
    ) async {
        if condition() { return }
        self.condition = condition
        let pace = LoopTimer(loop: loop)
        if lookingAgain {
            pace.action = { [unowned self, unowned pace] in
                pace.schedule(after: .milliseconds(10))
                look()
            }
            pace.schedule(after: .milliseconds(10))
        }
        var isLate = false
        let bound = LoopTimer(loop: loop) { [unowned self] in
            isLate = true
            self.condition = { true }
            look()
        }
        bound.schedule(after: .seconds(20))
        await withUnsafeContinuation { waiting = $0 }
        bound.cancel()
        pace.cancel()
        // The issue is recorded in the test's own task.
        if isLate { Issue.record("\(what) has not come", sourceLocation: sourceLocation) }
    }

    /// Checks the awaited condition after an event.
    func look() {
        guard let condition, condition() else { return }
        self.condition = nil
        let waiting = waiting
        self.waiting = nil
        waiting?.resume()
    }
}

extension HandPlayedServer: ByteChannelOwner {
    func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        received += bytes
        whenReceived()
        look()
    }

    func channelEnded() { leave() }
    func channelFailed(_: ChannelFailure) {
        wasReset = true
        leave()
    }
    func channelDrained() { look() }

    private func leave() {
        isGone = true
        look()
    }
}

/// A context that records the ends of its request.
final class NotedContext: RequestContext {
    let requestID = "the-id"
    private(set) var ends: [String] = []
    var whenOver: () -> Void = {}

    func decide(_ end: RequestEnd) { ends.append("\(end)") }

    func complete(_ end: RequestEnd, bytesReceived: Int, bytesSent: Int, maximumQueuedBytes: Int) {
        ends.append("\(end) \(bytesReceived) \(bytesSent) \(maximumQueuedBytes)")
        whenOver()
    }
}

/// Body of a response, which a test controls.
final class PlayedBody: BodySource {
    private(set) var sink: (any BodySink)?
    private(set) var pauses = 0
    private(set) var resumes = 0
    var whenResumed: () -> Void = {}
    var bytesAreProgress = true

    func start(_ sink: any BodySink) { self.sink = sink }

    func pause() { pauses += 1 }

    func resume() {
        resumes += 1
        whenResumed()
    }

    func cancel() { sink = nil }
    func discardRest() { sink = nil }
    func note(_: BodyProgress) {}

    func deliver(_ text: String) { Array(text.utf8).withUnsafeBytes { sink?.receive($0) } }

    func finish(_ end: BodyEnd) { takeSink()?.finish(end) }
    func fail() { takeSink()?.fail(HTTPSyntaxError.incompleteBody) }

    private func takeSink() -> (any BodySink)? {
        defer { sink = nil }
        return sink
    }
}

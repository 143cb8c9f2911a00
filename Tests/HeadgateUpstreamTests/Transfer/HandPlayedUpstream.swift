import CHeadgate
import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import Testing

@testable import HeadgateUpstream

/// An upstream that a test controls byte by byte, with the transport to it, on one loop.
final class HandPlayedUpstream {
    let loop: EventLoop
    /// Every connection so far, including closed ones.
    private(set) var peers: [Peer] = []
    private let port: UInt16
    private let transport: UpstreamTransport
    private let play: (Peer) -> Void
    private var acceptor: AcceptEvent?

    /// Actions of the upstream when bytes arrive.
    struct Script: Sendable {
        let play: @Sendable (Peer) -> Void

        init(_ play: @escaping @Sendable (Peer) -> Void) { self.play = play }
    }

    /// One connection, seen from the upstream's side.
    final class Peer: ByteChannelOwner {
        /// Number of the connection, from 0.
        let index: Int
        private(set) var received: [UInt8] = []
        private(set) var hasAnswered = false
        private(set) var isGone = false
        fileprivate var whenGone: (() -> Void)?
        private let channel: ByteChannel
        private let descriptor: Int32
        /// Called whenever bytes arrive.
        var play: (Peer) -> Void

        fileprivate init(_ descriptor: Int32, index: Int, loop: EventLoop, play: @escaping (Peer) -> Void) {
            self.index = index
            self.descriptor = descriptor
            self.play = play
            channel = ByteChannel(loop: loop, descriptor: descriptor, lowWaterMark: 64 * 1024)
            channel.open(owner: self)
        }

        deinit { channel.close() }

        /// Number of complete requests, for requests without a body.
        var requests: Int { String(decoding: received, as: UTF8.self).split(separator: "\r\n\r\n").count }

        func send(_ text: String) {
            hasAnswered = true
            channel.write { $0.append(contentsOf: text.utf8) }
        }

        /// Sends the text without waiting for the end of the callback.
        func sendAtOnce(_ text: String) {
            let bytes = Array(text.utf8)
            #expect(HeadgateLibC.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        }

        func endOutput() { channel.endOutputWhenDrained() }

        func reset() {
            channel.reset()
            leave()
        }

        func stopReading() { channel.stopReading() }
        func startReading() { channel.startReading() }

        func channelReceived(_ bytes: UnsafeRawBufferPointer) {
            received += bytes
            play(self)
        }

        func channelEnded() { leave() }
        func channelFailed(_: ChannelFailure) { leave() }
        func channelDrained() {}

        private func leave() {
            isGone = true
            channel.close()
            stopWaiting()
        }

        fileprivate func stopWaiting() {
            let waiting = whenGone
            whenGone = nil
            waiting?()
        }
    }

    /// - Parameter play: called whenever bytes arrive.
    private init(loop: EventLoop, transport: UpstreamTransport, play: @escaping (Peer) -> Void) throws {
        let descriptor = headgate_tcp_listen("127.0.0.1", 0, 16)
        try #require(descriptor >= 0)
        var bound: UInt16 = 0
        var text = [CChar](repeating: 0, count: 64)
        headgate_socket_address(descriptor, false, &text, text.count, &bound)
        port = bound
        self.loop = loop
        self.transport = transport
        self.play = play
        acceptor = AcceptEvent(
            loop: loop, descriptor: descriptor,
            accepted: { [unowned self] in
                peers.append(Peer($0, index: peers.count, loop: loop) { [unowned self] in self.play($0) })
            },
            failed: { Issue.record("accept: \(systemErrorText($0))") })
    }

    /// Runs the body on the loop of an upstream and of its transport.
    static func run(
        playing script: Script, timeouts: TransferTimeouts = TransferTimeouts(),
        resolver: NameResolver = NameResolver(),
        access: UpstreamAccess = UpstreamAccess(), maximumIdle: Int = 64,
        _ body: @escaping @Sendable (HandPlayedUpstream) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let transport = UpstreamTransport(
            network: UpstreamNetwork(group: group, maximumIdle: maximumIdle, resolver: resolver), access: access,
            timeouts: timeouts)
        try await Task(executorPreference: group.loops[0]) {
            let upstream = try HandPlayedUpstream(loop: group.loops[0], transport: transport, play: script.play)
            try await body(upstream)
        }.value
    }

    // MARK: Requests

    struct Answer {
        let head: ResponseHead
        let body: HTTPBody?

        /// Source of the body.
        var transfer: UpstreamTransfer? {
            if case .stream(let source)? = body { source as? UpstreamTransfer } else { nil }
        }

        func text() async throws -> String {
            String(decoding: try await body?.collect(upTo: .max) ?? [], as: UTF8.self)
        }
    }

    /// Sends a request and waits for the head of its response.
    ///
    /// - Parameter port: port of the upstream; nil for this one.
    func ask(
        sending body: [UInt8]? = nil, at host: String = "127.0.0.1", port: UInt16? = nil
    ) async throws -> Answer {
        let head = OutgoingHead(HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: "/v1/x"))
        let baseURL = BaseURL(endpoint: .tcp(host: host, port: port ?? self.port), pathPrefix: "/v1")
        let answer = try await transport.send(
            UpstreamRequest(head, body: body, operationID: "x"), to: baseURL)
        return Answer(head: answer.head, body: answer.body)
    }

    /// Sends a request without waiting.
    ///
    /// - Parameter port: port of the upstream; nil for this one.
    func send(
        _ request: UpstreamRequest, port: UInt16? = nil, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        transport.send(
            request, to: BaseURL(endpoint: .tcp(host: "127.0.0.1", port: port ?? self.port), pathPrefix: "/v1"),
            completion: completion)
    }

    /// Sends a request to a name without retaining any part of it.
    ///
    /// - Returns: the status of the response; nil if there is none.
    func askAndForget(host: String) async -> Int? {
        let head = OutgoingHead(HTTPRequest(method: .get, scheme: nil, authority: host, path: "/v1/x"))
        let baseURL = BaseURL(endpoint: .tcp(host: host, port: port), pathPrefix: "/v1")
        return await withCheckedContinuation { continuation in
            _ = transport.send(UpstreamRequest(head, body: nil, operationID: "x"), to: baseURL) { result in
                let answer = try? result.get()
                if case .stream(let source)? = answer?.body { source.discardRest() }
                continuation.resume(returning: answer?.head.status)
            }
        }
    }

    /// Sends a request and expects this response.
    func expectAnswer(_ expected: String = "ok", sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let text = try await ask().text()
        #expect(text == expected, sourceLocation: sourceLocation)
    }

    /// Waits until the gateway has closed this connection, and records an issue if that takes too long.
    func expectEnd(of peer: Peer, sourceLocation: SourceLocation = #_sourceLocation) async {
        if peer.isGone { return }
        var isLate = false
        let bound = LoopTimer(loop: loop) {
            isLate = true
            peer.stopWaiting()
        }
        bound.schedule(after: .seconds(20))
        await withUnsafeContinuation { continuation in peer.whenGone = { continuation.resume() } }
        bound.cancel()
        // The issue is recorded in the test's own task.
        if isLate { Issue.record("the connection stays open", sourceLocation: sourceLocation) }
    }

    // MARK: Waiting

    /// Waits until the loop has checked its sockets once.
    func turn() async {
        var timer: LoopTimer?
        await withUnsafeContinuation { continuation in
            let next = LoopTimer(loop: loop) { continuation.resume() }
            timer = next
            next.schedule(after: .milliseconds(1))
        }
        timer?.cancel()
    }

    func wait(
        for what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
    ) async {
        let start = loop.now
        while !condition() {
            guard loop.now - start < 20_000_000_000 else {
                Issue.record("\(what) has not come", sourceLocation: sourceLocation)
                return
            }
            await turn()
        }
    }
}

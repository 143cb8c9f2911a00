import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateServer
import HeadgateTesting
import HeadgateUpstream
import Testing

/// A whole gateway on real sockets in front of a scripted upstream. Ends with the last reference to it.
final class RunningGateway: Sendable {
    static let clientKey = "client-key-0123456789"
    /// Timeout for a busy machine; tests of deadlines have their own.
    static let patientTimeouts = TransferTimeouts(connect: .seconds(30))
    static let patientLimits = {
        var limits = ServerLimits()
        limits.headTimeout = .seconds(60)
        limits.bodyTimeout = .seconds(60)
        return limits
    }()
    static let upstreamKey = "sk-real-upstream-key"

    let group: EventLoopGroup
    let upstream: ScriptedUpstream
    let server: HTTPServer
    let gateway: Gateway
    let log = CollectedLog()
    let client: TestClient

    let port: UInt16
    private let state: GatewayState
    private let outside: EventLoopGroup?

    /// - Parameters:
    ///   - upstreamTLS: TLS context of the upstream; nil for an upstream without TLS.
    ///   - endpoint: returns the endpoint of the upstream on a port; by default its address, without TLS.
    ///   - forwardedHeaders: client headers that the upstream receives, in lower case.
    ///   - others: further upstreams, each with a model of the same name.
    ///   - clientTLS: TLS contexts of the listener and the client.
    ///   - isAlone: whether the upstream and the client run on a separate loop instead of the gateway's.
    init(
        _ script: UpstreamScript, loops: Int = 2, limits: ServerLimits = patientLimits,
        timeouts: TransferTimeouts = patientTimeouts, models: [ModelConfiguration]? = nil,
        keys: [KeyConfiguration]? = nil,
        upstreamPort: UInt16? = nil, upstreamTLS: TLSContext? = nil,
        endpoint: ((_ port: UInt16) -> BaseURL.Endpoint)? = nil, access: UpstreamAccess = UpstreamAccess(),
        resolver: NameResolver = NameResolver(), forwardedHeaders: [String] = [],
        others: [String: BaseURL.Endpoint] = [:],
        clientTLS: (server: TLSContext, client: TLSContext)? = nil,
        accepting: LimitsConfiguration = LimitsConfiguration(), state: GatewayState = GatewayState(),
        recording: (any UpstreamMiddleware)? = nil, adding added: [Capability] = [], isAlone: Bool = false
    ) throws {
        let group = EventLoopGroup(count: loops)
        self.group = group
        self.state = state
        let outside = isAlone ? EventLoopGroup(count: 1) : nil
        self.outside = outside
        upstream = try ScriptedUpstream(group: outside ?? group, script: script, tls: upstreamTLS)
        var configuration = UpstreamConfiguration(name: "scripted", kind: .openai)
        configuration.headers = [HeaderConfiguration(name: "Client-Id", value: "my-app")]
        configuration.forwardedHeaders = forwardedHeaders
        let network = UpstreamNetwork(group: group, resolver: resolver)
        func definition(_ configuration: UpstreamConfiguration, at endpoint: BaseURL.Endpoint) -> UpstreamDefinition {
            let transport = UpstreamTransport(network: network, access: access, timeouts: timeouts)
            return UpstreamDefinition(
                configuration, baseURL: BaseURL(endpoint: endpoint, pathPrefix: "/v1"),
                credentials: [Secret(RunningGateway.upstreamKey)]
            ) { _ in transport }
        }
        let address = endpoint ?? { .tcp(host: "127.0.0.1", port: $0) }
        let definitions =
            [definition(configuration, at: address(upstreamPort ?? upstream.port))]
            + others.map { definition(UpstreamConfiguration(name: $0.key, kind: .openai), at: $0.value) }
        let key = KeyConfiguration(name: "test", digest: KeyDigest(of: RunningGateway.clientKey.utf8).bytes)
        var added = added
        if let recording = RecordedRun.recording(definitions) {
            added.append(.added("recorded run", perAttempt: recording))
        }
        let served = Configuration(
            upstreams: [],
            models: models ?? [
                ModelConfiguration(name: "scripted", upstream: "scripted"),
                ModelConfiguration(name: "renamed", upstream: "scripted", model: "inner-name"),
            ] + others.keys.map { ModelConfiguration(name: $0, upstream: $0) },
            keys: keys ?? [key], limits: accepting, prices: nil)
        let clock: @Sendable () -> Int64 = { 1_800_000_000_000_000_000 }
        var parts = GatewayParts()
        parts.recording = recording
        parts.added = added
        parts.accessLog = AccessLog(format: .json, sink: log, realtime: clock)
        parts.state = state
        let snapshot = GatewaySnapshot(served, upstreams: definitions, parts: parts)
        let gateway = Gateway(snapshot: snapshot, realtime: clock)
        self.gateway = gateway
        server = HTTPServer(group: group, limits: limits, responder: gateway, logError: { _ in })
        let bound = try server.listen(on: [
            ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0), tls: clientTLS?.server)
        ])
        port = bound[0].port ?? 0
        client = TestClient(group: outside ?? group, timeout: .seconds(30), tls: clientTLS?.client)
    }

    deinit {
        upstream.stop()
        state.endDisconnected()
        // The server's table retains open connections until their loop closes them.
        let closed = Latch()
        server.shutDown { closed.open() }
        // The first call ends connections gracefully, and the second cuts them.
        server.cancelResponses()
        server.cancelResponses()
        _ = closed.wait(atMost: .seconds(10))
        // In these turns the upstream closes its connections, the loops notice, and transfers release their objects.
        for loop in (0..<3).flatMap({ _ in (outside?.loops ?? []) + group.loops }) { try? loop.performAndWait {} }
        group.stop()
        outside?.stop()
    }

    static let chatPath = "/v1/chat/completions"

    static func body(stream: Bool, model: String = "scripted", extra: String = "") -> String {
        #"{"model":"\#(model)","stream":\#(stream),"messages":[{"role":"user","content":"hi"}]\#(extra)}"#
    }

    var headers: HeaderLines {
        [
            "Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(RunningGateway.clientKey)",
            "Content-Type": "application/json",
        ]
    }

    /// Bytes of a request for a stream.
    var streamRequest: String {
        let body = RunningGateway.body(stream: true)
        return """
            POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\
            Authorization: Bearer \(RunningGateway.clientKey)\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
    }

    func openStream(model: String = "scripted", extra: String = "") async throws -> TestStream {
        try await client.openPost(
            RunningGateway.chatPath, headers: headers,
            json: RunningGateway.body(stream: true, model: model, extra: extra), port: port)
    }

    func ask(_ json: String? = nil, headers custom: HeaderLines? = nil) async throws -> TestResponse {
        try await client.post(
            RunningGateway.chatPath, headers: custom ?? headers,
            json: json ?? RunningGateway.body(stream: false), port: port)
    }
}

/// A sink that stores access log lines for a test, which can wait for a line.
final class CollectedLog: LogSink {
    private struct State: Sendable {
        var lines: [String] = []
        var waiter: CheckedContinuation<String, Never>?
        var taken = 0
    }

    private let state = Locked(State())

    func write(_ append: (inout LogLines) -> Void) {
        var line = LogLines()
        append(&line)
        let text = String(decoding: line.bytes, as: UTF8.self)
        let waiter = state.withLock { state -> CheckedContinuation<String, Never>? in
            state.lines.append(text)
            guard let waiter = state.waiter else { return nil }
            state.waiter = nil
            state.taken += 1
            return waiter
        }
        waiter?.resume(returning: text)
    }

    /// Returns the next unread line, waiting for it if necessary. Only one caller can wait.
    func next() async -> String {
        await withCheckedContinuation { continuation in
            let line = state.withLock { state -> String? in
                guard state.taken < state.lines.count else {
                    state.waiter = continuation
                    return nil
                }
                state.taken += 1
                return state.lines[state.taken - 1]
            }
            if let line { continuation.resume(returning: line) }
        }
    }

    var all: [String] { state.withLock { $0.lines } }
}

extension Duration {
    /// Returns the time between two instants in monotonic nanoseconds.
    static func between(_ start: UInt64, _ end: UInt64) -> Duration { .nanoseconds(Int64(end) - Int64(start)) }
}

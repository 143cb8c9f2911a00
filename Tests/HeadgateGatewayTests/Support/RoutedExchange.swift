import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrices
import HeadgatePrimitives
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A gateway whose model `m` has a target at each of the upstreams `a`, `b`, ...; the test controls responses and time.
final class ManualRouting {
    let clock = ManualClock()
    let upstreams: [ManualTransport]
    let snapshot: GatewaySnapshot
    let state: GatewayState
    private let gateway: Gateway
    let log = CollectedLines()
    private let clientKey: String?
    /// Exchanges, retained so that an unobserved client does not disconnect.
    private var exchanges: [RoutedExchange] = []

    init(
        targets: Int, keys: Int = 1, timeouts: UpstreamTimeouts = UpstreamTimeouts(), faults: [FaultRule] = [],
        streams: StreamsConfiguration = StreamsConfiguration(), streamStore: (any StreamStore)? = nil,
        cacheStore: (any CachedResponseStore)? = nil,
        prices: PriceList? = nil, ledger: (any UsageLedger)? = nil, metrics: (any MetricRecording)? = nil,
        tracing: Tracing? = nil, budget: BudgetConfiguration? = nil, state: GatewayState = GatewayState(),
        secondsLater: Int64 = 0, clientKey: String? = nil,
        change: (inout ModelConfiguration, inout UpstreamConfiguration) -> Void = { _, _ in }
    ) {
        self.clientKey = clientKey
        upstreams = (0..<targets).map { _ in ManualTransport() }
        let names = RoutedGateway.names[..<targets]
        var model = ModelConfiguration(
            name: "m", targets: names.map { TargetConfiguration(upstream: $0, timeouts: timeouts) })
        let definitions = zip(names, upstreams).map { name, transport in
            var upstream = UpstreamConfiguration(name: name, kind: .openai)
            change(&model, &upstream)
            return UpstreamDefinition(
                upstream, baseURL: BaseURL(endpoint: .tls(host: "\(name).example", port: 443), pathPrefix: "/v1"),
                credentials: (0..<keys).map { Secret("sk-\(name)-\($0)-0123456789") }
            ) { _ in transport }
        }
        let clientKeys = [clientKey].compactMap(\.self).map {
            KeyConfiguration(name: "k", digest: KeyDigest(of: $0.utf8).bytes)
        }
        let realtime: @Sendable () -> Int64 = { InProcessGateway.now + secondsLater * 1_000_000_000 }
        let configuration = Configuration(
            upstreams: [], models: [model], keys: clientKeys, budget: budget, streams: streams,
            faultInjection: FaultInjectionConfiguration(isEnabled: !faults.isEmpty, rules: faults), prices: prices)
        var parts = GatewayParts()
        parts.cacheStore = cacheStore
        parts.streamStore = streamStore
        parts.ledger = ledger
        parts.tracing = tracing
        parts.metrics = metrics
        parts.accessLog = AccessLog(format: .json, sink: log, realtime: realtime)
        parts.state = state
        self.state = state
        snapshot = GatewaySnapshot(configuration, upstreams: definitions, parts: parts)
        gateway = Gateway(snapshot: snapshot, realtime: realtime)
    }

    /// Exchanges without a response form a reference cycle with this object; so do those that continue without a
    /// client.
    deinit {
        state.endDisconnected()
        for call in upstreams.flatMap(\.calls) { call.cancel() }
    }

    private var credentials: HTTPFields { clientKey.map { [.authorization: "Bearer \($0)"] } ?? [:] }

    /// Sends a request without a body.
    func ask(_ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields) -> RoutedExchange {
        let exchange = RoutedExchange(clock)
        exchanges.append(exchange)
        let head = RequestHead(
            HTTPRequest(
                method: method, scheme: "http", authority: "127.0.0.1:8686", path: path,
                headerFields: fields + credentials))
        gateway.respond(to: head, body: nil, metadata: exchange.metadata) { exchange.take($0) }
        return exchange
    }

    /// Sends a chat request for `m`.
    func chat(
        stream: Bool = true, extra: String = "", fields: HTTPFields = [:], path: String = "/v1/chat/completions"
    ) -> RoutedExchange {
        let exchange = RoutedExchange(clock)
        exchanges.append(exchange)
        let body = Array(
            #"{"model":"m","stream":\#(stream),"messages":[{"role":"user","content":"hi"}]\#(extra)}"#.utf8)
        let head = RequestHead(
            HTTPRequest(
                method: .post, scheme: "http", authority: "127.0.0.1:8686", path: path,
                headerFields: [.contentType: "application/json"] + fields + credentials))
        gateway.respond(to: head, body: .bytes(body), metadata: exchange.metadata) { exchange.take($0) }
        return exchange
    }
}

/// One request of ``ManualRouting``.
final class RoutedExchange {
    let metadata: ServerRequestMetadata
    let client = CollectedBody()
    private(set) var response: ServerResponse?

    fileprivate init(_ clock: ManualClock) {
        metadata = ClockedMetadata(clock)
    }

    /// A stream that the test left open forms a reference cycle with its relay.
    deinit { if case .stream(let source)? = response?.body { source.cancel() } }

    fileprivate func take(_ response: ServerResponse) {
        self.response = response
        switch response.body {
        case nil: break
        case .bytes(let bytes)?: bytes.withUnsafeBytes { client.receive($0) }
        case .stream(let source)?: source.start(client)
        }
    }

    var status: Int? { response?.head.status }
    var fields: HTTPFields { response?.head.response.headerFields ?? [:] }

    /// Completes the request as the connection does.
    func complete(_ end: RequestEnd = .finished) { metadata.record.complete(end) }

    /// Disconnects the client in the middle of a stream.
    func hangUp() {
        if case .stream(let source)? = response?.body { source.cancel() }
        complete(.clientGone)
    }

    /// Disconnects the client before there is a response.
    func leave() {
        metadata.work?.cancel()
        complete(.clientGone)
    }
}

/// Metadata of a request, with the clock of the test.
private final class ClockedMetadata: ServerRequestMetadata {
    private final class Alarm: Cancellable {
        var action: (() -> Void)?

        init(_ action: @escaping () -> Void) { self.action = action }

        func cancel() { action = nil }
    }

    private let clock: ManualClock

    init(_ clock: ManualClock) {
        self.clock = clock
        super.init(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9"),
            bodyLength: .fixed(0), context: RequestRecord { clock.now })
    }

    override func after(_ delay: Duration, _ action: @escaping () -> Void) -> (any Cancellable)? {
        let alarm = Alarm(action)
        clock.schedule(afterNanoseconds: delay.wholeNanoseconds) { alarm.action?() }
        return alarm
    }
}

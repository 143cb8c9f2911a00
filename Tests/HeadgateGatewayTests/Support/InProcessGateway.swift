import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePages
import HeadgatePrices
import HeadgatePrimitives
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A whole gateway without a server; this class acts as the connection.
final class InProcessGateway {
    static let clientKey = "client-key-0123456789"
    static let limitedKey = "client-key-for-one-model"
    static let expiredKey = "client-key-of-the-past"
    static let upstreamKey = "sk-real-upstream-key"
    /// Fixed time of these gateways, in nanoseconds since 1970.
    static let now: Int64 = 1_800_000_000_123_000_000

    struct Response {
        var status = 0
        var headerFields: HTTPFields = [:]
        var text = ""
        var bodyEnds: [String] = []

        /// Returns whether the body is an error envelope with this code.
        func isError(code: String) -> Bool { text.contains("\"code\":\"\(code)\"") && text.hasPrefix("{\"error\":{") }
    }

    let transport: PlannedTransport
    let gateway: Gateway
    let log = CollectedLines()
    /// Monotonic time in nanoseconds; each reading advances it by a millisecond.
    private var clock: UInt64 = 0

    convenience init(
        _ plan: PlannedTransport.Plan = .json("{}"), isKeyless: Bool = false, bodyLimit: Int = 1 << 20,
        metrics: (any MetricRecording)? = nil, prices: PriceList? = nil, tracing: Tracing? = nil,
        ledger: (any UsageLedger)? = nil
    ) {
        let transport = PlannedTransport(plan)
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret(InProcessGateway.upstreamKey),
            headers: [HeaderConfiguration(name: "Client-Id", value: "my-app")], transport: transport)
        self.init(
            transport: transport, upstreams: [upstream],
            models: [
                ModelConfiguration(name: "plain", upstream: "up"),
                ModelConfiguration(name: "org/renamed", upstream: "up", model: "inner"),
                ModelConfiguration(name: "any-*", upstream: "up"),
                ModelConfiguration(name: "lost", upstream: "nowhere"),
            ], keys: isKeyless ? [] : InProcessGateway.keys, bodyLimit: bodyLimit, metrics: metrics,
            prices: prices, tracing: tracing, ledger: ledger)
    }

    /// - Parameter transport: transport to one of the upstreams.
    init(
        transport: PlannedTransport, upstreams: [UpstreamDefinition], models: [ModelConfiguration],
        keys: [KeyConfiguration], groups: [GroupConfiguration] = [], budget: BudgetConfiguration? = nil,
        callersWithoutKey: Int = 0,
        bodyLimit: Int = 1 << 20,
        origins: OriginRules = OriginRules(),
        documentation: Documentation = Documentation(), storedResponses: StoredResponses = .own,
        keptResponses: LocalResponses? = nil, metrics: (any MetricRecording)? = nil, prices: PriceList? = nil,
        tracing: Tracing? = nil, ledger: (any UsageLedger)? = nil,
        faults: FaultInjectionConfiguration = FaultInjectionConfiguration(),
        managedKeys: ManagedKeys? = nil, keyStore: (any KeyStore)? = nil,
        counters: SharedLimits? = nil, load: (any LoadWatch)? = nil, adding added: [Capability] = [],
        state: GatewayState = GatewayState(),
        inspect: InspectConfiguration? = nil, compaction: CompactionPolicy = .refuse
    ) {
        self.transport = transport
        let realtime: @Sendable () -> Int64 = { InProcessGateway.now }
        let configuration = Configuration(
            origins: origins, upstreams: [], models: models, keys: keys, groups: groups, budget: budget,
            storedResponses: storedResponses, compaction: compaction, limits: LimitsConfiguration(body: bodyLimit),
            faultInjection: faults,
            prices: prices, inspect: inspect)
        var parts = GatewayParts()
        parts.callersWithoutKey = callersWithoutKey
        parts.managedKeys = managedKeys
        parts.keyStore = keyStore
        parts.keptResponses = keptResponses
        parts.ledger = ledger
        parts.counters = counters
        parts.tracing = tracing
        parts.accessLog = AccessLog(format: .json, sink: log, realtime: realtime)
        parts.status = StatusBoard(realtime: realtime)
        parts.metrics = metrics
        parts.load = load
        parts.added = added
        parts.state = state
        let snapshot = GatewaySnapshot(configuration, upstreams: upstreams, parts: parts)
        gateway = Gateway(snapshot: snapshot, documentation: documentation, realtime: realtime)
    }

    /// Three keys: for every model, for one model, and an expired one.
    static let keys = [
        key("test", clientKey, isAdmin: true), key("limited", limitedKey, ["plain"]),
        key("past", expiredKey, expires: now / 1_000_000_000),
    ]

    private static func key(
        _ name: String, _ text: String, _ models: [String] = ["*"], expires: Int64? = nil,
        isAdmin: Bool = false
    ) -> KeyConfiguration {
        KeyConfiguration(
            name: name, digest: KeyDigest(of: text.utf8).bytes, models: models, expires: expires, isAdmin: isAdmin)
    }

    func record() -> RequestRecord {
        RequestRecord(clock: { [self] in
            clock += 1_000_000
            return clock
        })
    }

    /// - Parameters:
    ///   - headerFields: headers in addition to the client's key and the type of the body.
    ///   - completes: whether the connection ends the exchange, as after the last byte.
    func ask(
        _ method: HTTPRequest.Method = .get, _ path: String, key: String? = InProcessGateway.clientKey,
        host: String = "127.0.0.1:8686", headerFields: HTTPFields = [:], body: String? = nil, completes: Bool = true,
        admission: ConnectionAdmission = .byKey
    ) async -> Response {
        await ask(
            method, path, key: key, host: host, headerFields: headerFields, bytes: body.map { Array($0.utf8) },
            completes: completes, admission: admission)
    }

    /// Sends a request whose body can be any bytes.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, key: String? = InProcessGateway.clientKey,
        host: String = "127.0.0.1:8686", headerFields: HTTPFields = [:], bytes: [UInt8]?, completes: Bool = true,
        admission: ConnectionAdmission = .byKey
    ) async -> Response {
        var fields = headerFields
        if let key { fields[.authorization] = "Bearer \(key)" }
        if bytes != nil, fields[.contentType] == nil { fields[.contentType] = "application/json" }
        let record = record()
        let metadata = InProcessMetadata(
            connection: ConnectionEnds(
                localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9", admission: admission),
            bodyLength: .fixed(bytes?.count ?? 0), context: record)
        let head = RequestHead(
            HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: fields))
        let response = await response(to: head, body: bytes.map(HTTPBody.bytes), metadata)
        let collected = CollectedBody()
        switch response.body {
        case nil: break
        case .bytes(let bytes)?: bytes.withUnsafeBytes { collected.receive($0) }
        case .stream(let source)?: source.start(collected)
        }
        if completes {
            record.complete(.finished, bytesSent: collected.text.utf8.count)
            record.complete(.clientGone)
            // A connection that ends cancels a body that is still streaming.
            if collected.ends.isEmpty, case .stream(let source)? = response.body { source.cancel() }
        }
        var answered = response.head.response.headerFields
        // A connection sets these headers.
        answered[.xRequestID] = record.facts.requestID
        if response.hasRequestID { answered[.requestID] = record.facts.requestID }
        return Response(
            status: response.head.status, headerFields: answered, text: collected.text,
            bodyEnds: collected.ends)
    }

    func response(to head: RequestHead, body: HTTPBody?, _ metadata: InProcessMetadata) async -> ServerResponse {
        // The task resumes on another thread. The lock orders it before the code below: ThreadSanitizer does not see
        // that a continuation does, if it is resumed before its task waits.
        let response = Locked<ServerResponse?>(nil)
        transport.clientLeaves = { [weak metadata] in metadata?.work?.cancel() }
        gateway.respond(to: head, body: body, metadata: metadata) { [weak metadata] given in
            response.withLock { $0 = given }
            metadata?.respond()
        }
        // If the client left before `respond` returned, there was no work to cancel until now.
        if transport.plan.clientLeaves { metadata.work?.cancel() }
        for await action in metadata.due { action() }
        guard let response = response.withLock({ $0 }) else { preconditionFailure("the gateway has not replied") }
        return response
    }

    /// Sends a chat completion.
    func chat(
        model: String = "plain", stream: Bool = false, extra: String = "", key: String? = InProcessGateway.clientKey,
        headerFields: HTTPFields = [:], completes: Bool = true
    ) async -> Response {
        await ask(
            .post, "/v1/chat/completions", key: key, headerFields: headerFields,
            body: #"{"model":"\#(model)","stream":\#(stream),"messages":[]\#(extra)}"#, completes: completes)
    }
}

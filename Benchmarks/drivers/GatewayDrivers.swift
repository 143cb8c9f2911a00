internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateHTTP
internal import HeadgatePrices
internal import HeadgateRelay

/// The gateway in memory, between a stub of a connection and a stub of an upstream.
enum GatewayDrivers {
    static let all = [
        chain("chain"), chain("chain-unpriced", prices: nil), chain("chain-priced", prices: DriverGateway.prices),
        chain("chain-counted", isCounted: true), chain("chain-ledger", hasLedger: true),
        chain("chain-budgeted", prices: DriverGateway.prices, limits: .ofKey),
        chain("chain-limited", limits: .ofKeyAndGroup),
        relay("relay-single", "chunk of 1 event", events: 1),
        relay("relay-batch", "chunk of 64 events", events: 64),
    ]

    /// - Parameters:
    ///   - prices: nil if no cost is computed. Without a price of the model, the cost is unknown.
    ///   - isCounted: whether `/metrics` counts the requests.
    ///   - hasLedger: whether the requests are noted in a ledger's journal.
    ///   - limits: limits of the requests.
    private static func chain(
        _ name: String, prices: PriceList? = PriceList(), isCounted: Bool = false, hasLedger: Bool = false,
        limits: DriverLimits = .none
    ) -> Driver {
        Driver(name: name, unit: "request", result: Samples.answerBody.count) { iterations in
            let transport = StubTransport(response: response("application/json")) {
                DriverBody(Samples.answerBody, isWhole: true)
            }
            let ledger = hasLedger ? try JournalLedger() : nil
            defer { ledger?.remove() }
            return try DriverGateway.onLoop { loop in
                let exchange = try Exchange(
                    isStream: false, transport: transport, loop: loop, prices: prices,
                    metrics: isCounted ? CountedRequests(loop: loop) : nil, ledger: ledger,
                    limits: limits)
                var octets = 0
                for _ in 0..<iterations { octets += try await exchange.answer() }
                return octets
            }
        }
    }

    /// Runs one open stream; each iteration delivers a chunk of it.
    private static func relay(_ name: String, _ unit: String, events: Int) -> Driver {
        Driver(name: name, unit: unit, result: events * Samples.event.count) { iterations in
            // The transport passes on the stream of the driver's own loop.
            nonisolated(unsafe) let stream = DriverBody(Samples.event, isWhole: false)
            let transport = StubTransport(response: response("text/event-stream")) { stream }
            let chunk = Samples.repeated(Samples.event, count: events)
            return try DriverGateway.onLoop { loop in
                let exchange = try Exchange(isStream: true, transport: transport, loop: loop)
                let sink = try await exchange.open()
                let opening = sink.octets
                for _ in 0..<iterations { stream.send(chunk) }
                let octets = sink.octets - opening
                stream.send(Samples.done)
                guard sink.isComplete else { throw DriverError("the stream did not end with [DONE]") }
                return octets
            }
        }
    }

    private static func response(_ contentType: String) -> ResponseHead {
        ResponseHead(HTTPResponse(status: .ok, headerFields: [.contentType: contentType, .server: "mock"]))
    }
}

/// Plays the connection's part in requests that are all the same.
private struct Exchange {
    private let gateway: Gateway
    private let head: RequestHead
    private let body: [UInt8]
    private let loop: EventLoop
    private let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.1")

    init(
        isStream: Bool, transport: StubTransport, loop: EventLoop, prices: PriceList? = PriceList(),
        metrics: (any MetricRecording)? = nil, ledger: (any UsageLedger)? = nil, limits: DriverLimits = .none
    ) throws {
        let baseURL = BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 8080), pathPrefix: "/v1")
        gateway = DriverGateway.make(
            baseURL: baseURL, transport: transport, prices: prices, metrics: metrics, ledger: ledger,
            limits: limits)
        body = isStream ? Samples.streamBody : Samples.requestBody
        self.loop = loop
        var parser = RequestHeadParser()
        head = try Samples.request(isStream: isStream).withUnsafeBytes { bytes in
            var offset = 0
            guard let head = try parser.parse(bytes, &offset) else { throw DriverError("the request has no head") }
            return head
        }
    }

    /// - Returns: the number of bytes of the whole response.
    func answer() async throws -> Int { try await open(completes: true).octets }

    /// - Returns: the sink of the response.
    func open(completes: Bool = false) async throws -> CountingSink {
        let loop = loop
        let context = gateway.makeContext(clock: { loop.now })
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: head.bodyLength, context: context)
        var answered: ServerResponse?
        gateway.respond(to: head, body: .stream(DriverBody(body, isWhole: true)), metadata: metadata) {
            answered = $0
        }
        guard let response = answered else { throw DriverError("the gateway has not answered at once") }
        guard response.head.status == 200 else { throw DriverError("the gateway answered \(response.head.status)") }
        let sink = CountingSink()
        switch response.body {
        case .bytes(let bytes)?: bytes.withUnsafeBytes { sink.receive($0) }
        case .stream(let source)?: source.start(sink)
        case nil: break
        }
        if completes {
            context.complete(
                .finished, bytesReceived: body.count, bytesSent: sink.octets, maximumQueuedBytes: 0)
        }
        return sink
    }
}

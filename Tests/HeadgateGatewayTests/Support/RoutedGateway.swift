import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrices
import HeadgatePrimitives
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A gateway whose model `m` has a target at each of the upstreams `a`, `b`, ...
struct RoutedGateway {
    typealias Plan = PlannedTransport.Plan

    let running: InProcessGateway
    let transports: [PlannedTransport]
    /// Model catalogues of the upstreams.
    let catalogues: [Locked<ModelCatalogue>]
    static let names = ["a", "b", "c", "d"]

    /// - Parameters:
    ///   - plans: for each upstream, the plans of its successive requests.
    ///   - keys: number of keys of each upstream.
    ///   - change: changes the configurations of the model and of the upstreams.
    init(
        _ plans: [[Plan]], keys: Int = 1, retry: RetryConfiguration = RoutedGateway.impatient,
        prices: PriceList? = nil, state: GatewayState = GatewayState(), tracing: Tracing? = nil,
        faults: FaultInjectionConfiguration = FaultInjectionConfiguration(), inspect: InspectConfiguration? = nil,
        change: (inout ModelConfiguration, inout [UpstreamConfiguration]) -> Void = { _, _ in }
    ) {
        let transports = plans.map { PlannedTransport($0) }
        self.transports = transports
        let catalogues = plans.map { _ in Locked(ModelCatalogue()) }
        self.catalogues = catalogues
        var model = ModelConfiguration(
            name: "m", targets: zip(RoutedGateway.names, plans).map { TargetConfiguration(upstream: $0.0) },
            retry: retry)
        var upstreams = zip(RoutedGateway.names, plans).map { UpstreamConfiguration(name: $0.0, kind: .openai) }
        change(&model, &upstreams)
        running = InProcessGateway(
            transport: transports[0],
            upstreams: zip(zip(upstreams, transports), catalogues).map { configured, catalogue in
                let (upstream, transport) = configured
                return UpstreamDefinition(
                    upstream,
                    baseURL: BaseURL(endpoint: .tls(host: "\(upstream.name).example", port: 443), pathPrefix: "/v1"),
                    credentials: (0..<keys).map { Secret("sk-\(upstream.name)-\($0)-0123456789") },
                    catalogue: { catalogue.withLock($0) }
                ) { _ in transport }
            }, models: [model], keys: Array(InProcessGateway.keys.prefix(inspect == nil ? 1 : 2)), prices: prices,
            tracing: tracing, faults: faults, state: state, inspect: inspect)
    }

    /// Retries without waits.
    static let impatient = RetryConfiguration(backoff: .zero, maximumBackoff: .zero)

    func chat(stream: Bool = true, extra: String = "", headerFields: HTTPFields = [:]) async
        -> InProcessGateway.Response
    {
        await running.chat(model: "m", stream: stream, extra: extra, headerFields: headerFields)
    }

    /// Sets the models listed by the upstream with this index.
    func list(_ names: [String], at index: Int) {
        catalogues[index].withLock { catalogue in
            guard let question = catalogue.ask(at: InProcessGateway.now) else { return }
            _ = catalogue.settle(question, ListedModels(names.map { ListedModel($0) }), at: InProcessGateway.now)
        }
    }

    /// Number of requests that each upstream received.
    var sent: [Int] { transports.map(\.requests.count) }
}

extension PlannedTransport.Plan {
    static let role = event(#"{"role":"assistant","content":""}"#)
    static let finish = "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    static let done = "data: [DONE]\n\n"

    static func event(_ delta: String) -> String {
        "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":\(delta),\"finish_reason\":null}]}\n\n"
    }

    static func content(_ text: String) -> String { event("{\"content\":\"\(text)\"}") }

    /// A complete stream.
    static func stream(_ texts: String...) -> Self {
        Self(headerFields: events, chunks: [role] + texts.map(content) + [finish, done])
    }

    /// Returns a stream that consists of only these chunks.
    static func broken(
        _ chunks: String..., end: Result<Void, TransportError>? = .failure(TransportError(.truncatedBody))
    )
        -> Self
    {
        Self(headerFields: events, chunks: chunks, end: end)
    }

    static let events: HTTPFields = [.contentType: "text/event-stream"]

    /// Returns a whole response.
    static func answer(_ text: String) -> Self {
        .json(
            #"{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"\#(text)"},"finish_reason":"stop"}]}"#
        )
    }
}

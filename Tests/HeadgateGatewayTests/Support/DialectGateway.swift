import HTTPTypes
import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgatePrices
import HeadgateRelay
import HeadgateTesting
import Testing

/// A whole gateway with an upstream of every kind, each with its own plan.
struct DialectGateway {
    typealias Plan = PlannedTransport.Plan

    let running: InProcessGateway
    let openAI: PlannedTransport
    /// Upstream whose base URL has no `/v1`.
    let second: PlannedTransport
    let anthropic: PlannedTransport
    let azure: PlannedTransport

    /// - Parameters:
    ///   - plan: plan of every upstream without its own.
    ///   - hasOneKey: whether only one key exists, so that no other key's limits can leak.
    ///   - callersWithoutKey: number of callers on a socket, without a key.
    init(
        _ plan: Plan = .json("{}"), openAI: Plan? = nil, second: Plan? = nil, anthropic: Plan? = nil,
        azure: Plan? = nil, hasOneKey: Bool = false, callersWithoutKey: Int = 0,
        relaysRateLimits: Bool? = nil, bodyLimit: Int = 1 << 20,
        forwardedHeaders: [String] = [], storedResponses: StoredResponses = .own,
        keptResponses: LocalResponses? = nil, metrics: (any MetricRecording)? = nil, tracing: Tracing? = nil,
        compaction: CompactionPolicy = .refuse, prices: PriceList? = nil
    ) {
        self.openAI = PlannedTransport(openAI ?? plan)
        self.second = PlannedTransport(second ?? plan)
        self.anthropic = PlannedTransport(anthropic ?? plan)
        self.azure = PlannedTransport(azure ?? plan)
        func definition(
            _ name: String, _ kind: UpstreamKind, _ prefix: String, _ transport: PlannedTransport,
            apiVersion: String? = nil
        ) -> UpstreamDefinition {
            var configuration = UpstreamConfiguration(name: name, kind: kind)
            configuration.apiVersion = apiVersion
            configuration.relaysRateLimits = relaysRateLimits
            configuration.forwardedHeaders = forwardedHeaders
            return UpstreamDefinition(
                configuration, baseURL: BaseURL(endpoint: .tls(host: "\(name).example", port: 443), pathPrefix: prefix),
                credentials: [Secret(InProcessGateway.upstreamKey)]
            ) { _ in transport }
        }
        running = InProcessGateway(
            transport: self.openAI,
            upstreams: [
                definition("open", .openai, "/v1", self.openAI), definition("second", .openai, "", self.second),
                definition("claude", .anthropic, "/v1", self.anthropic),
                definition("azure-v1", .azure, "/openai/v1", self.azure),
                definition("azure-dated", .azure, "/openai", self.azure, apiVersion: "2024-10-21"),
            ],
            models: [
                ModelConfiguration(name: "plain", upstream: "open"),
                ModelConfiguration(name: "org/renamed", upstream: "open", model: "inner"),
                ModelConfiguration(name: "two", upstream: "second"),
                ModelConfiguration(name: "claude", upstream: "claude"),
                ModelConfiguration(name: "org/claude", upstream: "claude", model: "inner"),
                ModelConfiguration(name: "deployed", upstream: "azure-v1", model: "inner"),
                ModelConfiguration(name: "dated", upstream: "azure-dated", model: "my deploy/ment"),
                ModelConfiguration(name: "dated-*", upstream: "azure-dated"),
            ], keys: hasOneKey ? [InProcessGateway.keys[0]] : InProcessGateway.keys,
            callersWithoutKey: callersWithoutKey, bodyLimit: bodyLimit, storedResponses: storedResponses,
            keptResponses: keptResponses, metrics: metrics, prices: prices,
            tracing: tracing, compaction: compaction)
    }

    /// Requests that the upstreams received.
    var sent: [PlannedTransport.Request] {
        openAI.requests + second.requests + anthropic.requests + azure.requests
    }

    func post(
        _ path: String, _ body: String, headerFields: HTTPFields = [:],
        key: String? = InProcessGateway.clientKey
    ) async -> InProcessGateway.Response {
        await running.ask(.post, path, key: key, headerFields: headerFields, body: body)
    }

    func message(
        _ extra: String = "", model: String = "claude", stream: Bool = false, headerFields: HTTPFields = [:]
    ) async -> InProcessGateway.Response {
        await post(
            "/v1/messages", #"{"model":"\#(model)","stream":\#(stream),"max_tokens":9,"messages":[]\#(extra)}"#,
            headerFields: headerFields)
    }

    func response(model: String = "plain", stream: Bool = false) async -> InProcessGateway.Response {
        await post("/v1/responses", #"{"model":"\#(model)","stream":\#(stream),"input":"hi"}"#)
    }
}

/// A relay route with a request that it accepts.
struct RelayRoute: Sendable, CustomTestStringConvertible {
    let path: String
    let model: String
    /// The members after `model`.
    let rest: String

    var body: String { #"{"model":"\#(model)"\#(rest)}"# }
    var isAnthropic: Bool { path.hasPrefix("/messages") }
    /// Whether every model supports it, natively or by an estimate.
    var isOfEveryModel: Bool { isAnthropic || RelayRoute.everyModels.contains(path) }
    private static let everyModels = ["/chat/completions", "/responses", "/responses/input_tokens"]
    var testDescription: String { path }

    static let all = [
        RelayRoute(path: "/chat/completions", model: "plain", rest: #","messages":[]"#),
        RelayRoute(path: "/completions", model: "plain", rest: #","prompt":"p""#),
        RelayRoute(path: "/embeddings", model: "plain", rest: #","input":"i""#),
        RelayRoute(path: "/moderations", model: "plain", rest: #","input":"i""#),
        RelayRoute(path: "/images/generations", model: "plain", rest: #","prompt":"p""#),
        RelayRoute(path: "/audio/speech", model: "plain", rest: #","input":"i","voice":"v""#),
        RelayRoute(path: "/responses", model: "plain", rest: #","input":"i""#),
        RelayRoute(path: "/responses/compact", model: "plain", rest: #","input":"i""#),
        RelayRoute(path: "/responses/input_tokens", model: "plain", rest: #","input":"i""#),
        RelayRoute(path: "/messages", model: "claude", rest: #","max_tokens":1,"messages":[]"#),
        RelayRoute(path: "/messages/count_tokens", model: "claude", rest: #","messages":[]"#),
        RelayRoute(path: "/rerank", model: "plain", rest: #","query":"q","documents":["d"]"#),
    ]
}

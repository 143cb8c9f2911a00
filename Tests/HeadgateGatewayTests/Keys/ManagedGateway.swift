import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A gateway with managed keys, which are in memory.
struct ManagedGateway {
    let running: InProcessGateway
    let keys: ManagedKeys
    let store: MemoryKeyStore
    private let lines: Locked<[String]>

    /// Reports about refused keys.
    var reports: [String] { lines.withLock { $0 } }

    /// - Parameters:
    ///   - isServed: whether it is compiled for managed keys.
    ///   - groups: names with a limit of 2 requests a minute.
    ///   - groupBudget: budget of each group.
    init(
        keys configured: [KeyConfiguration] = InProcessGateway.keys, isServed: Bool = true, groups: [String] = [],
        groupBudget: BudgetConfiguration? = nil
    ) {
        let lines = Locked<[String]>([])
        self.lines = lines
        let keys = ManagedKeys(report: { line in lines.withLock { $0.append(line) } })
        keys.areServed = isServed
        store = MemoryKeyStore(told: { keys.hear($0) })
        self.keys = keys
        let transport = PlannedTransport(.json(#"{"choices":[{"finish_reason":"stop"}]}"#))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret(InProcessGateway.upstreamKey), transport: transport)
        let limits = UsageLimits(requests: [RateLimit(2, per: .minute)])
        running = InProcessGateway(
            transport: transport, upstreams: [upstream],
            models: [
                ModelConfiguration(name: "plain", upstream: "up"), ModelConfiguration(name: "other", upstream: "up"),
            ],
            keys: configured, groups: groups.map { GroupConfiguration(name: $0, limits: limits, budget: groupBudget) },
            managedKeys: keys,
            keyStore: store, state: GatewayState())
    }

    /// Creates a key through the route, and returns it.
    func add(_ body: String) async -> String {
        let response = await running.ask(.post, "/v1/admin/keys", body: body)
        guard response.status == 201, let key = response.member("key") else { return "none: \(response.text)" }
        return key
    }
}

extension InProcessGateway.Response {
    /// The text of a member, wherever it is.
    func member(_ name: String) -> String? {
        guard let start = text.firstRange(of: "\"\(name)\":\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}

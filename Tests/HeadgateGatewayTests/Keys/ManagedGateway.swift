import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A gateway with managed keys in memory.
struct ManagedGateway {
    let running: InProcessGateway
    let keys: ManagedKeys
    let store: MemoryKeyStore
    private let lines: Locked<[String]>

    /// Reports about refused keys.
    var reports: [String] { lines.withLock { $0 } }

    /// - Parameters:
    ///   - isServed: whether the configuration is compiled for managed keys.
    ///   - groups: names of groups with a limit of 2 requests per minute.
    ///   - groupBudget: budget of each group.
    ///   - failures: one element for each of the first additions, all of which fail; true if the store adds the key
    ///     first.
    init(
        keys configured: [KeyConfiguration] = InProcessGateway.keys, isServed: Bool = true, groups: [String] = [],
        groupBudget: BudgetConfiguration? = nil, failures: [Bool] = []
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
            keyStore: FailingKeyStore(store: store, failures: failures), state: GatewayState())
    }

    /// Creates a key through the route, and returns it.
    func add(_ body: String) async -> String {
        let response = await running.ask(.post, "/v1/admin/keys", body: body)
        guard response.status == 201, let key = response.member("key") else { return "none: \(response.text)" }
        return key
    }
}

/// A store whose first additions fail.
private final class FailingKeyStore: KeyStore {
    private let store: MemoryKeyStore
    private let failures: Locked<[Bool]>

    init(store: MemoryKeyStore, failures: [Bool]) {
        self.store = store
        self.failures = Locked(failures)
    }

    func add(_ key: ManagedKey, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let addsKey = failure else { return store.add(key, completion: completion) }
        if addsKey { store.add(key) { _ in } }
        completion(.failure(KeyStoreFailure("the connection is lost")))
    }

    func rotate(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64,
        completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void
    ) { store.rotate(name, to: digest, until: end, at: now, completion: completion) }

    func revoke(_ name: String, completion: @escaping @Sendable (Result<Bool, KeyStoreFailure>) -> Void) {
        store.revoke(name, completion: completion)
    }

    func find(_ name: String, completion: @escaping @Sendable (Result<ManagedKey?, KeyStoreFailure>) -> Void) {
        store.find(name, completion: completion)
    }

    func list(
        after name: String, limit: Int,
        completion: @escaping @Sendable (Result<[ManagedKey], KeyStoreFailure>) -> Void
    ) { store.list(after: name, limit: limit, completion: completion) }
}

extension InProcessGateway.Response {
    /// Returns the text of the first member with this name, at any depth.
    func member(_ name: String) -> String? {
        guard let start = text.firstRange(of: "\"\(name)\":\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}

import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateService

@Suite struct BudgetReaderTests {
    private let state = GatewayState()

    /// Returns whether the budgets of managed keys are known once a configuration without budgets is served.
    private func isRead(_ keys: ManagedKeys) throws -> Bool {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let reader = BudgetReader(loop: group.loops[0], state: state)
        reader.adopt(Configuration(upstreams: [], models: []), nil, managed: keys)
        reader.stop()
        return try isKnown()
    }

    private func isKnown() throws -> Bool {
        let budget = BudgetConfiguration(.tokens(1000), every: .day, isStrict: true)
        let subject = LimitSubject(kind: .key, name: "k")
        let rules = try #require(LimitRules(nil, budget: budget, of: subject))
        var claims = [LimitClaim(rules: rules, isCounted: false, reserve: nil)]
        let now = LimitInstant(monotonic: 0, realtime: Int64(time(nil)) * 1_000_000_000)
        return state.limits.withLock { $0.take(&claims, at: now, ledgerWorks: true) == nil }
    }

    /// All keys can be removed between compiling a configuration and serving it.
    @Test func budgetsAreReadForServedButRemovedKeys() throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let folder = try TemporaryFolder()
        let sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(sink) }
        let log = try LogWriter(group: group, to: LogDescriptor(descriptor: sink))
        defer { log.close() }
        let composer = try #require(
            try KeyStoreComposer(.standard, environment: ["XDG_DATA_HOME": folder.path], log: log, appeared: {}))
        defer { composer.close() }
        composer.keys.hear(.all([ManagedKey(name: "k", digest: KeyDigest(of: "k".utf8), created: 0)]))
        var parts = GatewayParts()
        parts.managedKeys = composer.keys
        parts.state = state
        let snapshot = GatewaySnapshot(Configuration(upstreams: [], models: []), upstreams: [], parts: parts)
        composer.keys.hear(.all([]))
        let reader = BudgetReader(loop: group.loops[0], state: state)
        reader.adopt(snapshot, of: Configuration(upstreams: [], models: []), nil, composer, beside: [])
        reader.stop()
        #expect(composer.keys.areServed)
        #expect(try isKnown())
    }

    /// The groups of revoked keys are known from the start of the process.
    @Test func useOfRevokedKeysCountsForTheirGroups() throws {
        let keys = ManagedKeys(report: { _ in })
        let settings = [
            "gone": #"{"group":"team"}"#, "alone": "{}", "odd": #"{"group":"#, "living": #"{"group":"former"}"#,
        ]
        keys.hear(
            .all([
                ManagedKey(name: "living", digest: KeyDigest(of: "a".utf8), settings: #"{"group":"team"}"#, created: 0)
            ]))
        let groups = ["gone", "alone", "odd", "living", "never"].map { keys.group(of: $0, revoked: settings) }
        #expect(groups == ["team", nil, nil, "team", nil])
        #expect(keys.group(of: "gone") == nil)
    }

    @Test func budgetsOfManagedKeysAreReadIfTheyAreServed() throws {
        let keys = ManagedKeys(report: { _ in })
        #expect(try !isRead(keys))
        state.limits.withLock { $0 = LimitCounters() }
        keys.areServed = true
        #expect(try isRead(keys))
    }
}

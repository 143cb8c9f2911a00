import Glibc
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateService

@Suite struct BudgetReaderTests {
    private let counters = Locked(LimitCounters())

    /// Whether a budget of a managed key is known, once a configuration without budgets is served.
    private func isRead(_ keys: ManagedKeys) throws -> Bool {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let counters = counters
        let reader = BudgetReader(loop: group.loops[0], state: GatewayState(limits: { counters.withLock($0) }))
        reader.adopt(Configuration(upstreams: [], models: []), nil, managed: keys)
        reader.stop()
        let budget = BudgetConfiguration(.tokens(1000), every: .day, isStrict: true)
        let subject = LimitSubject(kind: .key, name: "k")
        let rules = try #require(LimitRules(nil, budget: budget, of: subject))
        var claims = [LimitClaim(rules: rules, isCounted: false, reserve: nil)]
        let now = LimitInstant(monotonic: 0, realtime: Int64(time(nil)) * 1_000_000_000)
        return counters.withLock { $0.take(&claims, at: now, ledgerWorks: true) == nil }
    }

    @Test func budgetsOfManagedKeysAreReadWhereTheyAreServedAlthoughThereIsNone() throws {
        let table = Locked(ManagedKeyTable())
        let keys = ManagedKeys(table: { table.withLock($0) }, report: { _ in })
        #expect(try !isRead(keys))
        counters.withLock { $0 = LimitCounters() }
        keys.areServed = true
        #expect(try isRead(keys))
    }
}

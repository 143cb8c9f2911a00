import HeadgateConfiguration
import HeadgateServer
import Testing

@testable import HeadgateService

@Suite struct ConnectionBudgetTests {
    @Test func defaultAppliesWithManyDescriptors() {
        let budget = ConnectionBudget(wanted: nil, descriptors: 1_048_576)
        #expect(budget.downstream == 10_000)
        #expect(budget.reason == "the default")
        #expect(budget.idleUpstream == 1024)
    }

    @Test func configuredNumberAppliesIfDescriptorsAllowIt() {
        let budget = ConnectionBudget(wanted: 200, descriptors: 1024)
        #expect(budget.downstream == 200)
        #expect(budget.reason == "as configured")
    }

    @Test(arguments: [nil, 5000]) func connectionsUseAtMostHalfOfTheDescriptors(wanted: Int?) {
        let budget = ConnectionBudget(wanted: wanted, descriptors: 1024)
        #expect(budget.downstream == 480)
        #expect(budget.reason == "the limit on open files is 1024")
        #expect(budget.idleUpstream == 64)
    }

    @Test func aFewConnectionsAreServedWhateverTheLimit() {
        #expect(ConnectionBudget(wanted: nil, descriptors: 20).downstream == 16)
        #expect(ConnectionBudget(wanted: 3, descriptors: 20).downstream == 3)
    }

    @Test func serverGetsTheBudgetAndTheConfiguredLimits() {
        var configured = LimitsConfiguration()
        configured.connectionsPerAddress = 7
        configured.drain = .seconds(3)
        let limits = ServerLimits(configured, budget: ConnectionBudget(wanted: 90, descriptors: 1024))
        #expect(limits.connections == 90)
        #expect(limits.connectionsPerAddress == 7)
        #expect(limits.drainTimeout == .seconds(3))
    }
}

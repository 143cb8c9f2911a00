import HeadgateEventLoop
import Testing

@testable import HeadgateUpstream

@Suite struct IdleBudgetTests {
    @Test func idleConnectionsStayWithinTheBudget() {
        let budget = IdleBudget(limit: 2)
        let taken = (0..<3).map { _ in budget.take() }
        #expect(taken == [true, true, false])
    }

    @Test func returnedRoomIsAvailableAgain() {
        let budget = IdleBudget(limit: 1)
        let first = budget.take()
        budget.giveBack()
        let second = budget.take()
        #expect(first && second)
    }

    /// Each loop has an equal share, and at least four connections.
    @Test(arguments: [(100, 50), (9, 4), (8, 4), (2, 4)])
    func loopsShareTheBudget(_ maximum: Int, _ share: Int) throws {
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let network = UpstreamNetwork(group: group, maximumIdle: maximum)
        for loop in group.loops {
            let taken = try loop.performAndWait {
                (0..<(share + 1)).map { _ in network.idleBudget(on: loop).take() }
            }
            #expect(taken == Array(repeating: true, count: share) + [false])
        }
    }
}

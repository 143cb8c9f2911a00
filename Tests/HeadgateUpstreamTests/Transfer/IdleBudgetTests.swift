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
}

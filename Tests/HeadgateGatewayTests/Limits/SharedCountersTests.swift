import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Two gateways with counters in one Redis server, which sometimes fails.
@Suite(.serialized) final class SharedCountersTests: Sendable {
    private let group = EventLoopGroup(count: 2)
    private let server: RedisServer

    init() throws { server = try RedisServer() }

    deinit { group.stop() }

    private func gateways(reply: Duration = .seconds(60)) throws -> (CountingGateway, CountingGateway) {
        let both = (
            CountingGateway(server, group: group, reply: reply), CountingGateway(server, group: group, reply: reply)
        )
        try #require(both.0.waitUntilShared() && both.1.waitUntilShared())
        return both
    }

    @Test func exactlyTheLimitPassesOverBoth() async throws {
        let (first, second) = try gateways()
        let limited = Limited(UsageLimits(requests: [RateLimit(1000, per: .day)]))
        let begun = ContinuousClock.now
        let passed = await withTaskGroup(of: Int.self) { tasks in
            for worker in 0..<20 {
                tasks.addTask {
                    var passed = 0
                    for _ in 0..<1000 {
                        let taken = await (worker % 2 == 0 ? first : second).take([limited.claim], loop: worker / 2)
                        taken.settle()
                        if taken.refusal == nil { passed += 1 }
                    }
                    return passed
                }
            }
            return await tasks.reduce(0, +)
        }
        // The limit refills one request per 86.4 s, and the requests can take that long on a busy machine.
        let more = Int(begun.duration(to: .now) / .milliseconds(86_400))
        #expect((1000...1000 + more).contains(passed))
    }

    @Test func budgetOfBothEndsWithinOneReserve() async throws {
        let (first, second) = try gateways()
        let limited = Limited(budget: BudgetConfiguration(.tokens(100_000), every: .month))
        let passed = await withTaskGroup(of: Int.self) { tasks in
            for worker in 0..<10 {
                tasks.addTask {
                    var passed = 0
                    for _ in 0..<100 {
                        let taken = await (worker % 2 == 0 ? first : second).take([limited.claim], loop: worker / 2)
                        taken.settle(RequestUse(input: 100, output: 512))
                        if taken.refusal == nil { passed += 1 }
                    }
                    return passed
                }
            }
            return await tasks.reduce(0, +)
        }
        // 164 requests of 612 tokens use up 100,000 tokens.
        #expect(passed == 164)
    }

    @Test func nothingIsLeftOnceAllRequestsHaveEnded() async throws {
        let (first, second) = try gateways()
        let budget = BudgetConfiguration(.tokens(1_000_000_000), every: .month)
        let many = Limited(UsageLimits(tokens: [RateLimit(1_000_000, per: .second)], inFlight: 50), budget: budget)
        await withTaskGroup { tasks in
            for worker in 0..<100 {
                tasks.addTask {
                    for step in 0..<20 {
                        let taken = await (worker % 2 == 0 ? first : second).take([many.claim], loop: worker + step)
                        taken.settle(RequestUse(input: worker * step, isOpen: step % 3 == 0, bytes: step))
                    }
                }
            }
        }
        let one = Limited(UsageLimits(inFlight: 1), budget: budget)
        // Each loop has its own connection to the server, so repeat until every settlement has arrived.
        for gateway in [first, second] {
            var taken = await gateway.take([one.claim])
            while taken.refusal != nil { taken = await gateway.take([one.claim]) }
            taken.settle()
        }
    }

    @Test func flightsAndReservesOfOneGatewayLimitTheOther() async throws {
        let (first, second) = try gateways()
        let limited = Limited(
            UsageLimits(inFlight: 2), budget: BudgetConfiguration(.tokens(1_000_000), every: .month))
        let one = await first.take([limited.claim])
        let two = await second.take([limited.claim])
        #expect(one.refusal == nil && two.refusal == nil)
        #expect(await first.take([limited.claim]).refusal?.word == "in_flight")
        #expect(await second.take([limited.claim]).refusal?.word == "in_flight")
        one.settle(RequestUse(input: 999_999))
        two.settle(RequestUse(input: 1))
        // Each loop has its own connection to the server, so repeat until both settlements have arrived.
        var refusal: LimitRefusal?
        while refusal == nil || refusal?.word == "in_flight" {
            let taken = await second.take([limited.claim])
            refusal = taken.refusal
            taken.settle()
        }
        guard case .budget(_, _, _, .some)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        // The gateway that did not use the budget knows too that it is used up, even after the server has ended.
        server.kill()
        while await second.take([limited.claim]).isShared {}
        #expect(await second.take([limited.claim]).refusal?.word == "budget")
    }

    @Test func localLimitsApplyDuringAServerOutage() async throws {
        let (first, _) = try gateways()
        let limited = Limited(UsageLimits(requests: [RateLimit(10, per: .day)]))
        for _ in 0..<6 { #expect(await first.take([limited.claim]).isShared) }
        server.kill()
        var alone = 0
        for _ in 0..<20 {
            let taken = await first.take([limited.claim])
            #expect(!taken.isShared)
            if taken.refusal == nil { alone += 1 }
        }
        // Requests from before the outage count as well.
        #expect(alone == 4)
        #expect(try await first.reports.next(timeout: .seconds(120), "a report")?.contains("cannot be used") == true)
        try server.start()
        #expect(
            try await first.reports.next(timeout: .seconds(120), "a report")?.hasSuffix("is used again") == true)
        // The server has lost its data, and receives it again.
        let taken = await first.take([limited.claim])
        #expect(taken.isShared && taken.refusal != nil)
    }

    @Test func hangingServerDelaysRequestsOnlyOnce() async throws {
        let (first, _) = try gateways(reply: .seconds(2))
        let limited = Limited(UsageLimits(requests: [RateLimit(1000, per: .day)]))
        server.pause()
        // Each loop waits for the server at most once.
        _ = await first.take([limited.claim], loop: 0)
        _ = await first.take([limited.claim], loop: 1)
        var waited = Duration.zero
        for index in 0..<200 {
            let taken = await first.take([limited.claim], loop: index)
            #expect(taken.refusal == nil && !taken.isShared)
            waited += taken.waited
        }
        #expect(waited < .seconds(2))
        server.goOn()
        var isShared = false
        while !isShared { isShared = await first.take([limited.claim]).isShared }
    }

    @Test func budgetOfAnOutageIsReportedLater() async throws {
        let (first, second) = try gateways()
        let limited = Limited(budget: BudgetConfiguration(.tokens(100_000), every: .month))
        let before = await first.take([limited.claim])
        before.settle(RequestUse(input: 10_000))
        _ = await first.take([limited.claim])
        server.kill()
        for gateway in [first, second] {
            while await gateway.take([limited.claim]).isShared {}
            let taken = await gateway.take([limited.claim])
            #expect(!taken.isShared)
            taken.settle(RequestUse(input: 20_000))
        }
        try server.start()
        await waitUntilShared(first)
        await waitUntilShared(second)
        _ = await first.take([limited.claim])
        _ = await second.take([limited.claim])
        // These are 10,000 tokens that only the first gateway knows of, and 20,000 that each used during the outage.
        #expect(await first.take([limited.claim]).levels.budgetUsed == 50)
    }

    private let free = Limited(UsageLimits(requests: [RateLimit(1_000_000, per: .second)]), .key, "free")

    private func waitUntilShared(_ gateway: CountingGateway) async {
        while await !gateway.take([free.claim]).isShared {}
    }

    @Test func requestOfAFormerConnectionEndsOnTheNext() async throws {
        let (first, second) = try gateways(reply: .seconds(2))
        let limited = Limited(UsageLimits(inFlight: 1))
        let long = await first.take([limited.claim])
        #expect(long.refusal == nil)
        // The server runs but does not reply for a while, so all connections are lost.
        server.pause()
        while await first.take([free.claim]).isShared {}
        server.goOn()
        await waitUntilShared(first)
        await waitUntilShared(second)
        #expect(await second.take([limited.claim]).refusal?.word == "in_flight")
        long.settle()
        var refusal: LimitRefusal? = .inFlight(.gateway, 0)
        while refusal != nil { refusal = await second.take([limited.claim]).refusal }
    }
}

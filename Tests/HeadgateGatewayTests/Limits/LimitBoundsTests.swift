import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Limits and budgets exactly at their bounds, and one beyond.
@Suite struct LimitBoundsTests {
    private static let second: UInt64 = 1_000_000_000
    /// Eight o'clock, in seconds since 1970.
    private static let now = InProcessGateway.now / 1_000_000_000
    private let key = LimitSubject(kind: .key, name: "k")
    private let daily = BudgetRule(BudgetConfiguration(.tokens(1000), every: .day))

    // MARK: Leases

    private func lease(
        _ rules: [LimitRules], _ counters: Locked<LimitCounters>, output: Int = 512,
        cost: (all: Int, output: Int) = (7, 1)
    ) -> LimitLease {
        let reserve = TokenReserve(input: 100, output: output)
        let claims = rules.map {
            LimitClaim(rules: $0, isCounted: true, reserve: reserve, cost: cost.all, outputCost: cost.output)
        }
        let lease = LimitLease(counters, claims)
        #expect(lease.take(at: .after(1), ledgerWorks: true, isRead: true) == nil)
        return lease
    }

    /// An estimate is charged to a budget; a rate alone charges nothing.
    @Test(arguments: [true, false]) func onlyABudgetAssumesUse(_ hasBudget: Bool) {
        let rate = Limited(UsageLimits(tokens: [RateLimit(10_000, per: .day)])).rules
        let budget = Limited(budget: BudgetConfiguration(.tokens(1_000_000), every: .day), .group, "g").rules
        let lease = lease(hasBudget ? [rate, budget] : [rate], Locked(LimitCounters()))
        var outcome = Outcome(startedAt: 0)
        outcome.upstreamStatus = 200
        lease.assumeUse(in: &outcome)
        #expect(outcome.promptTokens == (hasBudget ? 100 : nil) && outcome.notes.isEstimated == hasBudget)
        var entry = LedgerEntry()
        lease.assumeUse(in: &entry)
        #expect(entry.promptTokens == (hasBudget ? 100 : nil) && entry.completionTokens == (hasBudget ? 512 : nil))
        #expect(entry.source == (hasBudget ? .estimated : nil) && entry.cost == (hasBudget ? 7 : nil))
    }

    @Test(arguments: [(0, nil), (1, 1)] as [(Int, Int?)])
    func outputIsAssumedOnlyIfItWasReserved(_ output: Int, _ assumed: Int?) {
        let budget = Limited(budget: BudgetConfiguration(.tokens(1_000_000), every: .day), .group, "g").rules
        var entry = LedgerEntry()
        lease([budget], Locked(LimitCounters()), output: output).assumeUse(in: &entry)
        #expect(entry.promptTokens == 100 && entry.completionTokens == assumed)
    }

    @Test func assumedUseOfAModelWithoutAPriceHasNoCost() {
        let budget = Limited(budget: BudgetConfiguration(.tokens(1_000_000), every: .day), .group, "g").rules
        var entry = LedgerEntry()
        lease([budget], Locked(LimitCounters()), cost: (0, 0)).assumeUse(in: &entry)
        #expect(entry.source == .estimated && entry.cost == nil)
    }

    /// A body that no relay ends, such as a file's, also releases the slot.
    @Test(arguments: [true, false]) func slotIsReleasedBeforeTheEndIsPassedOn(_ isWhole: Bool) {
        let counters = Locked(LimitCounters())
        let lease = lease([Limited(UsageLimits(inFlight: 1)).rules], counters)
        let subject = LimitSubject(kind: .key, name: "a")
        func inFlight() -> Int { counters.withLock { $0.inFlight(of: subject) } }
        let source = ManualBody()
        let followed = lease.follow(ServerResponse(HTTPResponse(status: .ok), .stream(source)))
        guard case .stream(let body)? = followed.body else {
            Issue.record("no stream")
            return
        }
        let client = CollectedBody()
        body.start(client)
        source.send("a")
        #expect(inFlight() == 1)
        if isWhole { source.finish() } else { source.fail(.truncatedBody) }
        #expect(inFlight() == 0 && client.text == "a" && client.ends.count == 1)
        lease.settle(RequestUse(), at: 2)
        #expect(inFlight() == 0)
    }

    @Test func wholeResponseReleasesItsSlotAtOnce() {
        let counters = Locked(LimitCounters())
        let lease = lease([Limited(UsageLimits(inFlight: 1)).rules], counters)
        _ = lease.follow(ServerResponse(HTTPResponse(status: .ok), .bytes([0x61])))
        #expect(counters.withLock { $0.inFlight(of: LimitSubject(kind: .key, name: "a")) } == 0)
    }

    // MARK: Budgets

    @Test func budgetAdmitsUpToItsLastUnit() {
        var account = BudgetAccount(daily, at: Self.now)
        let now = Self.now * 1_000_000_000
        account.reserve(999)
        #expect(account.wait(daily, at: now) == nil)
        account.reserve(1)
        #expect(account.wait(daily, at: now) == LimitRefusal.unknownWait)
        account.settle(1000, used: 999)
        #expect(account.wait(daily, at: now) == nil && !account.isUsedUp(daily))
        account.settle(0, used: 1)
        #expect(account.isUsedUp(daily))
        let end = account.window.end * 1_000_000_000
        #expect(account.wait(daily, at: end - 1) == 1 && account.wait(daily, at: end) == 1, "never nothing")
        #expect(account.wait(daily, at: end - 5) == 5)
    }

    @Test func settledReserveIsNeverNegative() {
        var account = BudgetAccount(daily, at: Self.now)
        account.reserve(5)
        account.settle(9, used: 0)
        #expect(account.reserved == 0 && account.spent == 0)
        account.reserve(.max)
        account.reserve(1)
        #expect(account.reserved == .max)
    }

    @Test func usedAccountIsRememberedForSixHoursAfterItsWindow() {
        var account = BudgetAccount(daily, at: Self.now)
        account.settle(0, used: 1)
        let end = account.window.end + 6 * 3600
        #expect(!account.isIdle(at: end - 1) && account.isIdle(at: end))
        account.roll(to: account.window.end)
        #expect(!account.isIdle(at: end - 1) && account.isIdle(at: end), "another window is the current one")
    }

    @Test func threeOtherWindowsAreRemembered() {
        var account = BudgetAccount(daily, at: Self.now)
        for day in 0..<5 {
            account.roll(to: Self.now + Int64(day) * 86_400)
            account.settle(0, used: day + 1)
        }
        #expect((0..<5).map { account.used(at: Self.now + Int64($0) * 86_400) } == [0, 2, 3, 4, 5])
    }

    @Test func useOfOtherGatewaysOnlyRaisesTheOwnWindow() {
        var account = BudgetAccount(daily, at: Self.now)
        account.settle(0, used: 10)
        account.learn(9, since: account.window.start)
        account.learn(99, since: account.window.start - 86_400)
        #expect(account.spent == 10)
        account.learn(11, since: account.window.start)
        #expect(account.spent == 11)
    }

    @Test func storeReceivesEachUseOnce() {
        var account = BudgetAccount(daily, at: Self.now)
        account.settle(0, used: 10)
        account.share(4)
        func told(_ epoch: UInt64) -> [Int] {
            let told = account.tell(epoch)
            return [told.seed, told.unshared]
        }
        #expect(told(1) == [10, 4])
        #expect(told(1) == [0, 0])
        account.share(3)
        #expect(told(1) == [0, 3])
        account.takeBack(3)
        #expect(told(1) == [10, 3], "it might have lost both")
        #expect(told(2) == [10, 0], "another store has nothing")
    }

    // MARK: Verdicts of a shared store

    private func refusal(
        _ limits: UsageLimits = UsageLimits(), budget: BudgetConfiguration? = nil, ahead: [Int] = [],
        inFlight: Int = 0, spent: Int = 0, reserved: Int = 0
    ) throws -> LimitRefusal? {
        let rules = Limited(limits, budget: budget).rules
        let claims = [LimitClaim(rules: rules, isCounted: true, reserve: TokenReserve(input: 1, output: 1))]
        var counters = LimitCounters()
        let now = LimitInstant(monotonic: 1, realtime: InProcessGateway.now)
        let asked = counters.question(of: claims, at: now, epoch: 1, ledgerWorks: true).claims
        let level = CounterAnswer.Level(
            ahead: ahead, inFlight: inFlight,
            budget: asked[0].budget.map { .init(spent: spent, reserved: reserved, start: $0.start) })
        return SharedVerdict(claims, asked, CounterAnswer(levels: [level], lease: nil), realtime: now.realtime).refusal
    }

    @Test func requestInFlightAtTheLimitIsRefused() throws {
        let limits = UsageLimits(requests: [RateLimit(60, per: .minute)], inFlight: 2)
        guard case .inFlight(_, 2)? = try refusal(limits, ahead: [0], inFlight: 2) else {
            Issue.record("not in flight")
            return
        }
        // Below this limit only a rate can be the reason, even if only because of rounding.
        guard case .rate(_, _, wait: 1)? = try refusal(limits, ahead: [0], inFlight: 1) else {
            Issue.record("not the rate")
            return
        }
    }

    /// One request a second with a burst of sixty: the rate is full at sixty seconds of ticks.
    @Test(arguments: [(59, 1), (60, Int(second)), (61, 2 * Int(second))])
    func waitOfARateIsItsExcess(_ ahead: Int, _ nanoseconds: Int) throws {
        let limits = UsageLimits(requests: [RateLimit(60, per: .minute)])
        guard case .rate(_, _, let wait)? = try refusal(limits, ahead: [ahead * 16_000_000]) else {
            Issue.record("not the rate")
            return
        }
        #expect(wait == UInt64(nanoseconds))
    }

    @Test(arguments: [(1000, 0, true), (1001, 5, true), (999, 1, false), (500, 500, false)])
    func usedUpAndReservedBudgetsAreToldApart(_ spent: Int, _ reserved: Int, _ isUsedUp: Bool) throws {
        let budget = BudgetConfiguration(.tokens(1000), every: .day)
        guard case .budget(_, _, let wait, let end)? = try refusal(budget: budget, spent: spent, reserved: reserved)
        else {
            Issue.record("not the budget")
            return
        }
        let window = BudgetWindow(.day, at: Self.now)
        #expect(end == (isUsedUp ? window.end : nil))
        let rest = UInt64(window.end * 1_000_000_000 - InProcessGateway.now)
        #expect(wait == (isUsedUp ? rest : LimitRefusal.unknownWait))
    }

    @Test func budgetWithARestIsNotTheReason() throws {
        let budget = BudgetConfiguration(.tokens(1000), every: .day)
        if case .budget? = try refusal(budget: budget, spent: 500, reserved: 499) { Issue.record("the budget") }
    }

    // MARK: Responses to refused requests

    @Test(
        arguments: [
            (0, "1", "1", nil), (1, "1", "1", nil), (1_000_000, "1", "1", nil), (1_000_001, "1", "2", nil),
            (1_000_000_000, "1", "1000", nil), (1_000_000_001, "2", "1001", nil),
            (120_000_000_000, "120", "120000", nil), (120_000_000_001, "121", nil, "false"),
            (86_400_000_000_000, "86400", nil, "false"),
        ] as [(UInt64, String, String?, String?)])
    func waitIsRoundedUpAndALongOneIsNotRetried(
        _ wait: UInt64, _ seconds: String, _ milliseconds: String?, _ retries: String?
    ) throws {
        let rules = Limited(UsageLimits(requests: [RateLimit(1, per: .minute)])).rules
        let error = GatewayError.limited(.rate(rules.subject, rules.rates[0], wait: wait))
        #expect(error.status == 429 && error.headerFields[.retryAfter] == seconds)
        #expect(error.headerFields[.retryAfterMilliseconds] == milliseconds)
        #expect(error.headerFields[.xShouldRetry] == retries)
    }

    @Test func refusalsSayWhatIsUsedUp() {
        func text(_ refusal: LimitRefusal) -> String { GatewayError.limited(refusal).message }
        #expect(text(.inFlight(key, 1)).contains("key 'k' is reached: 1 request in flight."))
        #expect(text(.inFlight(key, 2)).contains("2 requests in flight."))
        #expect(text(.budget(key, daily, wait: 1, end: 0)).contains("resets at 1970-01-01T00:00:00"))
        #expect(text(.budget(key, daily, wait: 1, end: nil)).contains("is reserved for requests in flight"))
        let unknown = GatewayError.limited(.budgetUnknown(key, daily))
        #expect(unknown.status == 503 && unknown.headerFields[.retryAfter] == "5")
        #expect(LimitRefusal.inFlight(key, 1).wait == Self.second)
        #expect(LimitRefusal.budgetUnknown(key, daily).wait == .max)
    }

    /// The ledger is read again, and reports more use.
    @Test func laterHistoryOfAWindowReplacesTheEarlierOne() {
        var counters = LimitCounters()
        func history(_ tokens: Int, at now: Int64) -> BudgetHistory {
            var row = UsageRow("k")
            row.promptTokens = tokens
            return BudgetQuestion(.day, at: now * 1000).history([row]) { _ in nil }
        }
        for (tokens, now) in [(40, Self.now), (7, Self.now - 86_400), (90, Self.now)] {
            counters.restore(history(tokens, at: now))
        }
        #expect(counters.budgetUse(of: key, daily, at: Self.now)?.used == 90)
        #expect(counters.budgetUse(of: key, daily, at: Self.now - 86_400)?.used == 7)
        #expect(counters.budgetUse(of: key, nil, at: Self.now) == nil)
    }

    // MARK: Claims

    /// A reserve above the burst takes all of it.
    @Test(
        arguments: [(nil, 1, 0), (0, 0, 0), (1, 1, 1), (9, 1, 9), (1000, 1, 1000), (1001, 1, 1000)]
            as [(Int?, Int, Int)])
    func oneTokenLeftIsEnough(_ reserved: Int?, _ needed: Int, _ taken: Int) {
        let rules = Limited(UsageLimits(tokens: [RateLimit(1000, per: .minute)])).rules
        let reserve = reserved.map { TokenReserve(input: $0, output: 0) }
        let claim = LimitClaim(rules: rules, isCounted: true, reserve: reserve)
        #expect(claim.units(of: rules.rates[0]) == needed && claim.takenUnits(of: rules.rates[0]) == taken)
    }

    @Test func onlyACountedRequestThatHoldsNothingYetTakesOne() {
        let rules = Limited(UsageLimits(requests: [RateLimit(60, per: .minute)])).rules
        for isCounted in [true, false] {
            var claim = LimitClaim(rules: rules, isCounted: isCounted, reserve: nil)
            #expect(claim.units(of: rules.rates[0]) == (isCounted ? 1 : nil))
            #expect(claim.takenUnits(of: rules.rates[0]) == (isCounted ? 1 : 0))
            claim.hold()
            #expect(claim.units(of: rules.rates[0]) == nil && claim.takenUnits(of: rules.rates[0]) == 0)
        }
    }

    /// The reserve has ten output tokens, which cost three each.
    @Test(arguments: [(10, 100, 100), (12, 100, 106), (0, 100, 70), (0, 30, 0), (0, 29, 0), (Int.max, 100, Int.max)])
    func openCostIsThatOfTheOutput(_ tokens: Int, _ cost: Int, _ open: Int) {
        let rules = Limited(UsageLimits(inFlight: 1)).rules
        let claim = LimitClaim(
            rules: rules, isCounted: true, reserve: TokenReserve(input: 5, output: 10), cost: cost, outputCost: 3)
        #expect(claim.openCost(tokens) == open)
    }

    // MARK: Counters

    @Test func idleSubjectsAreForgottenAsOthersCome() throws {
        var counters = LimitCounters()
        for number in 0..<200 {
            var claims = [Limited(UsageLimits(requests: [RateLimit(1, per: .second)]), .key, "\(number)").claim]
            let now = UInt64(number) * 2 * Self.second
            #expect(counters.take(&claims, at: now) == nil)
            counters.settle(claims, RequestUse(), at: now)
            #expect(counters.count <= 3 && counters.meters.count <= 3)
        }
    }

    @Test func subjectInUseIsNotForgotten() throws {
        var counters = LimitCounters()
        var held = [Limited(UsageLimits(inFlight: 1), .key, "held").claim]
        #expect(counters.take(&held, at: 0) == nil)
        for number in 0..<50 {
            var claims = [Limited(UsageLimits(inFlight: 1), .key, "\(number)").claim]
            #expect(counters.take(&claims, at: UInt64(number)) == nil)
            counters.settle(claims, RequestUse(), at: UInt64(number))
        }
        #expect(counters.inFlight(of: LimitSubject(kind: .key, name: "held")) == 1)
        counters.settle(held, RequestUse(), at: 60)
        #expect(counters.inFlight(of: LimitSubject(kind: .key, name: "held")) == 0)
    }

    /// The store receives each count once, and again after it has lost its data.
    @Test func claimsCarryWhatTheStoreHasNotReceived() {
        var counters = LimitCounters()
        var claims = [Limited(UsageLimits(requests: [RateLimit(60, per: .minute)])).claim]
        #expect(counters.take(&claims, at: 0) == nil)
        func seed(_ epoch: UInt64) -> Int? {
            counters.question(of: claims, at: .after(0), epoch: epoch, ledgerWorks: true).claims[0].rates.first?.seed
        }
        #expect([1, 1, 2, 2].map { seed($0) } == [16_000_000, 0, 16_000_000, 0])
    }

    @Test func knownRefusalsMakeRoomForNewOnes() {
        let rules = (0...4096).map { number in
            Limited(UsageLimits(requests: [RateLimit(60, per: .minute)]), .key, "\(number)").rules
        }
        var known = KnownRefusals()
        // Half of the refusals end at 10.
        for number in 0..<4096 {
            let wait: UInt64 = number.isMultiple(of: 2) ? 10 : 100
            known.note(.rate(rules[number].subject, rules[number].rates[0], wait: wait), of: rules[number], at: 0)
        }
        #expect(known.count == 4096)
        known.note(.rate(rules[4096].subject, rules[4096].rates[0], wait: 100), of: rules[4096], at: 10)
        #expect(known.count == 2049 && known.refusal(of: rules[1], at: 10) != nil)
    }
}

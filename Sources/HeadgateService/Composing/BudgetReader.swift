import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import HeadgateStores

/// Reads the earlier usage of budgets from the ledger, so that a restart does not forget it. Only budgets with `strict:
/// true` wait for the result.
///
/// Belongs to the main thread; retries run on a loop.
final class BudgetReader {
    private let loop: EventLoop
    private let state: GatewayState
    private let pause: Duration
    private var reading: Reading?
    private var budgets: [NamedBudget] = []
    private var hasManagedKeys = false

    private struct NamedBudget: Equatable {
        let name: String
        let budget: BudgetConfiguration
    }

    /// - Parameter pause: the pause before a retry if the ledger does not respond.
    init(loop: EventLoop, state: GatewayState, pause: Duration = .seconds(5)) {
        self.loop = loop
        self.state = state
        self.pause = pause
    }

    /// Reads the usage of a configuration's budgets, if they differ from the previous ones.
    ///
    /// - Parameters:
    ///   - ledger: the ledger; nil if there is none, and so no earlier usage.
    ///   - managed: managed keys, whose budgets can have any period.
    ///   - revoked: returns the settings of revoked keys by their names, since their usage counts for their groups.
    func adopt(
        _ configuration: Configuration, _ ledger: (any UsageLedger)?, managed: ManagedKeys?,
        revoked: @escaping @Sendable () -> [String: String] = { [:] }
    ) {
        let budgets = BudgetReader.budgets(of: configuration)
        // Once managed keys are served, the first one can be added without another configuration.
        let mayCome = managed.map { !$0.isEmpty || $0.areServed } ?? false
        guard budgets != self.budgets || mayCome != hasManagedKeys else { return }
        self.budgets = budgets
        hasManagedKeys = mayCome
        stop()
        let periods = mayCome ? Set(BudgetConfiguration.Period.allCases) : Set(budgets.map(\.budget.period))
        state.forgetBudgetHistories()
        let questions = BudgetQuestion.all(periods, at: headgate_realtime_nanoseconds() / 1_000_000)
        guard let ledger else {
            for question in questions { state.restore(question.nothing) }
            return
        }
        let groups = Dictionary(
            configuration.keys.compactMap { key in key.group.map { (key.name, $0) } }
        ) { first, _ in first }
        let reading = Reading(
            periods, questions, { groups[$0] ?? managed?.group(of: $0, revoked: revoked()) },
            areKeysKnown: { managed?.areUnknown != true }, ledger, state, loop, pause)
        self.reading = reading
        reading.start()
    }

    /// Reads the usage once the served configuration is compiled.
    ///
    /// - Parameter keys: the managed keys, which are notified first, since keys can be added from then on.
    func adopt(
        _ snapshot: GatewaySnapshot, of configuration: Configuration, _ ledger: (any UsageLedger)?,
        _ keys: KeyStoreComposer?, beside configured: [KeyConfiguration]
    ) {
        keys?.adopt(snapshot, configuration, beside: configured)
        adopt(configuration, ledger, managed: keys?.keys, revoked: { [store = keys?.store] in store?.revoked ?? [:] })
    }

    func stop() {
        reading?.stop()
        reading = nil
    }

    /// Function that adds usage which the ledger receives from another gateway from now on. Can be called from any
    /// thread.
    var learn: @Sendable (_ rows: [UsageRow]) -> Void { { [reading] in reading?.add($0) } }

    private static func budgets(of configuration: Configuration) -> [NamedBudget] {
        let ofKeys = configuration.keys.map { ("key \($0.name) of \($0.group ?? "")", $0.budget) }
        let ofGroups = configuration.groups.map { ("group \($0.name)", $0.budget) }
        return (ofKeys + ofGroups + [("", configuration.budget)]).compactMap { name, budget in
            budget.map { NamedBudget(name: name, budget: $0) }
        }
    }
}

/// Queries of one configuration, each repeated until it succeeds.
private final class Reading: Sendable {
    private let periods: Set<BudgetConfiguration.Period>
    private let questions: [BudgetQuestion]
    private let group: @Sendable (_ key: String) -> String?
    private let areKeysKnown: @Sendable () -> Bool
    private let ledger: any UsageLedger
    private let state: GatewayState
    private let loop: EventLoop
    private let pause: Duration
    private let interest = StoreInterest()

    init(
        _ periods: Set<BudgetConfiguration.Period>, _ questions: [BudgetQuestion],
        _ group: @escaping @Sendable (_ key: String) -> String?,
        areKeysKnown: @escaping @Sendable () -> Bool, _ ledger: any UsageLedger, _ state: GatewayState,
        _ loop: EventLoop, _ pause: Duration
    ) {
        self.periods = periods
        self.questions = questions
        self.group = group
        self.areKeysKnown = areKeysKnown
        self.ledger = ledger
        self.state = state
        self.loop = loop
        self.pause = pause
    }

    func start() { for question in questions { ask(question) } }

    func stop() { interest.end() }

    /// Adds usage by key to the current windows.
    func add(_ rows: [UsageRow]) {
        let now = headgate_realtime_nanoseconds() / 1_000_000
        for period in periods { state.add(BudgetQuestion(period, at: now).history(rows, group: group)) }
    }

    private func ask(_ question: BudgetQuestion) {
        ledger.ask(question.usage, for: interest) { [self] result in
            guard !interest.isOver else { return }
            switch result {
            // The usage of a key with an unknown group would be missing in the group for the whole window.
            case .success(let rows) where areKeysKnown(): state.restore(question.history(rows, group: group))
            case .success, .failure: askAgain(question)
            }
        }
    }

    private func askAgain(_ question: BudgetQuestion) {
        loop.execute { [self] in
            let timer = Timer()
            timer.timer = LoopTimer(loop: loop) { [self] in
                timer.timer = nil
                if !interest.isOver { ask(question) }
            }
            timer.timer?.schedule(after: pause)
        }
    }

    /// Timer that retains itself until it has fired.
    private final class Timer {
        var timer: LoopTimer?
    }
}

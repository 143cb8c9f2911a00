import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import HeadgateStores

/// Asks the ledger what was used of the budgets before, so that a restart does not forget it. Nothing waits for the
/// answer but budgets with `strict: true`.
///
/// Belongs to the main thread; it asks again on a loop.
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

    /// - Parameter pause: until a ledger that does not answer is asked again.
    init(loop: EventLoop, state: GatewayState, pause: Duration = .seconds(5)) {
        self.loop = loop
        self.state = state
        self.pause = pause
    }

    /// Reads what the budgets of a configuration need, if they are not those of the one before.
    ///
    /// - Parameters:
    ///   - ledger: nil where none is kept: then nothing was used before.
    ///   - managed: keys that come and go, whose budgets may be of any period.
    ///   - revoked: the settings of those that are gone, by their names: what they have used, their groups have used.
    func adopt(
        _ configuration: Configuration, _ ledger: (any UsageLedger)?, managed: ManagedKeys?,
        revoked: @escaping @Sendable () -> [String: String] = { [:] }
    ) {
        let budgets = BudgetReader.budgets(of: configuration)
        // Once they are served, the next one may come without another configuration.
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
            questions, { groups[$0] ?? managed?.group(of: $0, revoked: revoked()) },
            areKeysKnown: { managed?.areUnknown != true }, ledger, state, loop, pause)
        self.reading = reading
        reading.start()
    }

    /// The same, once what is served was compiled.
    ///
    /// - Parameter keys: hear of that first: from then on some may come, even if they are all gone again.
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

    private static func budgets(of configuration: Configuration) -> [NamedBudget] {
        let ofKeys = configuration.keys.map { ("key \($0.name) of \($0.group ?? "")", $0.budget) }
        let ofGroups = configuration.groups.map { ("group \($0.name)", $0.budget) }
        return (ofKeys + ofGroups + [("", configuration.budget)]).compactMap { name, budget in
            budget.map { NamedBudget(name: name, budget: $0) }
        }
    }
}

/// The questions of one configuration, each until it is answered.
private final class Reading: Sendable {
    private let questions: [BudgetQuestion]
    private let group: @Sendable (_ key: String) -> String?
    private let areKeysKnown: @Sendable () -> Bool
    private let ledger: any UsageLedger
    private let state: GatewayState
    private let loop: EventLoop
    private let pause: Duration
    private let interest = StoreInterest()

    init(
        _ questions: [BudgetQuestion], _ group: @escaping @Sendable (_ key: String) -> String?,
        areKeysKnown: @escaping @Sendable () -> Bool, _ ledger: any UsageLedger, _ state: GatewayState,
        _ loop: EventLoop, _ pause: Duration
    ) {
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

    private func ask(_ question: BudgetQuestion) {
        ledger.ask(question.usage, for: interest) { [self] result in
            guard !interest.isOver else { return }
            switch result {
            // Whose group is not known yet would be missing in it for the whole window.
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

    /// Keeps itself until it has fired.
    private final class Timer {
        var timer: LoopTimer?
    }
}

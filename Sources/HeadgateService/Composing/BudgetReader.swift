import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway

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
    func adopt(_ configuration: Configuration, _ ledger: (any UsageLedger)?, managed: ManagedKeys?) {
        let budgets = BudgetReader.budgets(of: configuration)
        // Once they are served, the next one may come without another configuration.
        let managed = managed.flatMap { $0.isEmpty && !$0.areServed ? nil : $0 }
        guard budgets != self.budgets || (managed != nil) != hasManagedKeys else { return }
        self.budgets = budgets
        hasManagedKeys = managed != nil
        stop()
        let periods = managed == nil ? Set(budgets.map(\.budget.period)) : Set(BudgetConfiguration.Period.allCases)
        state.forgetBudgetHistories()
        let questions = periods.map { BudgetQuestion($0, at: headgate_realtime_nanoseconds() / 1_000_000) }
        guard let ledger else {
            for question in questions { state.restore(question.nothing) }
            return
        }
        let groups = Dictionary(
            configuration.keys.compactMap { key in key.group.map { (key.name, $0) } }
        ) { first, _ in first }
        let reading = Reading(questions, { groups[$0] ?? managed?.group(of: $0) }, ledger, state, loop, pause)
        self.reading = reading
        reading.start()
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
    private let ledger: any UsageLedger
    private let state: GatewayState
    private let loop: EventLoop
    private let pause: Duration
    private let interest = StoreInterest()

    init(
        _ questions: [BudgetQuestion], _ group: @escaping @Sendable (_ key: String) -> String?,
        _ ledger: any UsageLedger, _ state: GatewayState, _ loop: EventLoop, _ pause: Duration
    ) {
        self.questions = questions
        self.group = group
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
            case .success(let rows): state.restore(question.history(rows, group: group))
            case .failure: askAgain(question)
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

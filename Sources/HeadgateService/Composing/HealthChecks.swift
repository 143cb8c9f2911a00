import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay

/// Active health checks of the upstreams that are configured to be checked.
///
/// Belongs to the main thread; the checks run on a loop.
final class HealthChecks {
    private struct Running {
        /// Definition of the upstream to check.
        let definition: UpstreamDefinition
        let check: UpstreamCheck
        let schedule: LoopBound<CheckSchedule>
    }

    private let loop: EventLoop
    private let state: GatewayState
    private let patience: Duration
    private var running: [String: Running] = [:]

    /// - Parameter patience: the timeout of a check.
    init(loop: EventLoop, state: GatewayState, patience: Duration = UpstreamCheck.patience) {
        self.loop = loop
        self.state = state
        self.patience = patience
    }

    /// Starts, continues and stops checks, according to the definitions of the upstreams.
    func adopt(_ definitions: [UpstreamDefinition]) {
        var before = running
        running = [:]
        for definition in definitions {
            if let same = before[definition.name], same.definition.identity == definition.identity {
                before[definition.name] = nil
                running[definition.name] = same
            }
        }
        // Ended checks report their end before checks with the same name begin.
        for ended in before.values { stop(ended) }
        for definition in definitions where running[definition.name] == nil {
            guard let check = UpstreamCheck(definition, state: state.targets) else { continue }
            let schedule = LoopBound(CheckSchedule(check, patience: patience), on: loop)
            running[definition.name] = Running(definition: definition, check: check, schedule: schedule)
            loop.execute { schedule.value.start(on: schedule.loop) }
        }
    }

    func stop() { adopt([]) }

    private func stop(_ ended: Running) {
        loop.execute {
            ended.schedule.value.stop()
            // An unchecked upstream counts as healthy.
            ended.check.note(isHealthy: true)
        }
    }
}

/// Schedule of one upstream's checks, one after the other. Loop-confined; its timers end with it.
private final class CheckSchedule {
    private let check: UpstreamCheck
    private let patience: Duration
    private var timer: LoopTimer?
    private var deadline: LoopTimer?
    private var question: (any Cancellable)?
    /// Number of the latest check; a response to an earlier one is ignored.
    private var number = 0

    init(_ check: UpstreamCheck, patience: Duration) {
        self.check = check
        self.patience = patience
    }

    func start(on loop: EventLoop) {
        timer = LoopTimer(loop: loop) { [unowned self] in ask() }
        deadline = LoopTimer(loop: loop) { [unowned self] in end(isHealthy: false) }
        timer?.schedule(after: CheckDelay.first(every: check.every))
    }

    func stop() {
        number += 1
        timer = nil
        deadline = nil
        question?.cancel()
        question = nil
    }

    private func ask() {
        number += 1
        let asked = number
        deadline?.schedule(after: patience)
        let question = check.ask { [weak self] isHealthy in
            guard let self, number == asked else { return }
            end(isHealthy: isHealthy)
        }
        if number == asked { self.question = question }
    }

    private func end(isHealthy: Bool) {
        number += 1
        let question = question
        self.question = nil
        question?.cancel()
        deadline?.cancel()
        check.note(isHealthy: isHealthy)
        timer?.schedule(after: CheckDelay.next(every: check.every))
    }
}

/// Random delays between checks, so that those of several gateways do not coincide.
enum CheckDelay {
    /// Returns a delay of at most a tenth of the interval.
    static func first(every interval: Duration) -> Duration { interval * Double.random(in: 0...0.1) }

    /// Returns the interval, plus or minus at most a tenth.
    static func next(every interval: Duration) -> Duration { interval * Double.random(in: 0.9...1.1) }
}

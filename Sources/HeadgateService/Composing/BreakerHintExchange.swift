import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay

/// Reports this gateway's open breakers to other gateways, and receives theirs, once a second.
///
/// Can be started and stopped from any thread; runs on a loop.
final class BreakerHintExchange: Sendable {
    private let schedule: LoopBound<Schedule>

    init(_ store: any BreakerHintStore, state: GatewayState, on loop: EventLoop) {
        schedule = LoopBound(Schedule(store, state), on: loop)
    }

    func start() { schedule.loop.execute { [schedule] in schedule.value.start(on: schedule.loop) } }

    func stop() { schedule.loop.execute { [schedule] in schedule.value.stop() } }

    /// Schedule of the exchange. Loop-confined; its timer ends with it.
    private final class Schedule {
        private let store: any BreakerHintStore
        private let state: GatewayState
        private var timer: LoopTimer?
        private static let pause = Duration.seconds(1)

        init(_ store: any BreakerHintStore, _ state: GatewayState) {
            self.store = store
            self.state = state
        }

        func start(on loop: EventLoop) {
            timer = LoopTimer(loop: loop) { [unowned self, unowned loop] in exchange(on: loop) }
            timer?.schedule(after: Schedule.pause)
        }

        func stop() {
            guard timer != nil else { return }
            timer = nil
            // Hints of other gateways no longer arrive.
            state.targets.note([], at: 0)
        }

        private func exchange(on loop: EventLoop) {
            store.exchange(state.targets.openBreakers(at: loop.now)) { [weak self, weak loop] hints in
                guard let self, let loop, timer != nil else { return }
                // Earlier hints expire automatically.
                if let hints { state.targets.note(hints, at: loop.now) }
            }
            timer?.schedule(after: Schedule.pause * Double.random(in: 0.9...1.1))
        }
    }
}

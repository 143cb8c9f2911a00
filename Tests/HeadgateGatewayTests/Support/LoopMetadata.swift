import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Metadata of a request on a real loop, with the timers of a manual clock.
final class LoopMetadata: ServerRequestMetadata {
    private let loop: EventLoop?
    private let clock: ManualClock

    /// - Parameter loop: nil to call back at once, on the current thread.
    init(loop: EventLoop? = nil, clock: ManualClock) {
        self.loop = loop
        self.clock = clock
        super.init(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9"),
            bodyLength: .fixed(0), context: RequestRecord(clock: { 0 }))
    }

    private final class Alarm: Cancellable {
        private var action: (() -> Void)?

        init(_ action: @escaping () -> Void) { self.action = action }

        func fire() { action?() }
        func cancel() { action = nil }
    }

    override func after(_ delay: Duration, _ action: @escaping () -> Void) -> (any Cancellable)? {
        let alarm = Alarm(action)
        clock.schedule(afterNanoseconds: delay.nanoseconds) { alarm.fire() }
        return alarm
    }

    override func waker(_ action: @escaping () -> Void) -> @Sendable () -> Void {
        guard let loop else { return super.waker(action) }
        let bound = LoopBound(action, on: loop)
        return { loop.execute { bound.value() } }
    }
}

import HeadgateEventLoop
import HeadgateGateway
import HeadgateLibC
import Testing

@testable import HeadgateService

@Suite struct LoopWatchTests {
    /// Limits of a gateway, scaled down to milliseconds.
    private static var limits: LoopPressure.Limits {
        var limits = LoopPressure.Limits()
        (limits.interval, limits.lag, limits.patience) = (5_000_000, 20_000_000, 100_000_000)
        return limits
    }

    /// Blocks the loop repeatedly, in separate callbacks, until a request is refused.
    private func overload(_ loop: EventLoop, _ watch: LoopWatch, _ refused: @escaping @Sendable (Int) -> Void) {
        loop.execute {
            if watch.refuses() { return refused(watch.refusals) }
            usleep(30_000)
            overload(loop, watch, refused)
        }
    }

    @Test func blockedLoopRefusesAndRecovers() async {
        let group = EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let watch = LoopWatch(group, limits: Self.limits)
        loop.load.increment()
        let refusals = await withCheckedContinuation { continuation in
            overload(loop, watch) { continuation.resume(returning: $0) }
        }
        #expect(refusals == 1)
        // The first punctual tick admits requests again.
        var isRefused = true
        while isRefused {
            isRefused = await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: watch.refuses()) }
            }
        }
        #expect(watch.refusals >= 1)
        loop.load.decrement()
        group.stop()
    }
}

import CHeadgate
import HeadgateEventLoop
import HeadgateLibC

/// Measures the CPU time that a loop spends between two firings of a timer that is due every 2 ms.
final class LoopLag: Sendable {
    private final class Watch {
        let timer: LoopTimer
        private var startedAt: UInt64 = 0
        private var usedBefore: UInt64 = 0
        private(set) var longestWork: UInt64 = 0
        private static let interval: UInt64 = 2_000_000

        init(_ loop: EventLoop) {
            timer = LoopTimer(loop: loop)
            timer.action = { [unowned self] in fired() }
            start()
        }

        private func start() {
            usedBefore = Watch.processorTime
            timer.schedule(afterNanoseconds: Watch.interval)
        }

        private func fired() {
            longestWork = max(longestWork, Watch.processorTime - usedBefore)
            start()
        }

        /// CPU time of this thread in nanoseconds.
        private static var processorTime: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }

    private let watch: LoopBound<Watch>

    /// Starts the measurement. Must not be called from a loop.
    init(of loop: EventLoop) throws {
        watch = try loop.performAndWait { LoopBound(Watch(loop), on: loop) }
    }

    /// Returns the longest CPU time between two firings of the timer. Must not be called from a loop.
    func longestWork() throws -> Duration {
        let watch = watch
        return .nanoseconds(Int64(try watch.loop.performAndWait { watch.value.longestWork }))
    }

    /// Ends the measurement on the loop. Must not be called from a loop.
    func stop() throws {
        let watch = watch
        try watch.loop.performAndWait { watch.value.timer.cancel() }
    }
}

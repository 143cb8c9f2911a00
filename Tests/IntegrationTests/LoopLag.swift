import CHeadgate
import HeadgateEventLoop
import HeadgateLibC

/// The lag of a loop: how late a timer fires that is due every few milliseconds.
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

        /// The CPU time of this thread, without that of others.
        private static var processorTime: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }

    private let watch: LoopBound<Watch>

    /// Not from a loop.
    init(of loop: EventLoop) throws {
        watch = try loop.performAndWait { LoopBound(Watch(loop), on: loop) }
    }

    /// The most work that the loop has done between two looks at its timers. Not from a loop.
    func longestWork() throws -> Duration {
        let watch = watch
        return .nanoseconds(Int64(try watch.loop.performAndWait { watch.value.longestWork }))
    }

    /// Ends the measurement, on its loop.
    func stop() throws {
        let watch = watch
        try watch.loop.performAndWait { watch.value.timer.cancel() }
    }
}

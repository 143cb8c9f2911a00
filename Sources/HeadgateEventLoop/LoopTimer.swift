internal import CLibevent
internal import Glibc

/// A one-shot timer of a loop that is cheap to move: pushing a deadline back only stores a number, and the armed event,
/// when it fires early, arms itself again for the rest.
package final class LoopTimer {
    private let event: UnsafeMutablePointer<event>
    private let loop: EventLoop
    /// Runs on the loop. It must not keep alive whoever owns this timer.
    package var action: () -> Void
    private var deadline: UInt64?
    private var armedFor: UInt64?

    /// - Parameter action: may be set later, by an owner that is still being made.
    package init(loop: EventLoop, action: @escaping () -> Void = {}) {
        self.loop = loop
        self.action = action
        event = .allocate(capacity: 1)
        event_assign(event, loop.base, -1, 0, loopTimerFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if armedFor != nil { event_del(event) }
        event.deallocate()
    }

    package var isScheduled: Bool { deadline != nil }

    /// Replaces any earlier deadline.
    package func schedule(after duration: Duration) {
        schedule(afterNanoseconds: duration.clampedNanoseconds)
    }

    package func schedule(afterNanoseconds nanoseconds: UInt64) {
        let (instant, isBeyondAllTime) = loop.now.addingReportingOverflow(nanoseconds)
        schedule(at: isBeyondAllTime ? .max : instant)
    }

    /// In the loop's monotonic time.
    package func schedule(at instant: UInt64) {
        deadline = instant
        if let armedFor, armedFor <= instant { return }
        arm(for: instant)
    }

    package func cancel() { deadline = nil }

    private func arm(for instant: UInt64) {
        let now = loop.now
        let wait = instant > now ? instant - now : 0
        var interval = timeval(tv_sec: Int(wait / 1_000_000_000), tv_usec: Int((wait % 1_000_000_000) / 1000))
        armedFor = instant
        event_add(event, &interval)
    }

    fileprivate func fire() {
        armedFor = nil
        guard let deadline else { return }
        // libevent's clock is coarser than ours: half a millisecond early counts as due.
        if deadline > loop.now + 500_000 { return arm(for: deadline) }
        self.deadline = nil
        loop.callback(action)
    }
}

extension Duration {
    /// At least 0, at most about 30 years. Worth keeping: the conversion costs more than scheduling a timer.
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let bounded = UInt64(min(max(0, seconds), 1_000_000_000))
        return bounded * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }
}

private func loopTimerFired(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let timer = Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(timer) { timer.fire() }
}

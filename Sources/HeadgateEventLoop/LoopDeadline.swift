/// Deadline on a loop that is cheap to move. Pushing it back only stores a number; when the loop gets to the earlier
/// instant, it waits for the rest.
open class LoopDeadline {
    // A loop outlives all objects on it. Counting an unowned reference would cost at every event.
    package final let loop: EventLoop
    /// Instant of the deadline; 0 without one.
    private final var deadline: UInt64 = 0
    /// Instant at which the loop checks the deadline; `.max` if it does not.
    private final var armedFor = UInt64.max
    /// Index in the loop's ``DeadlineHeap``; negative outside of it.
    @exclusivity(unchecked) final var place: Int32 = -1

    package init(loop: EventLoop) { self.loop = loop }

    deinit { remove() }

    /// Called on the loop when the deadline has passed.
    open func deadlinePassed() {}

    package final var isScheduled: Bool { deadline != 0 }

    /// Sets the deadline, which replaces any earlier one.
    package final func schedule(after duration: Duration) {
        schedule(afterNanoseconds: duration.clampedNanoseconds)
    }

    package final func schedule(afterNanoseconds nanoseconds: UInt64) {
        let (instant, isBeyondAllTime) = loop.now.addingReportingOverflow(nanoseconds)
        schedule(at: isBeyondAllTime ? .max : instant)
    }

    /// - Parameter instant: an instant of the loop's monotonic clock.
    package final func schedule(at instant: UInt64) {
        deadline = max(instant, 1)
        if armedFor > instant { armedFor = loop.arm(self, for: instant) }
    }

    package final func cancelDeadline() { deadline = 0 }

    /// Cancels the deadline and removes it from its loop, so that any thread can release this.
    final func remove() {
        (deadline, armedFor) = (0, .max)
        if place >= 0 { loop.disarm(self) }
    }

    /// Called by the loop after it has removed the deadline from its heap.
    func comeDue() {
        armedFor = .max
        guard deadline != 0 else { return }
        guard deadline <= loop.now + EventLoop.earliness else {
            armedFor = loop.arm(self, for: deadline)
            return
        }
        deadline = 0
        loop.callback { deadlinePassed() }
    }
}

/// Deadlines of a loop, earliest first: a binary heap in one array. It retains none of them.
struct DeadlineHeap {
    private struct Entry {
        let instant: UInt64
        let holder: Unmanaged<LoopDeadline>
    }

    private var entries: [Entry] = []

    /// Instant of the earliest deadline; `.max` without one.
    var earliest: UInt64 { entries.first?.instant ?? .max }

    /// Adds a deadline, or moves it.
    mutating func set(_ holder: LoopDeadline, at instant: UInt64) {
        let entry = Entry(instant: instant, holder: .passUnretained(holder))
        if holder.place < 0 {
            holder.place = Int32(entries.count)
            entries.append(entry)
        }
        settle(entry, at: Int(holder.place))
    }

    mutating func remove(_ holder: LoopDeadline) {
        let place = Int(holder.place)
        holder.place = -1
        let last = entries.removeLast()
        if place < entries.count { settle(last, at: place) }
    }

    /// Removes and returns the earliest deadline, if it is not after an instant.
    mutating func takeEarliest(until instant: UInt64) -> LoopDeadline? {
        guard let first = entries.first, first.instant <= instant else { return nil }
        let holder = first.holder.takeUnretainedValue()
        remove(holder)
        return holder
    }

    /// Fills a gap with an entry, which moves up or down until the order is right.
    private mutating func settle(_ entry: Entry, at gap: Int) {
        var gap = gap
        while gap > 0, entries[(gap - 1) / 2].instant > entry.instant {
            put(entries[(gap - 1) / 2], at: gap)
            gap = (gap - 1) / 2
        }
        while var child = Optional(2 * gap + 1), child < entries.count {
            if child + 1 < entries.count, entries[child + 1].instant < entries[child].instant { child += 1 }
            guard entries[child].instant < entry.instant else { break }
            put(entries[child], at: gap)
            gap = child
        }
        put(entry, at: gap)
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        entry.holder._withUnsafeGuaranteedRef { $0.place = Int32(truncatingIfNeeded: place) }
    }
}

/// A deadline on a loop that is cheap to move: pushing it back only stores a number, and when the loop comes to the
/// earlier one, it waits for the rest.
open class LoopDeadline {
    // A loop outlives all that lives on it; counting it as unowned would cost at every event.
    package final let loop: EventLoop
    /// 0 without one.
    private final var deadline: UInt64 = 0
    /// When the loop looks at it; `.max` if it does not.
    private final var armedFor = UInt64.max
    /// In the loop's ``DeadlineHeap``; negative outside of it.
    @exclusivity(unchecked) final var place: Int32 = -1

    package init(loop: EventLoop) { self.loop = loop }

    deinit { remove() }

    /// Called on the loop.
    open func deadlinePassed() {}

    package final var isScheduled: Bool { deadline != 0 }

    /// Replaces any earlier deadline.
    package final func schedule(after duration: Duration) {
        schedule(afterNanoseconds: duration.clampedNanoseconds)
    }

    package final func schedule(afterNanoseconds nanoseconds: UInt64) {
        let (instant, isBeyondAllTime) = loop.now.addingReportingOverflow(nanoseconds)
        schedule(at: isBeyondAllTime ? .max : instant)
    }

    /// In the loop's monotonic time.
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

/// Deadlines of a loop, the earliest first: a binary heap in one array. Keeps none of them alive.
struct DeadlineHeap {
    private struct Entry {
        let instant: UInt64
        let holder: Unmanaged<LoopDeadline>
    }

    private var entries: [Entry] = []

    /// `.max` without one.
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

    /// Removes the earliest one up to an instant.
    mutating func takeEarliest(until instant: UInt64) -> LoopDeadline? {
        guard let first = entries.first, first.instant <= instant else { return nil }
        let holder = first.holder.takeUnretainedValue()
        remove(holder)
        return holder
    }

    /// Fills a gap with an entry: up or down from there, until the order is right.
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

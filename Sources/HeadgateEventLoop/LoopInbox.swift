internal import CHeadgate
internal import HeadgatePrimitives

/// The queue through which other threads reach a loop. The descriptor becomes readable when the queue stops being
/// empty.
final class LoopInbox: Sendable {
    enum Entry {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    var descriptor: Int32 { wakeUp.reading }
    private let wakeUp: headgate_wakeup
    private let queue = Locked(Queue())

    private struct Queue {
        var entries: [Entry] = []
        var isClosed = false
    }

    init() {
        wakeUp = headgate_wakeup_create()
        precondition(wakeUp.reading >= 0, "no descriptor is left for an event loop's wake-up")
    }

    deinit { headgate_wakeup_destroy(wakeUp) }

    /// One write for however many entries gather before the loop wakes up. Dropped when the loop has ended.
    func append(_ entry: Entry) {
        let wasEmpty = queue.withLock { queue in
            guard !queue.isClosed else { return false }
            queue.entries.append(entry)
            return queue.entries.count == 1
        }
        guard wasEmpty else { return }
        headgate_wakeup_signal(wakeUp)
    }

    func takeAll() -> [Entry] {
        headgate_wakeup_clear(wakeUp)
        return queue.withLock { queue in
            defer { queue.entries = [] }
            return queue.entries
        }
    }

    /// The loop has ended: what is still queued, and all that follows, is released without being run.
    func close() {
        // Released after the lock: it may hold anything.
        _ = queue.withLock { queue in
            queue.isClosed = true
            defer { queue.entries = [] }
            return queue.entries
        }
    }
}

/// A queue that is processed in batches: what is added during one belongs to the next. Two buffers take turns.
struct Batches<Element> {
    private var pending: [Element] = []
    private var spare: [Element] = []

    var isEmpty: Bool { pending.isEmpty }
    var count: Int { pending.count }

    mutating func append(_ element: Element) { pending.append(element) }

    mutating func take() -> [Element] {
        var batch = spare
        spare = []
        swap(&batch, &pending)
        return batch
    }

    /// The batch has been worked off: its memory serves the next but one.
    mutating func giveBack(_ batch: consuming [Element]) {
        var batch = batch
        batch.removeAll(keepingCapacity: true)
        spare = batch
    }
}

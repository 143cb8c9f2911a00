internal import CHeadgate
internal import HeadgatePrimitives

/// Queue through which other threads reach a loop. Its descriptor becomes readable when the queue is no longer empty.
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

    /// Adds an entry, which is dropped if the loop has ended. One write suffices for all entries that gather before the
    /// loop wakes up.
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

    /// Closes the queue after the end of its loop. Queued and later entries are released without being run.
    func close() {
        // The entries are released after the lock, since they can hold anything.
        _ = queue.withLock { queue in
            queue.isClosed = true
            defer { queue.entries = [] }
            return queue.entries
        }
    }
}

/// Queue that is processed in batches: elements that are added during one belong to the next. It alternates between two
/// buffers.
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

    /// Takes back a processed batch, whose memory serves the next but one.
    mutating func giveBack(_ batch: consuming [Element]) {
        var batch = batch
        batch.removeAll(keepingCapacity: true)
        spare = batch
    }
}

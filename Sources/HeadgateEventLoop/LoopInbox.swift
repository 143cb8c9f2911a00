internal import CHeadgate
internal import Glibc

/// The queue through which other threads reach a loop. The descriptor becomes readable when the queue stops being empty.
final class LoopInbox: Sendable {
    enum Entry {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    let descriptor: Int32
    private let entries = Locked<[Entry]>([])

    init() {
        descriptor = headgate_wakeup_create()
        precondition(descriptor >= 0, "no descriptor is left for an event loop's wake-up")
    }

    deinit { close(descriptor) }

    /// One eventfd write for however many entries gather before the loop wakes up.
    func append(_ entry: Entry) {
        let wasEmpty = entries.withLock { entries in
            entries.append(entry)
            return entries.count == 1
        }
        guard wasEmpty else { return }
        headgate_wakeup_signal(descriptor)
    }

    func takeAll() -> [Entry] {
        headgate_wakeup_clear(descriptor)
        return entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

internal import HeadgateEventLoop

/// Tells what is wrong when that begins, and when it is over.
final class CacheComplaints: Sendable {
    private let place: String
    private let report: @Sendable (String) -> Void
    private let count = Locked(0)

    init(_ place: String, _ report: @escaping @Sendable (String) -> Void) {
        self.place = place
        self.report = report
    }

    func note(_ reason: String) {
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        if isFirst { report("\(place): an answer is not kept, and maybe more: \(reason)") }
    }

    func resolve() {
        let lost = count.withLock { count in
            defer { count = 0 }
            return count
        }
        if lost > 0 { report("\(place): answers are kept again; \(lost) were not") }
    }
}

internal import HeadgateEventLoop
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Limits the queries that wait for a ledger: one per key, and a few in total. The gateway's own queries do not count.
struct QuestionSeats: Sendable {
    /// Maximum number of all queries.
    static let count = 8

    /// Number of waiting queries by key; queries without a key are under nil.
    private let waiting = Locked<[String?: Int]>([:])

    /// Takes a seat, to be released with ``leave(_:)``.
    ///
    /// - Returns: whether a seat was free.
    func take(for question: UsageQuestion) -> Bool {
        if question.isGateways { return true }
        return waiting.withLock { waiting in
            guard waiting.values.reduce(0, +) < QuestionSeats.count,
                question.key == nil || waiting[question.key] == nil
            else { return false }
            waiting[question.key, default: 0] += 1
            return true
        }
    }

    func leave(_ question: UsageQuestion) {
        if question.isGateways { return }
        waiting.withLock { waiting in
            let left = (waiting[question.key] ?? 1) - 1
            waiting[question.key] = left == 0 ? nil : left
        }
    }
}

/// Message about a query that exceeded its time limit.
enum SlowQuestion {
    static func text(_ name: String, _ limit: Duration) -> String {
        "\(name): a question of usage was given up after \(limit.components.seconds) s, as there is much to add up; "
            + "requests are noted all the while. Ask for a shorter time"
    }
}

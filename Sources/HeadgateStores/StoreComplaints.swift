internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// Reports when a failure begins and when it is over. It is over after a quiet period without failures, so that
/// intermittent failures are not reported each time.
final class StoreComplaints: Sendable {
    /// Messages for people.
    struct Words: Sendable {
        let failing: String
        let again: String

        static let answers = Words(failing: "an answer is not kept", again: "answers are kept again")
        static let streams = Words(
            failing: "a stream is not shared with other gateways", again: "streams are shared again")
    }

    private let place: String
    private let words: Words
    private let report: @Sendable (String) -> Void
    /// Nanoseconds.
    private let quiet: Int64
    private let now: @Sendable () -> Int64
    private let state = Locked((count: 0, last: Int64(0)))

    /// - Parameter now: returns nanoseconds of any clock.
    init(
        _ place: String, _ words: Words = .answers, quiet: Duration = .zero, now: @escaping @Sendable () -> Int64,
        _ report: @escaping @Sendable (String) -> Void
    ) {
        self.place = place
        self.words = words
        self.report = report
        self.now = now
        self.quiet = quiet.components.seconds * 1_000_000_000
    }

    func note(_ reason: String) {
        let instant = now()
        let isFirst = state.withLock { state in
            state = (state.count + 1, instant)
            return state.count == 1
        }
        if isFirst { report("\(place): \(words.failing), and maybe more: \(reason)") }
    }

    func resolve() {
        let lost = state.withLock { state in
            // A clock that was set back cannot delay this.
            guard state.count > 0, abs(now() &- state.last) >= quiet else { return 0 }
            defer { state.count = 0 }
            return state.count
        }
        if lost > 0 { report("\(place): \(words.again); \(lost) were not") }
    }
}

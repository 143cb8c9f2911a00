/// When an attempt that has brought no content is hedged by a second one.
package struct HedgeConfiguration: Sendable, Hashable {
    package enum Delay: Sendable, Hashable {
        /// From 1 ms to 15 s.
        case time(Duration)
        /// After what 95 of a hundred requests take.
        case p95
    }

    package var after: Delay

    package init(after: Delay) { self.after = after }
}

extension HedgeConfiguration.Delay {
    static let expected = "p95, or a duration such as 800ms or 2s (at most 15s)"
    /// Word for the percentile.
    static let word = "p95"

    /// As a configuration has it.
    package var text: String {
        switch self {
        case .time(let duration):
            let (seconds, attoseconds) = duration.components
            return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms"
        case .p95: return Self.word
        }
    }

    init(parsing text: String) throws(InvalidValue) {
        if text == Self.word {
            self = .p95
            return
        }
        // From then on a stream without content is relayed as it is.
        guard let time = try? DurationText.parse(text), time <= .seconds(15) else {
            throw InvalidValue("expected \(Self.expected)")
        }
        self = .time(time)
    }
}

/// Delay after which a second attempt hedges one without content.
package struct HedgeConfiguration: Sendable, Hashable {
    package enum Delay: Sendable, Hashable {
        /// A fixed time from 1 ms to 15 s.
        case time(Duration)
        /// The time within which 95 % of requests get content.
        case p95
    }

    package var after: Delay

    package init(after: Delay) { self.after = after }
}

extension HedgeConfiguration.Delay {
    static let expected = "p95, or a duration such as 800ms or 2s (at most 15s)"
    /// Text of the percentile in a configuration.
    static let word = "p95"

    /// The delay as a configuration writes it.
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
        // After 15 s, a stream without content is relayed unchanged.
        guard let time = try? DurationText.parse(text), time <= .seconds(15) else {
            throw InvalidValue("expected \(Self.expected)")
        }
        self = .time(time)
    }
}

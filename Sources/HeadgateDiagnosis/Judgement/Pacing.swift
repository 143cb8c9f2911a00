/// How the events of a stream arrived: one by one, as a model produces them, or in bursts, as a buffer releases them.
enum Pacing: Equatable, Sendable {
    case tooFew(events: Int)
    /// All events came quickly together, so a fast model cannot be distinguished from a buffer.
    case instant(events: Int)
    case steady
    /// Most of the events came together, after a silence.
    case atOnce(events: Int, of: Int, silence: UInt64, spread: UInt64)
    case bursts(count: Int, events: Int, silence: UInt64)

    /// The longest gap between events of the same burst.
    private static let together = Clock.milliseconds(2)
    /// The longest burst that a buffer explains. The fastest models produce a token in a third of a millisecond.
    private static let longestSpread = Clock.milliseconds(20)
    /// The time below which a wait is not noticeable.
    private static let soon = Clock.milliseconds(300)
    private static let pause = Clock.milliseconds(50)
    private static let fewest = 8
    /// The number of events of a large burst; a model may produce fewer events in one step.
    private static let large = 4

    private struct Burst {
        let start: UInt64
        var end: UInt64
        var events = 1
        /// The time since the previous event, or since the request.
        let silence: UInt64

        var spread: UInt64 { end - start }
        var isLarge: Bool { events >= large && spread <= longestSpread }
    }

    /// Creates the pacing of a stream.
    ///
    /// - Parameter instants: The times of the events, in order, since the request.
    init(_ instants: [UInt64]) {
        let count = instants.count
        guard let first = instants.first, let last = instants.last, count >= Pacing.fewest else {
            self = .tooFew(events: count)
            return
        }
        let bursts = Pacing.bursts(instants)
        let large = bursts.filter(\.isLarge)
        let pauses = bursts.dropFirst().map(\.silence).sorted()
        if let most = large.max(by: { $0.events < $1.events }), most.events * 10 >= count * 6,
            most.silence >= Pacing.soon
        {
            self = .atOnce(events: most.events, of: count, silence: most.silence, spread: most.spread)
        } else if last - first <= Clock.milliseconds(UInt64(count)) {
            // The rate is a thousand events per second or more.
            self = .instant(events: count)
        } else if large.count >= 2, large.reduce(0, { $0 + $1.events }) * 10 >= count * 7,
            pauses[pauses.count / 2] >= Pacing.pause
        {
            self = .bursts(count: bursts.count, events: count, silence: pauses[pauses.count / 2])
        } else {
            self = .steady
        }
    }

    private static func bursts(_ instants: [UInt64]) -> [Burst] {
        var bursts: [Burst] = []
        for instant in instants {
            if let last = bursts.last, instant - last.end <= together {
                bursts[bursts.count - 1].end = instant
                bursts[bursts.count - 1].events += 1
            } else {
                bursts.append(Burst(start: instant, end: instant, silence: instant - (bursts.last?.end ?? 0)))
            }
        }
        return bursts
    }

    var isLumpy: Bool {
        switch self {
        case .atOnce, .bursts: true
        case .tooFew, .instant, .steady: false
        }
    }
}

/// How the events of a stream arrived: one by one, as a model makes them, or in lumps, as a buffer lets them go.
enum Pacing: Equatable, Sendable {
    case tooFew(events: Int)
    /// All together and soon: a model that fast cannot be told from a buffer.
    case instant(events: Int)
    case steady
    /// All together, after a silence.
    case atOnce(events: Int, silence: UInt64, spread: UInt64)
    case lumps(count: Int, events: Int, silence: UInt64)

    /// Events this close together count as one lump.
    private static let together = Clock.milliseconds(2)
    /// What nobody calls waiting.
    private static let soon = Clock.milliseconds(300)
    private static let pause = Clock.milliseconds(50)
    private static let fewest = 8
    /// A lump of less may be what a model makes in one step.
    private static let large = 4

    private struct Lump {
        let start: UInt64
        var end: UInt64
        var events = 1
    }

    /// - Parameter instants: of the events, in order, from the moment of the request.
    init(_ instants: [UInt64]) {
        guard let first = instants.first, let last = instants.last, instants.count >= Pacing.fewest else {
            self = .tooFew(events: instants.count)
            return
        }
        let spread = last - first
        // More than a thousand events a second.
        if spread <= Clock.milliseconds(UInt64(instants.count)) {
            self =
                first >= max(Pacing.soon, 10 * spread)
                ? .atOnce(events: instants.count, silence: first, spread: spread) : .instant(events: instants.count)
            return
        }
        let lumps = Pacing.lumps(instants)
        let large = lumps.filter { $0.events >= Pacing.large }
        let silences = zip(lumps, lumps.dropFirst()).map { $1.start - $0.end }.sorted()
        let inLarge = large.reduce(0) { $0 + $1.events }
        guard let silence = silences.isEmpty ? nil : silences[silences.count / 2], silence >= Pacing.pause,
            large.count >= 2, inLarge * 10 >= instants.count * 7
        else {
            self = .steady
            return
        }
        self = .lumps(count: lumps.count, events: instants.count, silence: silence)
    }

    private static func lumps(_ instants: [UInt64]) -> [Lump] {
        var lumps: [Lump] = []
        for instant in instants {
            if let last = lumps.last, instant - last.end <= together {
                lumps[lumps.count - 1].end = instant
                lumps[lumps.count - 1].events += 1
            } else {
                lumps.append(Lump(start: instant, end: instant))
            }
        }
        return lumps
    }

    var isLumpy: Bool {
        switch self {
        case .atOnce, .lumps: true
        case .tooFew, .instant, .steady: false
        }
    }
}

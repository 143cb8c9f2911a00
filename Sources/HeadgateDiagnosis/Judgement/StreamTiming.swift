/// The times of the parts of a stream, in nanoseconds since the request was sent.
struct StreamTiming: Sendable {
    let firstByte: UInt64?
    let firstEvent: UInt64?
    /// The time of the first event with text. An opening event only has the role.
    let firstText: UInt64?
    let events: Int
    let medianGap: UInt64?
    let longestGap: UInt64?
    /// The longest time without any byte; comments that keep the connection alive count as bytes.
    let longestSilence: UInt64
    let pacing: Pacing

    init(_ stream: StreamObservation, _ reading: StreamReading) {
        firstByte = stream.pieces.first?.at
        firstEvent = reading.events.first?.at
        let texts = reading.events.filter(\.hasText).map(\.at)
        firstText = texts.first
        let instants = reading.events.map(\.at)
        events = instants.count
        let gaps = StreamTiming.gaps(instants).sorted()
        medianGap = gaps.isEmpty ? nil : gaps[gaps.count / 2]
        longestGap = gaps.last
        longestSilence = StreamTiming.gaps([0] + stream.pieces.map(\.at)).max() ?? 0
        // Opening and closing events can come at any time, so events with text are preferred.
        pacing = Pacing(texts.count >= 8 ? texts : instants)
    }

    private static func gaps(_ instants: [UInt64]) -> [UInt64] {
        zip(instants, instants.dropFirst()).map { $1 - $0 }
    }
}

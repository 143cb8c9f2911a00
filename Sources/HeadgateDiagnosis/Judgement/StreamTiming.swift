/// When what came. Nanoseconds since the request was sent.
struct StreamTiming: Sendable {
    let firstByte: UInt64?
    let firstEvent: UInt64?
    /// The first one with text in it: an opening event says only who speaks.
    let firstText: UInt64?
    let events: Int
    let medianGap: UInt64?
    let longestGap: UInt64?
    /// Without any byte, comments that keep the connection alive included.
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
        // Opening and closing events come when they like.
        pacing = Pacing(texts.count >= 8 ? texts : instants)
    }

    private static func gaps(_ instants: [UInt64]) -> [UInt64] {
        zip(instants, instants.dropFirst()).map { $1 - $0 }
    }
}

/// Findings of one streamed response, check by check.
package struct StreamDiagnosis {
    let stream: StreamObservation
    let reading: StreamReading
    let timing: StreamTiming
    let comparison: StreamComparison
    /// Timing of the direct stream, if there is one.
    let direct: StreamTiming?
    let asksUsage: Bool

    /// - Parameters:
    ///   - comparison: with the gateway itself, where `stream` came through something else.
    ///   - asksUsage: whether the request wanted token counts.
    package init(
        _ stream: StreamObservation, _ dialect: StreamDialect, comparison: StreamComparison = .none,
        asksUsage: Bool = true
    ) {
        self.stream = stream
        self.asksUsage = asksUsage
        reading = StreamReading(stream, dialect)
        timing = StreamTiming(stream, reading)
        self.comparison = comparison
        direct = comparison.stream.map { StreamTiming($0, StreamReading($0, dialect)) }
    }

    package static let checks: [Check] = [
        .status, .contentType, .caching, .framing, .compression, .firstEvent, .gaps, .buffering, .json, .utf8, .usage,
        .end, .addedDelay,
    ]

    package var findings: [Finding] {
        guard stream.status == 200 else {
            let refused = Finding(
                .status, .failed, "the stream was refused with \(stream.status)\(stream.refusal)",
                advice: "The gateway's log has a line for this request that says who refused it.")
            return [refused] + StreamDiagnosis.skipped("the stream was refused", after: .status)
        }
        return [
            Finding(.status, .ok, "200 after \(Clock.text(stream.headAt))"), contentType, caching, framing, compression,
            firstEvent, gaps, buffering, json, utf8, usage, end,
        ] + addedDelay
    }

    /// The checks that cannot be made.
    package static func skipped(_ reason: String, after first: Check? = nil) -> [Finding] {
        checks.filter { $0 != first && $0 != .addedDelay }.map { .skipped($0, reason) }
    }
}

/// The findings of one streamed response, check by check.
package struct StreamDiagnosis {
    let stream: StreamObservation
    let reading: StreamReading
    let timing: StreamTiming
    let comparison: StreamComparison
    /// The timing of the direct stream, if there is one.
    let direct: StreamTiming?
    let asksUsage: Bool

    /// Creates the diagnosis of a stream.
    ///
    /// - Parameters:
    ///   - comparison: The comparison with the gateway itself, if `stream` came through a proxy.
    ///   - asksUsage: Whether the request asked for token counts.
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

    /// Returns skipped findings for the checks that cannot be made.
    package static func skipped(_ reason: String, after first: Check? = nil) -> [Finding] {
        checks.filter { $0 != first && $0 != .addedDelay }.map { .skipped($0, reason) }
    }
}

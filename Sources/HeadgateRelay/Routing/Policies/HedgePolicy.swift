package import HeadgateConfiguration
internal import HeadgatePrimitives

/// The policy for hedging an attempt that has not produced content yet.
package struct HedgePolicy: Sendable {
    /// Percentage of requests that produce content before they would be hedged.
    static let percentile = 95

    package let after: HedgeConfiguration.Delay
    /// Measured times to the first content; nil if a fixed delay is configured.
    let times: FirstContentTimes?

    /// Returns how long an attempt waits for content before it is hedged.
    ///
    /// - Parameter isStream: whether the response is a stream. Streams are measured to their first content, other
    ///   responses to their end.
    /// - Returns: nanoseconds; nil if there are too few measurements.
    package func wait(isStream: Bool, at now: UInt64) -> UInt64? {
        switch after {
        case .time(let duration): duration.wholeNanoseconds
        case .p95: (isStream ? times?.ofStreams : times?.ofDocuments)?.percentile(HedgePolicy.percentile, at: now)
        }
    }
}

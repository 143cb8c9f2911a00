package import HeadgateConfiguration
internal import HeadgatePrimitives

/// When an attempt that has brought no content is hedged.
package struct HedgePolicy: Sendable {
    /// The share of requests that bring content before they are hedged.
    static let percentile = 95

    package let after: HedgeConfiguration.Delay
    /// What is measured; nil where a time is configured.
    let times: FirstContentTimes?

    /// - Parameter isStream: streams are measured by their first content, other responses by all of it.
    /// - Returns: nanoseconds; nil as long as too little is known.
    package func wait(isStream: Bool, at now: UInt64) -> UInt64? {
        switch after {
        case .time(let duration): duration.wholeNanoseconds
        case .p95: (isStream ? times?.ofStreams : times?.ofDocuments)?.percentile(HedgePolicy.percentile, at: now)
        }
    }
}

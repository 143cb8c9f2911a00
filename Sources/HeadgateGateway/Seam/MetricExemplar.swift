internal import HeadgateRelay

/// Measured value with the trace that shows how it came about.
struct MetricExemplar: Sendable, Equatable {
    /// Trace and time of a measurement.
    struct Source: Sendable, Equatable {
        let trace: TraceID
        /// Nanoseconds since 1970.
        let time: Int64
    }

    let source: Source
    /// Value as the histogram counts it.
    let value: UInt64
}

/// A measured value with the trace that shows how it came about.
struct MetricExemplar: Sendable, Equatable {
    /// Where a value was measured.
    struct Source: Sendable, Equatable {
        let trace: TraceID
        /// Nanoseconds since 1970.
        let time: Int64
    }

    let source: Source
    /// As the histogram counts it.
    let value: UInt64
}

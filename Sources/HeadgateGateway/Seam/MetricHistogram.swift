internal import HeadgateRelay

/// Number of measured values between bounds, and their sum. Values are whole numbers, nanoseconds or tokens, so that
/// the sum of many is exact.
package struct MetricHistogram: Sendable, Equatable {
    /// Bounds of a histogram, and how they are written.
    struct Scale: Sendable, Equatable {
        /// Inclusive upper bounds, ascending.
        let bounds: [UInt64]
        /// Bounds as text, in the unit of the metric.
        let texts: [String]
        /// Number of measured units in one unit of the metric.
        let divisor: Double

        private init(_ bounds: [Double], times divisor: Double) {
            self.bounds = bounds.map { UInt64(($0 * divisor).rounded()) }
            texts = bounds.map { "\($0)" }
            self.divisor = divisor
        }

        // The bounds are part of OpenTelemetry's conventions for generative AI.

        /// Bounds for operations, in nanoseconds.
        static let operations = Scale(
            [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92], times: 1e9)
        /// Bounds for the time to the first token, in nanoseconds. Bounds of 15 s and more are not in the conventions;
        /// models with long reasoning need them.
        static let firstTokens = Scale(
            [
                0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 15, 20, 30, 45,
                60,
            ], times: 1e9)
        /// Bounds for each further token, in nanoseconds.
        static let furtherTokens = Scale(
            [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5], times: 1e9)
        static let tokens = Scale(
            [
                1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
            ], times: 1)
    }

    let scale: Scale
    /// Values above the previous bound and up to each bound; the last element counts those above all bounds.
    private(set) var counts: [Int]
    private(set) var sum: UInt64 = 0
    /// Latest exemplar of each count; empty if nothing is traced.
    private(set) var exemplars: [MetricExemplar?] = []

    init(_ scale: Scale) {
        self.scale = scale
        counts = Array(repeating: 0, count: scale.bounds.count + 1)
    }

    var count: Int { counts.reduce(0, +) }
    /// Sum in the unit of the metric.
    var scaledSum: Double { Double(sum) / scale.divisor }

    /// - Parameter source: set for a request whose trace is recorded.
    mutating func observe(_ value: UInt64, from source: MetricExemplar.Source? = nil) {
        var index = 0
        while index < scale.bounds.count, value > scale.bounds[index] { index += 1 }
        counts[index] += 1
        sum &+= value
        guard let source else { return }
        if exemplars.isEmpty { exemplars = Array(repeating: nil, count: counts.count) }
        exemplars[index] = MetricExemplar(source: source, value: value)
    }

    /// - Parameter other: a histogram of the same scale.
    mutating func add(_ other: MetricHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        sum &+= other.sum
        guard !other.exemplars.isEmpty else { return }
        guard !exemplars.isEmpty else {
            exemplars = other.exemplars
            return
        }
        for (index, theirs) in other.exemplars.enumerated() {
            guard let theirs else { continue }
            if let ours = exemplars[index], ours.source.time >= theirs.source.time { continue }
            exemplars[index] = theirs
        }
    }
}

/// Measured value with the trace of its request.
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

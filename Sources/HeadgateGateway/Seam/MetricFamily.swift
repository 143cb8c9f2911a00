/// One metric with all its samples, in whatever format it is written.
package struct MetricFamily: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// What is measured. The name ends with it, as Prometheus wants it.
    package enum Unit: String, Sendable {
        case seconds
        case bytes
    }

    /// Without the `_total` that the samples of a counter end with.
    let name: String
    let kind: Kind
    let unit: Unit?
    let help: String
    private(set) var samples: [MetricSample]

    /// - Parameters:
    ///   - name: of ASCII letters, digits and underscores; it ends with the unit.
    ///   - value: of its one sample without a label; nil for none yet.
    package init(
        _ name: String, _ kind: Kind, unit: Unit? = nil, help: String, value: MetricSample.Value? = nil
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        samples = value.map { [MetricSample(labels: [], value: $0)] } ?? []
    }

    package mutating func add(_ value: MetricSample.Value, _ labels: [MetricLabel] = []) {
        samples.append(MetricSample(labels: labels, value: value))
    }
}

package struct MetricSample: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case count(Int)
        case number(Double)
        case histogram(MetricHistogram)
    }

    let labels: [MetricLabel]
    let value: Value
}

/// The name and the value of a label. One with an empty value is the same as none.
package struct MetricLabel: Sendable, Equatable {
    let name: String
    let value: String

    /// - Parameters:
    ///   - name: of ASCII letters, digits and underscores.
    ///   - value: from the configuration or a fixed list, never a client's text: each value is a series that
    ///     Prometheus keeps.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

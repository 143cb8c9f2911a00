internal import HeadgateRelay

/// One metric with all its samples, independent of the output format.
package struct MetricFamily: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// Unit of the metric. The name ends with the unit, as Prometheus requires.
    package enum Unit: String, Sendable {
        case seconds
        case bytes
    }

    /// Name without the `_total` that the samples of a counter end with.
    let name: String
    let kind: Kind
    let unit: Unit?
    let help: String
    private(set) var samples: [MetricSample]

    /// - Parameters:
    ///   - name: ASCII letters, digits and underscores; it ends with the unit.
    ///   - value: value of a single sample without labels; nil for no sample yet.
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

/// Name and value of a label. An empty value is the same as no label.
package struct MetricLabel: Sendable, Equatable {
    let name: String
    let value: String

    /// - Parameters:
    ///   - name: ASCII letters, digits and underscores.
    ///   - value: from the configuration or a fixed list, never a client's text: each value is a series that
    ///     Prometheus stores.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

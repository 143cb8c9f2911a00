internal import HeadgateRelay

/// Metrics as text: Prometheus' format 0.0.4, or OpenMetrics 1.0.
package struct MetricText {
    package enum Format: Sendable {
        case prometheus
        case openMetrics

        /// Chooses the format that a scraper accepts. OpenMetrics must be requested.
        ///
        /// - Parameter accept: value of the `Accept` header; nil without one.
        init(accept: String?) {
            var weights: [String: Double] = [:]
            for range in (accept ?? "").split(separator: ",") {
                let parts = range.split(separator: ";").map { $0.lowercased().trimmed }
                guard let type = parts.first else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                weights[type] = max(weights[type] ?? 0, weight)
            }
            let wish = weights["application/openmetrics-text"] ?? 0
            self = wish > 0 && wish >= weights["text/plain"] ?? 0 ? .openMetrics : .prometheus
        }

        var mediaType: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    private let format: Format
    private var bytes: [UInt8] = []

    private init(_ format: Format) { self.format = format }

    /// Returns the families as text. Families without samples are left out.
    static func bytes(of families: [MetricFamily], as format: Format) -> [UInt8] {
        var text = MetricText(format)
        for family in families where !family.samples.isEmpty { text.append(family) }
        if case .openMetrics = format { text.append("# EOF\n") }
        return text.bytes
    }

    private mutating func append(_ family: MetricFamily) {
        let sample = family.kind == .counter ? family.name + "_total" : family.name
        // In OpenMetrics, the name of a family lacks the suffix of its samples.
        let name = if case .openMetrics = format { family.name } else { sample }
        append("# HELP \(name) ")
        append(escaped: family.help, quotes: format == .openMetrics)
        append("\n# TYPE \(name) \(family.kind.rawValue)\n")
        if case .openMetrics = format, let unit = family.unit { append("# UNIT \(name) \(unit.rawValue)\n") }
        for each in family.samples {
            switch each.value {
            case .count(let count): append(sample, each.labels, "\(count)")
            case .number(let number): append(sample, each.labels, MetricText.text(of: number))
            case .histogram(let histogram): append(histogram, sample, each.labels)
            }
        }
    }

    private mutating func append(_ histogram: MetricHistogram, _ name: String, _ labels: [MetricLabel]) {
        var sum = 0
        for (index, text) in (histogram.scale.texts + ["+Inf"]).enumerated() {
            sum += histogram.counts[index]
            append(name + "_bucket", labels, bound: text, "\(sum)\(exemplar(of: histogram, at: index))")
        }
        append(name + "_sum", labels, MetricText.text(of: histogram.scaledSum))
        append(name + "_count", labels, "\(sum)")
    }

    /// Returns the exemplar of a bucket; empty in Prometheus' own format, which has no exemplars.
    private func exemplar(of histogram: MetricHistogram, at index: Int) -> String {
        guard case .openMetrics = format, index < histogram.exemplars.count,
            let exemplar = histogram.exemplars[index]
        else { return "" }
        let value = MetricText.text(of: Double(exemplar.value) / histogram.scale.divisor)
        let (seconds, rest) = exemplar.source.time.quotientAndRemainder(dividingBy: 1_000_000_000)
        let milliseconds = String("\(1000 + rest / 1_000_000)".dropFirst())
        return " # {trace_id=\"\(exemplar.source.trace)\"} \(value) \(seconds).\(milliseconds)"
    }

    private mutating func append(_ name: String, _ labels: [MetricLabel], bound: String? = nil, _ value: String) {
        append(name)
        var separator = "{"
        for label in labels where !label.value.isEmpty {
            append("\(separator)\(label.name)=\"")
            append(escaped: label.value, quotes: true)
            append("\"")
            separator = ","
        }
        if let bound {
            append("\(separator)le=\"\(bound)\"")
            separator = ","
        }
        if separator == "," { append("}") }
        append(" \(value)\n")
    }

    private static func text(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        return number.isInfinite ? (number > 0 ? "+Inf" : "-Inf") : "\(number)"
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(escaped text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case 0x5C: append("\\\\")
            case 0x0A: append("\\n")
            case 0x22 where quotes: append("\\\"")
            default: bytes.append(byte)
            }
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

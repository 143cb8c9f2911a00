internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// The attempts of a request in the access log.
enum AttemptList {
    /// Returns the maximum bytes of the list.
    static func room(for attempts: [AttemptSummary]) -> Int {
        attempts.reduce(32) { room, attempt in
            room + 160 + LineWriter.room(for: attempt.upstream) + LineWriter.room(for: attempt.model)
                + LineWriter.room(for: attempt.error) + LineWriter.room(for: attempt.detail)
        }
    }

    static func write(_ attempts: [AttemptSummary], to line: inout LineWriter) {
        line.append(",\"attempts\":[")
        for (index, attempt) in attempts.enumerated() {
            line.append(index == 0 ? "{\"upstream\":" : ",{\"upstream\":")
            line.append(escaped: attempt.upstream)
            if let model = attempt.model {
                line.append(",\"model\":")
                line.append(escaped: model)
            }
            if let key = attempt.key {
                line.append(",\"key_number\":")
                line.append(key)
            }
            if let error = attempt.error {
                line.append(",\"error\":")
                line.append(escaped: error)
            }
            if let detail = attempt.detail {
                line.append(",\"detail\":")
                line.append(escaped: detail)
            }
            line.append(",\"duration_ms\":")
            line.append(Int(clamping: attempt.duration / 1_000_000))
            line.append("}")
        }
        line.append("]")
    }
}

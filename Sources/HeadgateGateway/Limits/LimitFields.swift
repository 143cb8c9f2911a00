internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// What responses say of the limits of their requests, in the words of the dialect's own API.
enum LimitFields {
    /// The three fields of a measure.
    private struct Names {
        let limit: HTTPField.Name
        let remaining: HTTPField.Name
        let reset: HTTPField.Name

        init(_ name: (String) -> String) {
            func field(_ what: String) -> HTTPField.Name {
                guard let name = HTTPField.Name(name(what)) else { preconditionFailure("not a field name") }
                return name
            }
            limit = field("limit")
            remaining = field("remaining")
            reset = field("reset")
        }
    }

    /// By the indices of the measures.
    private static let openAI = LimitMeasure.allCases.map { measure in
        Names { "x-ratelimit-\($0)-\(measure.fieldWord)" }
    }
    private static let anthropic = LimitMeasure.allCases.map { measure in
        Names { "anthropic-ratelimit-\(measure.fieldWord)-\($0)" }
    }

    /// Percent of a budget from which on responses tell it.
    private static let warningFrom = 80

    /// - Parameters:
    ///   - realtime: nanoseconds since 1970.
    ///   - hasOwn: whether there are fields of the gateway's own.
    static func fields(
        of levels: LimitLevels, in dialect: Dialect?, realtime: Int64, hasOwn: Bool = true
    ) -> [HTTPField] {
        var fields: [HTTPField] = []
        fields.reserveCapacity(6)
        let isAnthropic = if case .anthropic = dialect { true } else { false }
        for measure in LimitMeasure.allCases {
            guard let level = levels[measure] else { continue }
            let names = isAnthropic ? anthropic[measure.index] : openAI[measure.index]
            fields.append(HTTPField(name: names.limit, value: String(level.limit)))
            fields.append(HTTPField(name: names.remaining, value: String(level.remaining)))
            let reset = isAnthropic ? date(after: level.reset, realtime) : duration(level.reset)
            fields.append(HTTPField(name: names.reset, value: reset))
        }
        if levels.budgetUsed >= warningFrom, hasOwn {
            let used = DecimalText.text(levels.budgetUsed, digits: 2)
            fields.append(HTTPField(name: .xHeadgateBudgetUsed, value: used))
        }
        return fields
    }

    static func added(_ fields: [HTTPField], to response: ServerResponse) -> ServerResponse {
        if fields.isEmpty { return response }
        var changed = ServerResponse(response.head.adding(fields), response.body)
        changed.hasRequestID = response.hasRequestID
        return changed
    }

    private static func date(after wait: UInt64, _ realtime: Int64) -> String {
        var date: [UInt8] = []
        let (instant, overflows) = realtime.addingReportingOverflow(Int64(clamping: wait))
        Timestamp.append(overflows ? .max : instant, to: &date)
        return String(decoding: date, as: UTF8.self)
    }

    /// As OpenAI writes it: `120ms`, `1s`, `6m0s`, `23h59m1s`. Rounded up.
    static func duration(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
        guard milliseconds >= 1000 else { return String(milliseconds) + "ms" }
        let seconds = milliseconds / 1000 + (milliseconds % 1000 == 0 ? 0 : 1)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours > 0 { return "\(hours)h\(minutes)m\(seconds % 60)s" }
        return minutes > 0 ? "\(minutes)m\(seconds % 60)s" : String(seconds) + "s"
    }
}

extension LimitMeasure {
    fileprivate var fieldWord: String { rawValue.replacing("_", with: "-") }
}

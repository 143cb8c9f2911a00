internal import HeadgateHTTP
internal import HeadgateRelay

/// Destination of finished log lines. Must not block: it is called on the loops.
package protocol LogSink: Sendable {
    /// Writes one line.
    ///
    /// - Parameter append: appends the line with its newline; called once, before this returns.
    func write(_ append: (inout LogLines) -> Void)
}

/// Lines of one loop.
package struct LogLines: Sendable {
    package var bytes: [UInt8] = []
    /// Parts of the latest lines that the next lines can share.
    var shared = SharedLogParts()

    package init() {}
}

/// Log with one line per request, written from the request's outcome.
package struct AccessLog: OutcomeObserver {
    package enum Format: Sendable {
        /// One JSON object per line.
        case json
        /// Aligned columns for people.
        case text(AccessLogText)
    }

    /// Severity of a request's line.
    package enum Level: Int, Sendable, Comparable {
        /// A successful poll of health or status. Polls would drown out the other lines.
        case debug
        case info
        /// The gateway or the upstream refused the request.
        case warn
        /// The gateway or the upstream failed.
        case error

        package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// Text format; nil for JSON.
    private let text: AccessLogText?
    private let least: Level
    private let sink: any LogSink
    private let realtime: @Sendable () -> Int64

    /// - Parameters:
    ///   - least: minimum level; lines of lower levels are left out.
    ///   - realtime: returns nanoseconds since 1970.
    package init(
        format: Format, least: Level = .info, sink: any LogSink, realtime: @escaping @Sendable () -> Int64
    ) {
        if case .text(let text) = format { self.text = text } else { text = nil }
        self.least = least
        self.sink = sink
        self.realtime = realtime
    }

    func observe(_ outcome: inout Outcome) {
        // At the default level, only polls need their level computed; other requests are always written.
        if outcome.isPolled || least != .info, Level(of: outcome) < least { return }
        let now = realtime()
        sink.write { lines in
            if let text {
                text.append(outcome, at: now, to: &lines.bytes)
            } else {
                AccessLogLine.append(&outcome, at: now, &lines.shared, to: &lines.bytes)
            }
            lines.bytes.append(0x0A)
        }
    }
}

extension AccessLog.Level {
    init(of outcome: borrowing Outcome) {
        if outcome.status >= 500 || outcome.end == .upstreamFailed || outcome.end == .timedOut {
            self = .error
        } else if outcome.status >= 400 || outcome.end == .refused {
            self = .warn
        } else {
            self = outcome.isPolled && outcome.end == .finished ? .debug : .info
        }
    }
}

extension Capability {
    static func accessLog(_ log: AccessLog?) -> Capability { Capability(name: "access log", observer: { _ in log }) }
}

internal import HeadgateHTTP
internal import HeadgateRelay

/// Where finished lines go. Must not block: it is called on the loops.
package protocol LogSink: Sendable {
    ///
    /// - Parameter append: appends one line, its end included; called once, at once.
    func write(_ append: (inout [UInt8]) -> Void)
}

/// One line per request, made from its outcome.
package struct AccessLog: OutcomeObserver {
    package enum Format: Sendable {
        /// One JSON object per line.
        case json
        /// For people.
        case text(AccessLogText)
    }

    /// How much a request has to say.
    package enum Level: Int, Sendable, Comparable {
        /// A poll, of health or status, that succeeded: these would drown the other lines.
        case debug
        case info
        /// The gateway or the upstream has refused it.
        case warn
        /// The gateway or the upstream has failed.
        case error

        package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// Nil for JSON.
    private let text: AccessLogText?
    private let least: Level
    private let sink: any LogSink
    private let realtime: @Sendable () -> Int64

    /// - Parameters:
    ///   - least: lines of lower levels are left out.
    ///   - realtime: nanoseconds since 1970.
    package init(
        format: Format, least: Level = .info, sink: any LogSink, realtime: @escaping @Sendable () -> Int64
    ) {
        if case .text(let text) = format { self.text = text } else { text = nil }
        self.least = least
        self.sink = sink
        self.realtime = realtime
    }

    func observe(_ outcome: inout Outcome) {
        // The usual request at the usual level: written without another look.
        if outcome.isPolled || least != .info, Level(of: outcome) < least { return }
        let now = realtime()
        sink.write { lines in
            if let text {
                text.append(outcome, at: now, to: &lines)
            } else {
                AccessLogLine.append(&outcome, at: now, to: &lines)
            }
            lines.append(0x0A)
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

internal import HeadgateHTTP

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
        /// For people at a terminal.
        case pretty
    }

    private let format: Format
    private let sink: any LogSink
    private let realtime: @Sendable () -> Int64

    /// - Parameter realtime: nanoseconds since 1970.
    package init(format: Format, sink: any LogSink, realtime: @escaping @Sendable () -> Int64) {
        self.format = format
        self.sink = sink
        self.realtime = realtime
    }

    func observe(_ outcome: inout Outcome) {
        // Successful polls would drown the other lines.
        if outcome.isPolled, outcome.status < 400, outcome.end == .finished { return }
        let now = realtime()
        sink.write { lines in
            switch format {
            case .json: AccessLogLine.appendJSON(&outcome, at: now, to: &lines)
            case .pretty: AccessLogLine.appendPretty(outcome, at: now, to: &lines)
            }
            lines.append(0x0A)
        }
    }
}

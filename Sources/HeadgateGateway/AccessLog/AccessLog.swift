internal import HeadgateHTTP

/// Where finished lines go. Must not block: it is called on the loops.
package protocol LogSink: Sendable {
    func write(_ line: [UInt8])
}

/// One line per request, made from its outcome.
package struct AccessLog: Sendable {
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

    func write(_ outcome: Outcome) {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        switch format {
        case .json: AccessLogLine.appendJSON(outcome, at: realtime(), to: &line)
        case .pretty: AccessLogLine.appendPretty(outcome, at: realtime(), to: &line)
        }
        line.append(0x0A)
        sink.write(line)
    }
}

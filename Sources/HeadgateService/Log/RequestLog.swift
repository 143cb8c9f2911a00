import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateLibC
import HeadgateRelay

/// Log of requests, as configured at the start.
struct RequestLog {
    let accessLog: AccessLog
    /// Separate log file; nil if requests are logged to standard error with everything else.
    private let file: LogWriter?

    /// - Parameter log: log of all other messages, on standard error.
    /// - Throws: ``Complaint`` if the file cannot be opened, or ``ThreadShortage``.
    init(_ configuration: LogConfiguration, log: LogWriter, environment: [String: String], group: EventLoopGroup) throws
    {
        let isTerminal = configuration.file == nil && isatty(STDERR_FILENO) == 1
        let isText = configuration.format == .text || configuration.format == .auto && isTerminal
        let isColored = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        file = try configuration.file.map { path in
            try LogWriter(
                group: group, to: LogFile(path, rotation: configuration.rotation),
                noticing: isText ? RequestLog.notice : RequestLog.noticeAsJSON,
                complaining: { log.say("headgate: \(path) takes no lines (\($0)): they are dropped and counted") })
        }
        let text = AccessLogText(
            isTerminal: isTerminal, isColored: isColored, secondsFromUTC: RequestLog.secondsFromUTC)
        accessLog = AccessLog(
            format: isText ? .text(text) : .json, least: AccessLog.Level(configuration.level), sink: file ?? log,
            realtime: headgate_realtime_nanoseconds)
    }

    /// Number of lost lines of the file since the start.
    var droppedLines: Int { file?.droppedLines ?? 0 }

    /// Reopens the file after it was moved away.
    func reopen() { file?.reopen() }

    /// Closes the file, after all requests have ended.
    func close() { file?.close() }

    private static func notice(_ lines: Int, _ reason: String) -> String {
        "headgate: \(lines) log lines were dropped: \(reason)"
    }

    private static func noticeAsJSON(_ lines: Int, _ reason: String) -> String {
        #"{"log_lines_dropped":\#(lines),"reason":"\#(reason)"}"#
    }

    @Sendable private static func secondsFromUTC(_ nanoseconds: Int64) -> Int64 {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? 0 : Int64(local.tm_gmtoff)
    }
}

extension AccessLog.Level {
    fileprivate init(_ level: LogConfiguration.Level) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warn: .warn
            case .error: .error
            }
    }
}

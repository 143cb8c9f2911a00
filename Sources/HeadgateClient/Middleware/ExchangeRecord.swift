/// Result of one request, for logs and metrics. It contains no key, no query and no content.
public struct ExchangeRecord: Hashable, Sendable {
    /// How it ended.
    public enum End: Hashable, Sendable {
        /// With the whole response.
        case complete
        /// The app has left a response before its end.
        case left
        /// With an error; a word for it.
        case failed(String)
    }

    /// Operation, such as `createChatCompletion`.
    public var operationID: String
    /// The method and the path, without its query.
    public var request: String
    /// The host and the port.
    public var server: String
    /// Status of the response; nil if there was none.
    public var status: Int?
    /// Names the request in the server's log.
    public var requestID: String?
    /// From the request to the head of the response.
    public var timeToHead: Duration?
    /// From the request to the first bytes of the body.
    public var timeToFirstByte: Duration?
    /// From the request to its end.
    public var duration = Duration.zero
    /// Bytes of the body that were read.
    public var receivedBytes = 0
    /// How it ended.
    public var end = End.complete

    /// Whether the server refused it, or it broke off.
    public var isFailure: Bool {
        if case .failed = end { return true }
        return (status ?? 0) >= 400
    }
}

extension ExchangeRecord: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        var line = "\(operationID): \(request) at \(server) -> \(status.map(String.init) ?? "no response")"
        line += " in \(ExchangeRecord.seconds(duration)) s, \(receivedBytes) bytes"
        if let timeToFirstByte { line += ", first after \(ExchangeRecord.seconds(timeToFirstByte)) s" }
        switch end {
        case .complete: break
        case .left: line += ", left by the app"
        case .failed(let word): line += ", failed: \(word)"
        }
        return line + (requestID.map { ", request \($0)" } ?? "")
    }

    /// With three digits behind the point.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: max(0, 3 - rest.count)) + rest
    }
}

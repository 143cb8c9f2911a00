/// Record of one request, for logs and metrics. It contains no key, no query and no content.
public struct ExchangeRecord: Hashable, Sendable {
    /// End of an exchange.
    public enum End: Hashable, Sendable {
        /// The whole response was read.
        case complete
        /// The app stopped reading before the end of the response.
        case left
        /// The exchange failed. The value names the error.
        case failed(String)
    }

    /// Operation, such as `createChatCompletion`.
    public var operationID: String
    /// Method and path, without the query.
    public var request: String
    /// Host and port.
    public var server: String
    /// Status of the response; nil if there was none.
    public var status: Int?
    /// Id of the request in the server's log.
    public var requestID: String?
    /// Time from the request to the head of the response.
    public var timeToHead: Duration?
    /// Time from the request to the first bytes of the body.
    public var timeToFirstByte: Duration?
    /// Time from the request to its end.
    public var duration = Duration.zero
    /// Number of bytes of the body that were read.
    public var receivedBytes = 0
    /// End of the exchange.
    public var end = End.complete

    /// Whether the server rejected the request, or the exchange failed.
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

    /// Returns the seconds with three decimals.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: max(0, 3 - rest.count)) + rest
    }
}

internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateOpenAPI

/// Response that the server itself gives instead of a handler.
struct RequestFailure {
    let status: Int
    /// Text of the response: one sentence of the server itself.
    let text: String
    var allowed: String?

    init(status: Int, _ text: String, allowed: String? = nil) {
        self.status = status
        self.text = text
        self.allowed = allowed
    }

    /// Returns nil for an error of the server, whose details are not for the client.
    init?(_ error: any Error) {
        switch error {
        case RequestViolation.contentType: self.init(status: 415, "\(error)")
        case let violation as RequestViolation: self.init(status: 400, "\(violation)")
        case let violation as HTTPSyntaxError: self.init(status: violation.status, violation.explanation)
        case is BodyMemory.Exhausted:
            self.init(status: 503, "The server holds as much of request bodies as it may: try again later.")
        case let missing as UnimplementedOperation: self.init(status: 501, "\(missing)")
        default: return nil
        }
    }

    var response: ServerResponse {
        var head = HTTPResponse(
            status: .init(code: status), headerFields: [.contentType: "text/plain; charset=utf-8"])
        if let allowed { head.headerFields[.allow] = allowed }
        return ServerResponse(head, .bytes(Array((text + "\n").utf8)))
    }
}

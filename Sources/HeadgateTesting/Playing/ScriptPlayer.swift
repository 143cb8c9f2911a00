internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// Selects the response to each request, and records the request. It is shared by all connections.
final class ScriptPlayer: Sendable {
    let observations: UpstreamObservations
    private let script: UpstreamScript
    var longestReadBody: Int { script.longestReadBody }
    private let used = Locked<Set<Int>>([])
    private let log: (@Sendable (ReceivedRequest) -> Void)?

    init(
        _ script: UpstreamScript, observations: UpstreamObservations, log: (@Sendable (ReceivedRequest) -> Void)? = nil
    ) {
        self.script = script
        self.observations = observations
        self.log = log
    }

    /// Returns the response of the first matching exchange, or a 500 with the reason for each mismatch.
    func receive(
        connection: Int, method: String, path: String, headers: HeaderLines, body: [UInt8]
    ) -> (request: ReceivedRequest, response: ScriptedResponse) {
        var request = ReceivedRequest(
            index: observations.nextRequestIndex(), connection: connection, method: method, path: path,
            headers: headers, body: body)
        let (chosen, misses) = choose(request)
        request.exchange = chosen.map(script.label)
        observations.note(request)
        log?(request)
        if let chosen { return (request, script.exchanges[chosen].response) }
        let message = "no exchange fits \(method) \(path): \(misses.joined(separator: "; "))"
        return (request, .openAIError(status: 500, message: message, type: "scripted_upstream_error"))
    }

    private func choose(_ request: ReceivedRequest) -> (Int?, misses: [String]) {
        var misses: [String] = []
        for (index, exchange) in script.exchanges.enumerated() {
            if let reason = exchange.expect.mismatch(request) {
                misses.append("\(script.label(index)): \(reason)")
            } else if !script.repeats, !used.withLock({ $0.insert(index).inserted }) {
                misses.append("\(script.label(index)): has been used")
            } else {
                return (index, misses)
            }
        }
        return (nil, misses)
    }
}

/// Returns the reason phrase of a status code (RFC 9110 section 15); empty for codes that scripts rarely use.
func reasonPhrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: ""
    }
}

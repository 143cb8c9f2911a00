internal import HTTPTypes
internal import HeadgateHTTP

/// Which of the gateway's routes are served. The raw value is the tag of the connections to its listeners.
package enum RouteSelection: UInt8, Sendable {
    case all
    /// What Ollama serves, OpenAI's routes below `/v1` too, and its root, which apps look for it by.
    case ollama
    /// What a monitoring system asks for.
    case metrics

    func has(_ path: String) -> Bool {
        switch self {
        case .all: true
        case .ollama: path.hasPrefix("/api/") || path.hasPrefix("/v1/")
        case .metrics: ["/metrics", "/livez", "/readyz", "/healthz"].contains(path)
        }
    }

    /// Routes that no other selection has.
    func own(behind gates: [any ServerGate]) -> [Route] {
        guard case .ollama = self else { return [] }
        let fields: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: fields))
        let page = RequestHandler.immediate { _, _ in
            ServerResponse(head, .bytes(Array("Ollama is running".utf8)))
        }
        let id = "getOllamaPage"
        return [
            Route(
                operationID: id, method: .get, template: "/", tag: Dialect.ollama.rawValue,
                handler: page.behind(gates, operationID: id))
        ]
    }

    /// The error for a path that no route has.
    func refusal(of request: RequestHead) -> GatewayError {
        var error = OllamaRoutes.refusal(of: request)
        if let own = ownRoutes, error.status == 404 {
            error.message =
                "There is no such route here: this address serves \(own). The gateway's other listeners have the rest."
        }
        return error
    }

    private var ownRoutes: String? {
        switch self {
        case .all: nil
        case .ollama: "Ollama's API, which is below /api and /v1"
        case .metrics: "/metrics, /livez and /readyz"
        }
    }

    /// Of errors without a route.
    var dialect: Dialect {
        switch self {
        case .all, .metrics: .openAI
        case .ollama: .ollama
        }
    }
}

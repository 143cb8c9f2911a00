internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Selection of the gateway's routes. The raw value is the tag of the connections to its listeners.
package enum RouteSelection: UInt8, Sendable {
    case all
    /// Ollama's routes, OpenAI's routes below `/v1`, and Ollama's root, by which apps detect it.
    case ollama
    /// Routes that a monitoring system requests.
    case metrics

    func has(_ path: String) -> Bool {
        switch self {
        case .all: true
        case .ollama: path.hasPrefix("/api/") || path.hasPrefix("/v1/")
        case .metrics: ["/metrics", "/livez", "/readyz", "/healthz"].contains(path)
        }
    }

    /// Returns the routes that no other selection has.
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

    /// Returns the error for a path without a route.
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

    /// Dialect of errors on paths without a route.
    var dialect: Dialect {
        switch self {
        case .all, .metrics: .openAI
        case .ollama: .ollama
        }
    }
}

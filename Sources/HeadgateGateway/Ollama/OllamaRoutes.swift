internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay

/// Routes of Ollama's API, supported and unsupported.
enum OllamaRoutes {
    /// Returns the handlers of operations that are not relayed to an upstream.
    static func handlers(_ models: OllamaModels) -> [String: RequestHandler] {
        [
            OperationTable.ollamaListModels.id: .task { _, _, metadata in
                await models.list(for: metadata.caller) { metadata.after($0, $1) }
            },
            OperationTable.ollamaListRunning.id: .immediate { _, metadata in models.running(for: metadata.caller) },
            OperationTable.ollamaVersion.id: .immediate { _, _ in OllamaModels.versionResponse },
            OperationTable.ollamaShowModel.id: .direct { _, body, metadata, completion in
                let limit = min(metadata.bodyLimit, longestQuestion)
                let coding = RequestCoding(metadata, limit: limit)
                let work = (body ?? .bytes([])).collect(upTo: limit) { result in
                    completion(Result { try models.shown(coding.plain(result.get()), to: metadata.caller) })
                }
                if let work { metadata.work = work }
            },
        ]
    }

    /// Longest body of a request for a model's details, in bytes.
    private static let longestQuestion = 64 << 10

    /// Returns the error for a path without a route.
    static func refusal(of request: RequestHead) -> GatewayError {
        let path = request.withPath { String(decoding: $0, as: UTF8.self) }
        let end = path.firstIndex(of: "?") ?? path.endIndex
        guard let (_, advice) = refused.first(where: { isBelow($0.path, path[..<end]) }) else { return .unknownRoute }
        return .invalidRequest(501, advice, code: "unsupported_route", cause: .unknownRoute)
    }

    private static func isBelow(_ route: String, _ path: Substring) -> Bool {
        path.hasPrefix(route) && (path.count == route.count || path.dropFirst(route.count).first == "/")
    }

    private static let refused: [(path: String, advice: String)] = [
        ("/api/pull", files("add the model to the configuration. GET /api/tags lists the available models.")),
        ("/api/push", files("push the model with Ollama itself.")),
        ("/api/create", files("add the model to the configuration under its new name.")),
        ("/api/copy", files("give the model another name in the configuration.")),
        ("/api/delete", files("remove the model from the configuration.")),
        ("/api/blobs", files("add the model to the configuration.")),
        ("/api/me", "Headgate has no accounts at ollama.com: the gateway's own keys decide who gets in."),
        ("/api/status", "Headgate runs no models of ollama.com: GET /readyz says whether the gateway works."),
        ("/api/experimental", "Headgate searches and fetches nothing on the web: use an upstream's own tools."),
    ]

    private static func files(_ advice: String) -> String { "Headgate keeps no files of models: \(advice)" }
}

internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateHTTP

/// The routes of Ollama's API, and those that are not here.
enum OllamaRoutes {
    /// The handlers of the operations that ask no upstream.
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

    /// Octets.
    private static let longestQuestion = 64 << 10

    /// The error for a path that no route has.
    static func refusal(of request: RequestHead) -> GatewayError {
        let path = request.withPath { String(decoding: $0, as: UTF8.self) }
        let end = path.firstIndex(of: "?") ?? path.endIndex
        guard let (_, advice) = refused.first(where: { isBelow($0.path, path[..<end]) }) else { return .unknownRoute }
        return .invalidRequest(
            501, "Headgate keeps no files of models: \(advice)", code: "unsupported_route", cause: .unknownRoute)
    }

    private static func isBelow(_ route: String, _ path: Substring) -> Bool {
        path.hasPrefix(route) && (path.count == route.count || path.dropFirst(route.count).first == "/")
    }

    private static let refused: [(path: String, advice: String)] = [
        ("/api/pull", "add the model to the configuration. GET /api/tags lists those that are there."),
        ("/api/push", "push the model with Ollama itself."),
        ("/api/create", "add the model to the configuration, under the name that it is to have."),
        ("/api/copy", "give the model another name in the configuration."),
        ("/api/delete", "take the model out of the configuration."),
        ("/api/blobs", "add the model to the configuration."),
    ]
}

internal import HTTPTypes
internal import HeadgateHTTP

/// Every route with its chain, on one screen.
struct RouteTable: Sendable {
    let router: Router
    private let notFound: ServerHandler
    private let unknownMethod: ServerHandler
    private let base: ServerMiddlewareChain

    init(
        snapshot: GatewaySnapshot, accessLog: AccessLog, readiness: Readiness, documentation: Documentation,
        requestIDs: RequestIDGenerator, realtime: @escaping @Sendable () -> Int64, startedAt: Int64
    ) {
        let base = ServerMiddlewareChain([
            RequestIDMiddleware(generator: requestIDs), AccessLogMiddleware(log: accessLog),
            OriginGuardMiddleware(rules: snapshot.origins),
        ])
        let keyed = base.appending(AuthenticationMiddleware(keys: snapshot.keys, now: realtime))
        let keyedJSON = keyed.appending(JSONBodyMiddleware(limit: snapshot.bodyLimit))

        let health = HealthHandlers(readiness: readiness)
        let models = ModelsHandler(models: snapshot.models, created: startedAt)
        let stored = StoredResponseHandler(upstreams: snapshot.upstreams, models: snapshot.models)

        func route(
            _ method: HTTPRequest.Method, _ path: String, _ operationID: String, _ chain: ServerMiddlewareChain,
            _ handler: @escaping ServerHandler
        ) -> Route {
            Route(
                operationID: operationID, method: method, template: path,
                handler: chain.handler(operationID: operationID, endingAt: handler))
        }

        var routes = [
            route(.get, "/", Operations.getRoot, base) { _, _, _ in documentation.answerRoot() },
            route(.get, "/livez", Operations.getLiveness, base) { _, _, _ in health.answerLiveness() },
            route(.get, "/readyz", Operations.getReadiness, base) { _, _, _ in health.answerReadiness() },
            route(.get, "/healthz", Operations.getHealth, base) { _, _, _ in health.answerReadiness() },
            route(.get, "/openapi.yaml", Operations.getDocument, base) { _, _, _ in documentation.answerYAML() },
            route(.get, "/openapi.json", Operations.getDocumentAsJSON, base) { _, _, _ in documentation.answerJSON() },
            route(.get, "/docs", Operations.getDocumentation, base) { _, _, _ in documentation.answerPage() },
            route(.get, "/docs/{asset}", Operations.getDocumentationAsset, base) { _, _, metadata in
                try documentation.answerAsset(metadata.pathParameters["asset"] ?? "")
            },
        ]
        // Clients' base URLs end in /v1 or do not.
        for prefix in ["/v1", ""] {
            routes += [
                route(.get, prefix + "/models", Operations.listModels, keyed) { request, _, metadata in
                    models.list(for: metadata.caller, dialect: Dialect(request))
                },
                route(.get, prefix + "/models/{model}", Operations.retrieveModel, keyed) { request, _, metadata in
                    try models.retrieve(
                        metadata.pathParameters["model"] ?? "", for: metadata.caller, dialect: Dialect(request))
                },
                route(.get, prefix + "/responses/{response_id}", Operations.retrieveResponse, keyed) {
                    try await stored.handle(Operations.retrieveResponse, $0, $2)
                },
                route(.delete, prefix + "/responses/{response_id}", Operations.deleteResponse, keyed) {
                    try await stored.handle(Operations.deleteResponse, $0, $2)
                },
                route(.post, prefix + "/responses/{response_id}/cancel", Operations.cancelResponse, keyed) {
                    try await stored.handle(Operations.cancelResponse, $0, $2, suffix: "/cancel")
                },
                route(.get, prefix + "/responses/{response_id}/input_items", Operations.listResponseInputItems, keyed) {
                    try await stored.handle(Operations.listResponseInputItems, $0, $2, suffix: "/input_items")
                },
            ]
            for operation in RelayOperation.all {
                let relay = RelayHandler(operation: operation, models: snapshot.models)
                routes.append(route(.post, prefix + operation.path, operation.id, keyedJSON, relay.handle))
            }
        }
        router = Router(routes)
        self.base = base
        notFound = base.handler(operationID: "unmatched") { _, _, _ in throw GatewayError.unknownRoute }
        unknownMethod = base.handler(operationID: "unmatched") { _, _, _ in throw GatewayError.unknownMethod }
    }

    /// The handler of a request. What matches no route still passes the guard, gets an id and is logged.
    func handler(for request: HTTPRequest, metadata: ServerRequestMetadata) -> ServerHandler {
        switch router.match(request.method, request.path ?? "/") {
        case .route(let route, let parameters):
            if !parameters.isEmpty { metadata.pathParameters = parameters }
            return route.handler
        case .notFound: return notFound
        case .unknownMethod: return unknownMethod
        case .methodNotAllowed(let allowed):
            return base.handler(operationID: "unmatched") { _, _, _ in
                throw GatewayError.methodNotAllowed(allowed: allowed)
            }
        case .options(let allowed):
            return base.handler(operationID: "unmatched") { request, _, _ in
                // The guard in the chain lets only allowed origins come this far.
                let fields: HTTPFields =
                    CrossOriginPolicy.isPreflight(request)
                    ? CrossOriginPolicy.preflightFields(allowedMethods: allowed) : [.allow: allowed]
                return (HTTPResponse(status: .noContent, headerFields: fields), nil)
            }
        }
    }
}

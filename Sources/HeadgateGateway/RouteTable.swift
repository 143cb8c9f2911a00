internal import HTTPTypes
internal import HeadgateHTTP

/// Every route with its chain, on one screen.
struct RouteTable: Sendable {
    let router: Router
    private let notFound: ServerHandler
    private let unknownMethod: ServerHandler
    private let base: ServerMiddlewareChain

    init(
        snapshot: GatewaySnapshot, accessLog: AccessLog, readiness: Readiness, requestIDs: RequestIDGenerator,
        realtime: @escaping @Sendable () -> Int64, startedAt: Int64
    ) {
        let base = ServerMiddlewareChain([
            RequestIDMiddleware(generator: requestIDs), AccessLogMiddleware(log: accessLog),
            OriginGuardMiddleware(rules: snapshot.origins),
        ])
        let keyed = base.appending(AuthenticationMiddleware(keys: snapshot.keys, now: realtime))
        let keyedJSON = keyed.appending(JSONBodyMiddleware(limit: snapshot.bodyLimit))

        let health = HealthHandlers(readiness: readiness)
        let models = ModelsHandler(models: snapshot.models, created: startedAt)
        let chat = ChatCompletionsHandler(models: snapshot.models)

        func route(
            _ method: HTTPRequest.Method, _ path: String, _ operationID: String, _ chain: ServerMiddlewareChain,
            _ handler: @escaping ServerHandler
        ) -> Route {
            Route(
                operationID: operationID, method: method, template: path,
                handler: chain.handler(operationID: operationID, endingAt: handler))
        }

        router = Router([
            route(.get, "/livez", Operations.getLiveness, base) { _, _, _ in health.answerLiveness() },
            route(.get, "/readyz", Operations.getReadiness, base) { _, _, _ in health.answerReadiness() },
            route(.get, "/healthz", Operations.getHealth, base) { _, _, _ in health.answerReadiness() },
            route(.get, "/v1/models", Operations.listModels, keyed) { _, _, metadata in
                models.list(for: metadata.caller)
            },
            route(.get, "/v1/models/{model}", Operations.retrieveModel, keyed) { _, _, metadata in
                try models.retrieve(metadata.pathParameters["model"] ?? "", for: metadata.caller)
            },
            route(.post, "/v1/chat/completions", Operations.createChatCompletion, keyedJSON, chat.handle),
        ])
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

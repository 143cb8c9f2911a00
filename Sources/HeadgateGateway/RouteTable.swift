internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgatePages
internal import HeadgateRelay

/// All routes with their chains.
struct RouteTable: Sendable {
    let router: Router
    /// Routes that also match other forms of their paths.
    private let lenientRouter: Router
    /// Observers of the outcome of every request.
    let observers: [OutcomeFunction]
    private let notFound: RequestHandler
    private let unknownMethod: RequestHandler
    private let webSocket: RequestHandler
    /// Gates of paths without a route.
    private let gates: [any ServerGate]
    private let selection: RouteSelection

    init(
        _ context: CapabilityContext, documentation: Documentation, selection: RouteSelection = .all
    ) {
        self.selection = selection
        let capabilities = context.capabilities
        let observers = capabilities.observers(in: context)
        self.observers = observers.map(\.function)
        let handlers = RouteTable.handlers(context, documentation)
        // Paths, methods and authentication come from the contract.
        let own = capabilities.all.flatMap(\.operations).filter { handlers[$0.id] != nil }
        let operations = OperationTable.all + own
        let routes = operations.flatMap { operation in
            guard let handler = handlers[operation.id] else {
                preconditionFailure("no handler for the operation \(operation.id)")
            }
            let gates = capabilities.gates(of: operation, observedBy: observers, in: context)
            let admitted = handler.behind(gates, operationID: operation.id)
            let tag = Dialect.ofRoutes(operation.id)?.rawValue ?? 0
            return operation.paths.filter(selection.has).map {
                Route(operationID: operation.id, method: operation.method, template: $0, tag: tag, handler: admitted)
            }
        }
        let gates = capabilities.gates(of: nil, observedBy: observers, in: context)
        self.gates = gates
        router = Router(routes + selection.own(behind: gates))
        lenientRouter = Router(routes.filter { RouteTable.lenient.contains($0.operationID) })
        notFound = RouteTable.unmatched(behind: gates) { throw selection.refusal(of: $0) }
        unknownMethod = RouteTable.unmatched(behind: gates) { _ in throw GatewayError.unknownMethod }
        webSocket = RouteTable.unmatched(behind: gates) { _ in throw GatewayError.webSocketNotSupported }
    }

    private static func unmatched(
        behind gates: [any ServerGate], _ respond: @escaping @Sendable (RequestHead) throws -> ServerResponse
    ) -> RequestHandler {
        RequestHandler.immediate { request, metadata in
            metadata.record.facts.notes[.path] = shownPath(of: request)
            return try respond(request)
        }.behind(gates, operationID: "unmatched")
    }

    private static let longestShownPath = 200

    private static func shownPath(of request: RequestHead) -> String {
        let path = request.withPath { String(decoding: $0.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) }
        let parts = path.prefix(longestShownPath).split(separator: "/", omittingEmptySubsequences: false)
        let isCode = parts.dropLast().map { $0 == "pairings" }
        return zip(parts, [false] + isCode).map { part, follows in
            follows || looksLikeSecret(String(part)) ? "***" : String(part)
        }.joined(separator: "/")
    }

    /// Operations of clients, which join paths in several ways. Operations of admins, pages and probes have one form,
    /// so that a proxy's rule for that form holds.
    private static let lenient: Set<String> = {
        let strict: Set<String> = [
            OperationTable.getUsage.id, OperationTable.getStatus.id, OperationTable.getMetrics.id,
            OperationTable.getReadiness.id, OperationTable.getHealth.id, OperationTable.unloadUpstream.id,
            OperationTable.inspectRequest.id,
        ]
        let client = OperationTable.all.filter { $0.authentication == .key && !strict.contains($0.id) }
        return Set(client.map(\.id)).subtracting(KeysHandler.operations)
    }()

    /// Returns a handler for each operation, both of capabilities and of every gateway.
    static func handlers(_ context: CapabilityContext, _ documentation: Documentation) -> [String: RequestHandler] {
        let relay = context.relay
        let stored = StoredResponseHandler(
            upstreams: relay.upstreams, models: relay.models, access: relay.stored, eventLimit: relay.eventLimit,
            kept: relay.kept, realtime: context.realtime)
        let health = HealthHandlers(context)
        var handlers = context.capabilities.handlers(in: context)
        handlers.merge(pages(documentation)) { $1 }
        handlers.merge(models(context)) { $1 }
        handlers[OperationTable.getLiveness.id] = .immediate { _, _ in health.livenessResponse() }
        for operation in [OperationTable.getReadiness.id, OperationTable.getHealth.id] {
            handlers[operation] = health.readiness(behind: context.authentication, operationID: operation)
        }
        for (operation, suffix) in StoredResponseHandler.operations {
            handlers[operation] = .direct { stored.handle(operation, $0, $2, suffix: suffix, completion: $3) }
        }
        let explainer = Explainer(isOpenToAll: relay.hasOneCaller, definitions: relay.definitions)
        for operation in RelayOperation.all {
            let handler = RelayHandler(
                operation: operation, snapshot: relay,
                middlewares: context.capabilities.perRequest(of: operation, in: context), explainer: explainer,
                realtime: context.realtime)
            handlers[operation.id] =
                operation.takesForm
                ? .direct { RelayedForm.start($0, $1, $2, handler, completion: $3) }
                : .direct { handler.handle($0, $1, $2, completion: $3) }
        }
        return handlers
    }

    private static func pages(_ documentation: Documentation) -> [String: RequestHandler] {
        let pages = WebPages(documentation: documentation)
        return [
            OperationTable.getChatPage.id: .immediate { request, _ in pages.chatResponse(request) },
            OperationTable.getStatusPage.id: .immediate { request, _ in pages.statusResponse(request) },
            OperationTable.getWebAsset.id: .immediate { request, metadata in
                guard let response = pages.assetResponse(metadata.pathParameters["asset"] ?? "", request) else {
                    throw GatewayError.unknownRoute
                }
                return response
            },
            OperationTable.getDocument.id: .immediate { _, _ in documentation.yamlResponse() },
            OperationTable.getDocumentAsJSON.id: .immediate { _, _ in documentation.jsonResponse() },
            OperationTable.getDocumentation.id: .immediate { _, _ in documentation.pageResponse() },
            OperationTable.getDocumentationAsset.id: .immediate { _, metadata in
                guard let response = documentation.assetResponse(metadata.pathParameters["asset"] ?? "") else {
                    throw GatewayError.unknownRoute
                }
                return response
            },
        ]
    }

    private static func models(_ context: CapabilityContext) -> [String: RequestHandler] {
        let models = ModelsHandler(
            models: context.relay.models, discovery: context.discovery, created: context.startedAt,
            pricing: context.relay.pricing)
        return [
            OperationTable.listModels.id: .task { _, _, metadata in
                await models.list(for: metadata.caller, dialect: metadata.dialect ?? .openAI) { metadata.after($0, $1) }
            },
            OperationTable.retrieveModel.id: .task { _, _, metadata in
                await models.refresh(for: metadata.caller) { metadata.after($0, $1) }
                return try models.retrieve(
                    metadata.pathParameters["model"] ?? "", for: metadata.caller,
                    dialect: metadata.dialect ?? .openAI)
            },
        ]
    }

    private func handler(
        of route: Route, for request: RequestHead, _ metadata: ServerRequestMetadata
    ) -> RequestHandler {
        metadata.record.dialect = Dialect(rawValue: route.tag) ?? Dialect(ofSharedRoute: request.fields)
        return route.isGet && request.asksForWebSocket ? webSocket : route.handler
    }

    /// Returns the handler of a path that might be another form of a route's path.
    private func handlerOfAnotherForm(_ request: RequestHead, _ metadata: ServerRequestMetadata) -> RequestHandler {
        let path = request.withPath { RoutePath.canonical($0) }
        let match = path?.withUnsafeBytes { lenientRouter.match(request.method, $0) } ?? .notFound
        if case .notFound = match { return request.asksForWebSocket ? webSocket : notFound }
        return handler(of: match, for: request, metadata)
    }

    /// Dialect of errors on paths without a route.
    var dialect: Dialect { selection.dialect }

    /// Returns the handler of a request. Without a route it still passes the origin guard, gets an id and is logged.
    func handler(for request: RequestHead, metadata: ServerRequestMetadata) -> RequestHandler {
        let match = request.withPath { router.match(request.method, $0) }
        // The id at the end of a route's path can also match the end of another route's path with a trailing slash.
        if case .methodNotAllowed = match, let path = request.withPath({ RoutePath.canonical($0) }),
            case .route(let route) = path.withUnsafeBytes({ lenientRouter.match(request.method, $0) })
        {
            return handler(of: route, for: request, metadata)
        }
        return handler(of: match, for: request, metadata)
    }

    private func handler(
        of match: Router.Match, for request: RequestHead, _ metadata: ServerRequestMetadata
    ) -> RequestHandler {
        switch match {
        case .route(let route): return handler(of: route, for: request, metadata)
        case .parameter(let route, let name, let value):
            metadata.pathParameters = [name: value]
            return handler(of: route, for: request, metadata)
        case .parameters(let route, let values):
            metadata.pathParameters = values
            return handler(of: route, for: request, metadata)
        case .notFound: return handlerOfAnotherForm(request, metadata)
        case .unknownMethod: return unknownMethod
        case .methodNotAllowed where request.asksForWebSocket: return webSocket
        case .methodNotAllowed(let allowed):
            return RouteTable.unmatched(behind: gates) { _ in throw GatewayError.methodNotAllowed(allowed: allowed) }
        case .options(let allowed):
            return RouteTable.unmatched(behind: gates) { request in
                // The guard in the chain passes only allowed origins.
                let fields: HTTPFields =
                    CrossOriginPolicy.isPreflight(request)
                    ? CrossOriginPolicy.preflightFields(of: request, allowedMethods: allowed) : [.allow: allowed]
                return ServerResponse(HTTPResponse(status: .noContent, headerFields: fields), nil)
            }
        }
    }
}

extension RequestHead {
    /// Whether the client offers to switch to WebSocket. Clients that try it first fall back to HTTP at once if they
    /// are refused.
    fileprivate var asksForWebSocket: Bool {
        // HTTP/1.0 does not have such an offer (RFC 9110 section 7.8).
        !isHTTP10 && fields.value(named: .upgrade)?.lowercased().contains("websocket") == true
    }
}

/// One route, for listings.
package struct RouteListing: Hashable, Sendable {
    package let method: String
    package let path: String
    package let operationID: String

    package init(method: String, path: String, operationID: String) {
        self.method = method
        self.path = path
        self.operationID = operationID
    }
}

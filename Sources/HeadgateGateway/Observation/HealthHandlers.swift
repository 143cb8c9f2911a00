internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Handlers of `/livez`, `/readyz` and `/healthz`. They call no upstream, and show details only to admins.
struct HealthHandlers: Sendable {
    private let readiness: Readiness
    /// Upstreams in the order of the configuration.
    private let upstreams: [ObservedUpstream]
    private let models: ModelTable
    private let capabilities: Capabilities

    init(_ context: CapabilityContext) {
        readiness = context.readiness
        upstreams = context.relay.observedUpstreams
        models = context.relay.models
        capabilities = context.capabilities
    }

    func livenessResponse() -> ServerResponse {
        HealthHandlers.response(.ok, Array("{\"status\":\"ok\"}".utf8))
    }

    /// Returns the handler for readiness, which responds with one word, or on request with the state of the upstreams
    /// for admins.
    ///
    /// - Parameter authentication: checks callers who request more than the word.
    func readiness(behind authentication: AuthenticationMiddleware, operationID: String) -> RequestHandler {
        let verbose = RequestHandler.immediate { _, metadata in
            try verboseResponse(to: metadata.caller, at: metadata.record.now)
        }.behind([authentication], operationID: operationID)
        guard case .direct(let respond) = verbose else { preconditionFailure("authentication waits for nothing") }
        return .direct { request, body, metadata, completion in
            if HealthHandlers.isVerbose(request.path) { return respond(request, body, metadata, completion) }
            completion(.success(response { $0.append("status", word) }))
        }
    }

    private var word: String { readiness.isDraining ? "draining" : "ok" }

    /// - Parameter now: monotonic nanoseconds.
    private func verboseResponse(to caller: ClientKey, at now: UInt64) throws(GatewayError) -> ServerResponse {
        guard caller.isAdmin else { throw .notForThisKey }
        let routes = models.routes.filter(\.route.hasHealth)
        return response { output in
            output.append("status", word)
            output.append("upstreams", list: upstreams) { output, upstream in
                let targets = routes.lazy.flatMap(\.route.targets).filter { $0.upstream.name.isExactly(upstream.name) }
                output.append("name", upstream.name)
                output.append("reachable", upstream.isReachable)
                output.append("healthy", upstream.isHealthy)
                output.append("offline", upstream.reach.offlineUntil(at: now) != nil)
                output.append("open_breakers", targets.count { $0.limits.isOpen(at: now) })
                if let keyStatus = upstream.keyStatus { output.append("key", keyStatus()) }
            }
            output.append("models", list: routes) { output, model in
                output.append("name", model.name)
                output.append("usable", model.route.targets.contains { $0.isUsable(for: model.name, at: now) })
            }
            capabilities.writeReadiness(&output)
        }
    }

    /// Responds with 503 only while the gateway is draining: without one upstream, it still serves the others.
    private func response(_ write: (inout JSONMembers) -> Void) -> ServerResponse {
        var output = JSONMembers(room: 256)
        write(&output)
        return HealthHandlers.response(readiness.isDraining ? .serviceUnavailable : .ok, output.end())
    }

    private static func response(_ status: HTTPResponse.Status, _ body: [UInt8]) -> ServerResponse {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: status, headerFields: fields), .bytes(body))
    }

    /// Returns whether the query contains `verbose` (as in Kubernetes), `verbose=1` or `verbose=true`.
    private static func isVerbose(_ path: String) -> Bool {
        guard let mark = path.utf8.firstIndex(of: 0x3F) else { return false }
        return path[path.index(after: mark)...].split(separator: "&").contains { parameter in
            ["verbose", "verbose=", "verbose=1", "verbose=true"].contains { parameter.isExactly($0) }
        }
    }
}

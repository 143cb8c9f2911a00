// HeadgateGateway: all behavior of the gateway, from a request's head to its outcome. It uses no socket, event loop or
// database, not even through another module. Bytes come and go through HeadgateHTTP's protocols, and time comes in as
// closures.

internal import HTTPTypes
internal import HeadgateConfiguration
package import HeadgateHTTP
package import HeadgatePages
internal import HeadgateRelay

/// The gateway, which responds to every request of a server.
package final class Gateway: RequestResponder {
    package let readiness: Readiness
    package let snapshot: GatewaySnapshot
    private let context: CapabilityContext
    private let table: RouteTable
    private let crossOrigin: CrossOriginPolicy

    /// - Parameters:
    ///   - routes: the routes that it serves.
    ///   - realtime: returns nanoseconds since 1970.
    package init(
        snapshot: GatewaySnapshot, readiness: Readiness = Readiness(), documentation: Documentation = Documentation(),
        routes: RouteSelection = .all, realtime: @escaping @Sendable () -> Int64
    ) {
        self.snapshot = snapshot
        self.readiness = readiness
        crossOrigin = CrossOriginPolicy(allowedOrigins: snapshot.relay.origins.allowedOrigins)
        context = CapabilityContext(
            relay: snapshot.relay, capabilities: snapshot.capabilities, readiness: readiness,
            requestIDs: RequestIDGenerator(now: realtime), realtime: realtime,
            startedAt: realtime() / 1_000_000_000, opensMetrics: routes == .metrics)
        table = RouteTable(context, documentation: documentation, selection: routes)
    }

    /// Returns the middlewares around the relayed requests of an operation.
    func middlewares(of operation: RelayOperation) -> [any RelayMiddleware] {
        snapshot.capabilities.perRequest(of: operation, in: context)
    }

    /// Every route, for listings and for the test that compares them with `openapi.yaml`. A route that exists with
    /// and without `/v1` is listed once, with the prefix.
    package var routes: [RouteListing] {
        let all = table.router.routes.map {
            RouteListing(method: $0.method.rawValue, path: $0.template, operationID: $0.operationID)
        }
        let prefixed = Set(all.map(\.path).filter { $0.hasPrefix("/v1/") })
        return all.filter { !prefixed.contains("/v1" + $0.path) }
    }

    package func makeContext(clock: @escaping () -> UInt64) -> any RequestContext { RequestRecord(clock: clock) }

    package func respond(
        to request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata,
        completion: @escaping (ServerResponse) -> Void
    ) {
        switch table.handler(for: request, metadata: metadata) {
        case .direct(let handle):
            handle(request, body, metadata) { [self] result in completion(response(to: request, result, metadata)) }
        case .task(let handle):
            metadata.run { [self] in
                let result: Result<ServerResponse, any Error>
                do { result = .success(try await handle(request, body, metadata)) } catch { result = .failure(error) }
                completion(response(to: request, result, metadata))
            }
        }
    }

    private func response(
        to request: RequestHead, _ result: Result<ServerResponse, any Error>, _ metadata: ServerRequestMetadata
    ) -> ServerResponse {
        let dialect = metadata.dialect ?? Dialect(unrouted: request)
        var response: ServerResponse
        var isOver = true
        do {
            response = try result.get()
            if case .bytes(let bytes)? = response.body, bytes.count > Gateway.largestUncounted {
                metadata.responseAllowance = try admit(bytes.count)
            }
        } catch {
            // The only place where an error before a stream becomes a response.
            let failure = GatewayError(error)
            // The client has disconnected; do not record this error against an attempt that continues for others.
            if metadata.record.isComplete {
                return dialect.response(failure, requestID: metadata.record.facts.requestID)
            }
            metadata.record.note(failure)
            response = dialect.response(failure, requestID: metadata.record.facts.requestID)
            isOver = !metadata.record.isShared
        }
        if let origin = crossOrigin.origin(of: request) { response = CrossOriginPolicy.opened(response, to: origin) }
        if case .anthropic = dialect { response.hasRequestID = true }
        metadata.record.facts.status = response.head.status
        if isOver, let lease = metadata.record.lease { response = lease.follow(response) }
        return response
    }

    /// Reserves memory for a whole body that is too large for the queue of a connection.
    @inline(never)
    private func admit(_ size: Int) throws -> BodyAllowance {
        let allowance = snapshot.relay.bodies.allowance()
        guard allowance.grow(to: size) else { throw BodyMemory.Exhausted() }
        return allowance
    }

    /// Largest whole body that needs no allowance, in bytes.
    private static let largestUncounted = 192 << 10

    package func refuse(_ violation: HTTPSyntaxError, metadata: ServerRequestMetadata) -> ServerResponse {
        let error = GatewayError.syntax(violation)
        metadata.record.facts.requestID = context.requestIDs.next()
        metadata.record.facts.remoteAddress = metadata.connection.remoteAddress
        metadata.record.facts.status = violation.status
        metadata.record.note(error)
        metadata.record.observe(table.observers)
        return table.dialect.response(error, requestID: metadata.record.facts.requestID)
    }

    package func shutdownResponse(to request: RequestHead, metadata: ServerRequestMetadata) -> ServerResponse {
        response(to: request, .failure(GatewayError.unansweredAtShutdown), metadata)
    }

    package func heartbeat(for head: ServerResponseHead) -> [UInt8]? {
        EventStream.isEventStream(head) ? EventStream.heartbeat : nil
    }

    package func finalEvents(for head: ServerResponseHead, metadata: ServerRequestMetadata) -> [UInt8]? {
        guard EventStream.isEventStream(head) || LineStream.isLineStream(head) else { return nil }
        var output: [UInt8] = []
        // The transform of a stream knows its response.
        var broken = metadata.record.transform?.brokenResponse ?? BrokenResponse()
        broken.requestID = metadata.record.facts.requestID
        (metadata.dialect ?? .openAI).appendEvent(.shuttingDown, of: broken, to: &output)
        return output
    }
}

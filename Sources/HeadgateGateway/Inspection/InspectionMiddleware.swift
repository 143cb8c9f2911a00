internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// The latest requests with their content, by their numbers. They survive reloads that leave inspection on.
struct InspectedRequests: CapabilityState {
    private var requests: [Int: InspectedRequest] = [:]
    private var last = 0
    /// Number of stored requests; 0 if inspection is off.
    private var limit = 0

    subscript(number: Int) -> InspectedRequest? { requests[number] }

    /// Sets the number of stored requests, and removes the oldest ones beyond it.
    mutating func resize(_ limit: Int) {
        self.limit = limit
        for (number, request) in requests where number <= last - limit { displace(number, request) }
    }

    /// Adds a request, which displaces the oldest one.
    mutating func add(_ make: (Int) -> InspectedRequest) -> InspectedRequest? {
        // A reload has turned inspection off meanwhile.
        guard limit > 0 else { return nil }
        last += 1
        let request = make(last)
        requests[last] = request
        if let oldest = requests[last - limit] { displace(last - limit, oldest) }
        return request
    }

    private mutating func displace(_ number: Int, _ request: InspectedRequest) {
        requests[number] = nil
        request.forget()
    }
}

/// Middleware that stores the client's request and the response. Outermost, so that it sees both as the client does.
struct InspectionMiddleware: RelayMiddleware {
    let requests: Locked<InspectedRequests>
    /// Maximum bytes that are stored of each body.
    let limit: Int
    /// Upstreams whose secrets are masked.
    let definitions: [UpstreamDefinition]

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let mask = SecretMask(definitions, client: request.head.fields)
        let inspected = requests.withLock { requests in
            requests.add { number in
                InspectedRequest(
                    number, request, of: next.operation.id, to: definitions, mask: mask, limit: limit,
                    startedAt: next.realtime)
            }
        }
        guard let inspected else { return next(request, completion: completion) }
        let record = request.metadata.record
        record.facts.notes[.inspection] = "\(inspected.number)"
        return next(request) { completion(inspected.receive($0, record)) }
    }
}

/// Middleware that stores the request and the response of an attempt. Innermost, so that it sees the changes of all
/// others.
struct AttemptInspection: UpstreamMiddleware {
    let requests: Locked<InspectedRequests>

    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        guard let record = next.metadata?.record, let number = record.facts.notes[.inspection].flatMap({ Int($0) }),
            let inspected = requests.withLock({ $0[number] }),
            let index = inspected.begin(request, to: next.baseURL, record)
        else { return next(request, completion: completion) }
        return next(request) { completion(inspected.receive($0, ofAttempt: index, record)) }
    }
}

extension Capability {
    /// Returns the capability around requests, with the route. Turning inspection off removes the stored requests.
    static func inspection(_ configuration: InspectConfiguration?, _ state: GatewayState) -> Capability {
        let requests = state.shared(InspectedRequests.self)
        requests.withLock { $0.resize(configuration?.requests ?? 0) }
        return Capability(
            name: "inspect",
            perRequest: { context, _ in
                configuration.map {
                    InspectionMiddleware(
                        requests: requests, limit: $0.bodies, definitions: context.relay.definitions)
                }
            },
            handlers: { context in
                let handler = InspectionHandler(
                    requests: configuration == nil ? nil : requests, definitions: context.relay.definitions)
                return [OperationTable.inspectRequest.id: .direct { handler.handle($2, completion: $3) }]
            })
    }

    /// Returns the capability around attempts.
    static func attemptInspection(_ configuration: InspectConfiguration?, _ state: GatewayState) -> Capability {
        let inspection = configuration.map { _ in AttemptInspection(requests: state.shared(InspectedRequests.self)) }
        return Capability(name: "inspect", perAttempt: { _, _ in inspection })
    }
}

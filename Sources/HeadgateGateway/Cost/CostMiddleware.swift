internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Middleware that reports the cost of whole responses to clients.
struct CostMiddleware: RelayMiddleware {
    let pricing: RequestPricing

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let (record, pricing) = (request.metadata.record, pricing)
        return next(request) { result in
            switch result {
            case .success(let response):
                completion(.success(CostMiddleware.told(response, record, pricing, next.hasResponseFields)))
            case .failure: completion(result)
            }
        }
    }

    private static func told(
        _ response: ServerResponse, _ record: RequestRecord, _ pricing: RequestPricing, _ tellsClient: Bool
    ) -> ServerResponse {
        guard case .bytes? = response.body, response.head.status == 200,
            let cost = pricing.cost(of: &record.facts)
        else { return response }
        record.facts.notes.cost = cost
        guard tellsClient, case .known(let picodollars) = cost else { return response }
        var told = response
        told.head = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { memory in
            var lines = LineWriter(memory)
            lines.append("\r\n")
            lines.append(plain: HTTPField.Name.xHeadgateCostUSD.rawName)
            lines.append(": ")
            lines.append(picodollars, decimals: RequestCost.digits)
            if record.facts.notes.isEstimated {
                lines.append("\r\n")
                lines.append(plain: HTTPField.Name.xHeadgateEstimated.rawName)
                lines.append(": true")
            }
            return response.head.adding(lines: UnsafeBufferPointer(rebasing: memory[..<lines.count]))
        }
        return told
    }
}

extension Capability {
    static let cost = Capability(
        name: "prices", perRequest: { context, _ in context.relay.pricing.map(CostMiddleware.init) },
        // The observers after it report the cost.
        observer: { context in context.relay.pricing.map(CostObserver.init) })
}

/// Observer that notes the cost of each request, for the observers after it.
struct CostObserver: OutcomeObserver {
    let pricing: RequestPricing

    func observe(_ outcome: inout Outcome) {
        guard outcome.model != nil, outcome.notes.isEmpty || outcome.notes.cost == nil else { return }
        if let cost = pricing.cost(of: &outcome) { outcome.notes.cost = cost }
    }
}

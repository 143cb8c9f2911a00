internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Middleware that reports to clients what whole responses have cost.
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
        guard tellsClient, let text = cost.text else { return response }
        var told = response
        told.head = told.head.adding(HTTPField(name: .xHeadgateCostUSD, value: text))
        if record.facts.notes.isEstimated {
            told.head = told.head.adding(HTTPField(name: .xHeadgateEstimated, value: "true"))
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

/// Observer that notes what each request has cost, for the observers after it.
struct CostObserver: OutcomeObserver {
    let pricing: RequestPricing

    func observe(_ outcome: inout Outcome) {
        guard outcome.model != nil, outcome.notes.isEmpty || outcome.notes.cost == nil else { return }
        if let cost = pricing.cost(of: &outcome) { outcome.notes.cost = cost }
    }
}

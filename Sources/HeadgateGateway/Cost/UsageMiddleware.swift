internal import HTTPTypes
internal import HeadgateHTTP

/// Reads what whole responses say of the upstream's cache, and tells clients what they have cost.
struct UsageMiddleware: RelayMiddleware {
    /// Nil where nothing has a price.
    let pricing: RequestPricing?

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        return next(request) { result in completion(result.map { told($0, record, next) }) }
    }

    private func told(_ response: ServerResponse, _ record: RequestRecord, _ next: RelayNext) -> ServerResponse {
        guard case .bytes(let document)? = response.body, response.head.status == 200 else { return response }
        // A long one is a list of vectors, and has nothing of the kind.
        if record.facts.promptTokens != nil, document.count <= LongDocument.octets {
            let cache = document.withUnsafeBytes { CacheTokens(in: $0) }
            if cache != CacheTokens() { record.facts.notes.cache = cache }
        }
        guard let cost = pricing?.cost(of: &record.facts) else { return response }
        record.facts.notes.cost = cost
        guard next.hasResponseFields, let text = cost.text else { return response }
        var told = ServerResponse(
            response.head.adding(HTTPField(name: .xHeadgateCostUSD, value: text)), response.body)
        told.hasRequestID = response.hasRequestID
        return told
    }
}

internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// The models of an upstream, for checks.
package struct ModelListing: Sendable {
    package let names: Result<[String], ModelListFailure>
    /// Of the names that were looked for, those that the upstream does not know.
    package var missing: [String] = []
    /// Those that could not be checked, with the reason.
    package var untold: [(name: String, reason: ModelListFailure)] = []

    /// The longest that it takes to look for so many names: all deadlines together.
    package static func longest(for count: Int) -> Duration {
        let timeouts = ModelListQuestion.timeouts
        let page = timeouts.connect + timeouts.firstByte + timeouts.silence
        return ModelListQuestion.longest + page * (1 + count)
    }
}

extension UpstreamDefinition {
    /// Asks the upstream for its models, and for each wanted one that it does not list: some know more names than they
    /// list.
    ///
    /// - Parameters:
    ///   - now: nanoseconds since 1970.
    ///   - completion: called once, on the loop that this is called on.
    package func look(
        for wanted: [String], now: @escaping () -> Int64, completion: @escaping (ModelListing) -> Void
    ) {
        let upstream = Upstream(self, timeouts: ModelListQuestion.timeouts, relaysRateLimits: false)
        ModelListQuestion(upstream, now: now) { result in
            let listing = ModelListing(names: result)
            guard let names = try? result.get() else { return completion(listing) }
            let listed = Set(names.map { Array($0.utf8) })
            let unlisted = wanted.filter { name in
                // Ollama's names have a tag, which may be left out.
                ![name, name + ":latest"].contains { listed.contains(Array($0.utf8)) }
            }
            upstream.lookUp(unlisted[...], listing, completion: completion)
        }.start()
    }
}

extension Upstream {
    /// Asks for one model after the other.
    fileprivate func lookUp(
        _ names: ArraySlice<String>, _ found: ModelListing, completion: @escaping (ModelListing) -> Void
    ) {
        guard let name = names.first else { return completion(found) }
        let head = self.head(
            .get, path: path("/models/\(PercentEncoding.segment(name))"), fields: ModelListQuestion.fields(for: kind))
        _ = send(UpstreamRequest(head, body: nil, operationID: "retrieveModel")) { [self] result in
            var found = found
            switch result {
            case .success(let response):
                if case .stream(let source)? = response.body { source.cancel() }
                switch response.head.status {
                case 200: break
                case 404: found.missing.append(name)
                case let status: found.untold.append((name, .status(status)))
                }
            case .failure(let error): found.untold.append((name, .transport(error)))
            }
            lookUp(names.dropFirst(), found, completion: completion)
        }
    }
}

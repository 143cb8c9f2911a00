internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// The models of an upstream, as a configuration check sees them.
package struct ModelListing: Sendable {
    package let names: Result<[String], ModelListFailure>
    /// Wanted names that the upstream does not know.
    package var missing: [String] = []
    /// Wanted names that could not be checked, each with the reason.
    package var untold: [(name: String, reason: ModelListFailure)] = []

    /// Returns the maximum time to look for `count` names: the sum of all deadlines.
    package static func longest(for count: Int) -> Duration {
        let timeouts = ModelListQuestion.timeouts
        let page = timeouts.connect + timeouts.firstByte + timeouts.silence
        return ModelListQuestion.longest + page * (1 + count)
    }
}

extension UpstreamDefinition {
    /// Queries the upstream for its list of models, then for each wanted model that is not in the list. Some upstreams
    /// know more names than they list.
    ///
    /// - Parameters:
    ///   - wanted: the upstream's names of the models to look for.
    ///   - now: returns nanoseconds since 1970.
    ///   - completion: called once, on the calling event loop.
    package func look(
        for wanted: [String], now: @escaping () -> Int64, completion: @escaping (ModelListing) -> Void
    ) {
        let upstream = Upstream(self, timeouts: ModelListQuestion.timeouts, relaysRateLimits: false)
        ModelListQuestion(upstream, now: now) { result in
            let listing = ModelListing(names: result.map { $0.map(\.name) })
            guard let models = try? result.get() else { return completion(listing) }
            let listed = Set(models.map { Array($0.name.utf8) })
            let unlisted = wanted.filter { name in
                // Ollama's names have a tag, which can be omitted.
                ![name, name + ":latest"].contains { listed.contains(Array($0.utf8)) }
            }
            upstream.lookUp(unlisted[...], listing, completion: completion)
        }.start()
    }
}

extension Upstream {
    /// Queries the models one after the other.
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

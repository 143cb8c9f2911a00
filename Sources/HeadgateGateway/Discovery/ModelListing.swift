internal import HTTPTypes
internal import HeadgateHTTP

/// What somebody who checks an upstream learns of its models.
package struct ModelListing: Sendable {
    package let names: Result<[String], ModelListFailure>
    /// Of the names that were looked for, those that the upstream does not know.
    package let missing: [String]
}

extension UpstreamDefinition {
    /// Asks the upstream for its models, and for those of the wanted that are not among them: some know more names than they list.
    ///
    /// - Parameter completion: called once, on the loop that this is called on.
    package func look(for wanted: [String], completion: @escaping (ModelListing) -> Void) {
        let upstream = Upstream(self, timeouts: ModelListQuestion.timeouts, relaysRateLimits: false)
        ModelListQuestion(upstream) { result in
            guard let names = try? result.get() else { return completion(ModelListing(names: result, missing: [])) }
            let listed = Set(names.map { Array($0.utf8) })
            let unlisted = wanted.filter { name in
                // Ollama's names have a tag, which may be left out.
                ![name, name + ":latest"].contains { listed.contains(Array($0.utf8)) }
            }
            upstream.findUnknown(unlisted[...], []) { completion(ModelListing(names: result, missing: $0)) }
        }.start()
    }
}

extension Upstream {
    /// Asks for one model after the other.
    fileprivate func findUnknown(
        _ names: ArraySlice<String>, _ unknown: [String], completion: @escaping ([String]) -> Void
    ) {
        guard let name = names.first else { return completion(unknown) }
        let head = self.head(
            .get, path: path("/models/\(PathSegment.encode(name))"), fields: ModelListQuestion.fields(for: kind))
        _ = send("retrieveModel", head, body: nil) { [self] result in
            var isKnown = false
            if case .success(let answer) = result {
                isKnown = answer.head.status == 200
                if case .stream(let source)? = answer.body { source.cancel() }
            }
            findUnknown(names.dropFirst(), isKnown ? unknown : unknown + [name], completion: completion)
        }
    }
}

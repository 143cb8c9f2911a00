internal import HTTPTypes
package import HeadgateContract
package import HeadgateHTTP
internal import HeadgatePrimitives

/// Handler of `/upstream/{name}/{path}`: sends any request to an upstream with its key, and relays the response as it
/// is. Exists only if an upstream has `passthrough: true`.
package struct PassthroughHandler: Sendable {
    package static let operationID = "passThrough"
    static let prefix = "/upstream/"

    /// Upstream that requests are passed through to.
    struct Place: Sendable {
        /// The upstream once for each of its keys.
        let variants: [Upstream]
        let keys: KeyRing
        let definition: UpstreamDefinition

        /// Returns the upstream with the key whose turn it is.
        ///
        /// - Parameter now: monotonic nanoseconds.
        func upstream(at now: UInt64) -> Upstream {
            switch keys.choose(for: "", at: now) {
            case .key(let index), .resting(let index, _, _): variants[index]
            case .exhausted: variants[0]
            }
        }
    }

    private let places: [Place]

    /// - Returns: nil if no upstream has `passthrough: true`.
    package init?(_ snapshot: RelaySnapshot) {
        places = zip(snapshot.variants, snapshot.definitions).filter { $1.passesThrough }.map { variants, definition in
            Place(
                variants: variants, keys: snapshot.targets.keyRing(definition.credentials, of: definition.name),
                definition: definition)
        }
        if places.isEmpty { return nil }
    }

    /// Methods that are passed through; HEAD is a GET. TRACE would return the upstream's key.
    private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

    /// Operations of the handler, which the contract describes as one path without methods.
    package static let operations = methods.map { method in
        OperationDescription(operationID, method, prefix + "{path}", .key, body: OperationDescription.RequestBody.none)
    }

    package func handle(
        _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        do throws(GatewayError) {
            let target = try PassthroughTarget(request.path)
            let place = try place(named: target.upstream, for: metadata.caller)
            if case .fixed(let length) = metadata.bodyLength, length > PassthroughUpload.limit {
                throw .syntax(.bodyTooLarge(limit: PassthroughUpload.limit))
            }
            metadata.bodyLimit = PassthroughUpload.limit
            PassthroughCall(request, body, at: place, metadata, completion: completion).start(target)
        } catch {
            completion(.failure(error))
        }
    }

    private func place(named name: String, for caller: ClientKey) throws(GatewayError) -> Place {
        guard caller.passesThrough(to: name) else { throw .passthroughNotForThisKey(name) }
        guard !caller.hasBudget else { throw .passthroughBudget }
        guard let place = places.first(where: { $0.definition.name.isExactly(name) }) else {
            throw .unknownPassthrough(name)
        }
        return place
    }
}

extension GatewayError {
    fileprivate static func passthroughNotForThisKey(_ name: String) -> GatewayError {
        .invalidRequest(
            403,
            "This key may not reach the whole API of '\(ShownName.text(name))': that needs 'admin: true' or "
                + "'passthrough: [\(ShownName.text(name))]' at the key.",
            code: "passthrough_not_allowed", cause: .notAllowed)
    }

    fileprivate static let passthroughBudget = GatewayError.invalidRequest(
        403,
        "This key has a budget, and requests below /upstream/ are not priced. Use a key without a budget, or a route "
            + "of the gateway.",
        code: "passthrough_not_allowed", cause: .notAllowed)

    fileprivate static func unknownPassthrough(_ name: String) -> GatewayError {
        .invalidRequest(
            404,
            "No upstream '\(ShownName.text(name))' has 'passthrough: true'. Its owner can add it in the configuration.",
            code: "unknown_upstream", cause: .unknownRoute)
    }
}

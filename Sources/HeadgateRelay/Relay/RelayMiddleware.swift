package import HeadgateHTTP

/// Single concern around every relayed request. Middleware can respond itself, wait, retry, or change the body of the
/// response (``BodyStage``).
package protocol RelayMiddleware: Sendable {
    /// Handles a request.
    ///
    /// - Parameters:
    ///   - next: the rest of the chain. It may be called again after it has completed. If it is never called, nothing
    ///     is sent.
    ///   - completion: called once, on the same loop, possibly before this method returns. A failure is a
    ///     ``GatewayError``, or a ``TransportError`` if the request was cancelled.
    /// - Returns: a handle that cancels the request; nil if it is already over.
    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)?
}

/// Middleware that replaces the envelope. The new envelope depends on the request alone, so explanations can show it.
package protocol EnvelopeRewriting: RelayMiddleware {
    func meaning(of envelope: RequestEnvelope, for caller: ClientKey) throws(GatewayError) -> RequestEnvelope
}

/// Request that is about to be relayed.
package struct RelayRequest {
    package let head: RequestHead
    package let metadata: ServerRequestMetadata
    package let envelope: RequestEnvelope
    /// Memory allowance of the request's body until no attempt needs it.
    package let allowance: BodyAllowance?
    /// Optional parts, which few requests have.
    package var companion: RelayCompanion?

    package init(
        head: RequestHead, metadata: ServerRequestMetadata, envelope: RequestEnvelope, allowance: BodyAllowance?,
        companion: RelayCompanion? = nil
    ) {
        self.head = head
        self.metadata = metadata
        self.envelope = envelope
        self.allowance = allowance
        self.companion = companion
    }

    /// Body of a multipart form; nil for other bodies. With a form, the envelope has only the model, and the request
    /// allows one attempt.
    package var upload: FormUpload? { companion?.upload }
}

/// Optional parts of a request.
package final class RelayCompanion {
    let upload: FormUpload?
    let turn: LocalTurn?

    package init(upload: FormUpload? = nil, turn: LocalTurn? = nil) {
        self.upload = upload
        self.turn = turn
    }
}

/// Rest of the middleware chain of a relayed request, which ends at the model's targets.
package struct RelayNext: Sendable {
    @usableFromInline let handler: RelayHandler
    @usableFromInline let index: Int

    @inlinable package init(_ handler: RelayHandler, at index: Int = 0) {
        self.handler = handler
        self.index = index
    }

    package var operation: RelayOperation { handler.operation }
    /// Token use of the operation's requests.
    package var tokenUse: TokenUse { handler.tokenUse }
    /// Current time in nanoseconds since 1970.
    package var realtime: Int64 { handler.realtime() }
    /// Whether responses have the gateway's own header fields, which report how it handled their requests.
    package var hasResponseFields: Bool { handler.hasResponseFields }

    /// Returns a memory allowance for additions to the body of a request that has no allowance.
    package func allowance() -> BodyAllowance { handler.bodies.allowance() }

    /// Returns the route of the request; nil if the gateway would refuse it.
    package func route(of request: RelayRequest) -> ModelRoute? {
        try? handler.route(of: request.envelope.model, for: request.metadata.caller)
    }

    /// Returns the selection of a route's targets by the request's own content.
    package func selection(of request: RelayRequest, on route: ModelRoute) -> TargetSelection {
        handler.selection(
            of: request.envelope, request.head.fields, caller: request.metadata.caller.name,
            group: request.metadata.caller.group, on: route)
    }

    /// Checks that the caller can use a model.
    ///
    /// - Throws: the error that a request for the model would get.
    package func check(_ model: String, for caller: ClientKey) throws(GatewayError) {
        _ = try handler.route(of: model, for: caller)
    }

    @inlinable package func callAsFunction(
        _ request: RelayRequest, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        guard index < handler.middlewares.count else {
            return handler.send(request, completion: completion)
        }
        return handler.middlewares[index].intercept(
            request, next: RelayNext(handler, at: index + 1), completion: completion)
    }
}

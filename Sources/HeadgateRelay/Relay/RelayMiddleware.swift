package import HeadgateHTTP

/// One concern around every relayed request. It may respond by itself, wait, try again or change the response's body
/// (``BodyStage``).
package protocol RelayMiddleware: Sendable {
    /// - Parameters:
    ///   - next: the rest of the chain. May be called again after it has completed; not called, nothing is sent.
    ///   - completion: called once, on the same loop, perhaps before this returns. A failure is a ``GatewayError``, or
    ///     a ``TransportError`` when the request was cancelled.
    /// - Returns: what cancels the request; nil when it is over already.
    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)?
}

/// Middleware that passes on another envelope, which follows from the request alone: explanations show that one.
package protocol EnvelopeRewriting: RelayMiddleware {
    func meaning(of envelope: RequestEnvelope, for caller: ClientKey) throws(GatewayError) -> RequestEnvelope
}

/// A request that is about to be relayed.
package struct RelayRequest {
    package let head: RequestHead
    package let metadata: ServerRequestMetadata
    package let envelope: RequestEnvelope
    /// Covers the request's body until no attempt needs it any more.
    package let allowance: BodyAllowance?
    /// What few requests have.
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

    /// The body, where it is a form; then the envelope holds its model alone, and one attempt can be made with it.
    package var upload: FormUpload? { companion?.upload }
}

/// What goes along with a request besides what all have.
package final class RelayCompanion {
    let upload: FormUpload?
    let turn: LocalTurn?

    package init(upload: FormUpload? = nil, turn: LocalTurn? = nil) {
        self.upload = upload
        self.turn = turn
    }
}

/// The rest of the chain of a relayed request, which ends at the model's targets.
package struct RelayNext: Sendable {
    private let handler: RelayHandler
    private let index: Int

    package init(_ handler: RelayHandler, at index: Int = 0) {
        self.handler = handler
        self.index = index
    }

    /// The operation.
    package var operation: RelayOperation { handler.operation }
    /// Of the operation's requests.
    package var tokenUse: TokenUse { handler.tokenUse }
    /// Nanoseconds since 1970.
    package var realtime: Int64 { handler.realtime() }
    /// Whether responses say what became of their requests.
    package var hasResponseFields: Bool { handler.hasResponseFields }

    /// For what is added to the body of a request that had none to cover it.
    package func allowance() -> BodyAllowance { handler.bodies.allowance() }

    /// Where the request would go; nil where it would be refused.
    package func route(of request: RelayRequest) -> ModelRoute? {
        try? handler.route(of: request.envelope.model, for: request.metadata.caller)
    }

    /// - Throws: what a request for a model that the caller cannot have is refused with.
    package func check(_ model: String, for caller: ClientKey) throws(GatewayError) {
        _ = try handler.route(of: model, for: caller)
    }

    package func callAsFunction(
        _ request: RelayRequest, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        guard index < handler.middlewares.count else {
            return handler.send(request, completion: completion)
        }
        return handler.middlewares[index].intercept(
            request, next: RelayNext(handler, at: index + 1), completion: completion)
    }
}

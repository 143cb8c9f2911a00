internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Decides what becomes of an answer whose client leaves, for the models whose answers do not just end.
struct DepartureMiddleware: RelayMiddleware {
    private let state: GatewayState

    init(_ state: GatewayState) { self.state = state }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        switch next.route(of: request)?.onDisconnect {
        case .cancel?, nil: next(request, completion: completion)
        case .drain?:
            DrainedRequest(request.metadata, completion: completion).start(request, next, state.departures)
        }
    }
}

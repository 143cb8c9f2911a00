internal import HeadgateHTTP

extension GatewayError {
    /// Converts an error that the chain has thrown to one that can be sent.
    package init(_ error: any Error) {
        switch error {
        case let error as GatewayError: self = error
        case let violation as HTTPSyntaxError: self = .syntax(violation)
        case is BodyMemory.Exhausted: self = .bodyMemory
        default:
            let isGivenUp = (error as? TransportError)?.kind == .cancelled
            self.init(
                500, type: "server_error", code: "internal_error", message: "The gateway failed. Its log says more.",
                cause: isGivenUp ? .cancelled : .gatewayFailed, detail: String(describing: Swift.type(of: error)))
        }
    }
}

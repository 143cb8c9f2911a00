package import HTTPTypes
package import HeadgateContract
package import HeadgateHTTP

/// Answers the requests of one operation.
package typealias OperationHandler =
    @Sendable (HTTPRequest, HTTPBody?, ServerRequestMetadata) async throws -> (HTTPResponse, HTTPBody?)

/// Where the handlers of an ``APIProtocol`` go: what stands behind it finds the handler of a request and runs it.
package protocol ServerTransport {
    /// Called once for each path of an operation.
    ///
    /// - Parameter path: a template such as `/v1/models/{model}`.
    /// - Parameter operation: what the contract says about it; middleware is chosen by it.
    func register(
        _ handler: @escaping OperationHandler, method: HTTPRequest.Method, path: String, operation: OperationDescription
    ) throws
}

extension ServerTransport {
    /// Registers one handler on every path of its operation.
    func register(_ operation: OperationDescription, _ handler: @escaping OperationHandler) throws {
        for path in operation.paths {
            try register(handler, method: operation.method, path: path, operation: operation)
        }
    }
}

/// The request that an operation answers, as the server received it.
package struct ServerExchange {
    package let request: HTTPRequest
    package let metadata: ServerRequestMetadata

    package init(request: HTTPRequest, metadata: ServerRequestMetadata) {
        self.request = request
        self.metadata = metadata
    }
}

internal import HTTPTypes
internal import HeadgateContract

extension OutgoingRequest {
    init(_ operation: OperationDescription) {
        self.init(
            APIOperation(
                id: operation.id, method: operation.method, path: operation.paths.first ?? "/",
                responseContentTypes: operation.responseContentTypes))
    }
}

extension ServerTransport {
    /// Registers a handler for every path of an operation.
    func register(_ operation: OperationDescription, _ handler: @escaping OperationHandler) throws {
        for path in operation.paths {
            try register(handler, method: operation.method, path: path, operationID: operation.id)
        }
    }
}

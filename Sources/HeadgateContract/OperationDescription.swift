package import HTTPTypes

/// Description of one operation in the contract, besides the shapes of its messages.
package struct OperationDescription: Sendable {
    package enum Authentication: Sendable {
        case none
        /// A gateway key, wherever the gateway has keys at all.
        case key
    }

    package enum RequestBody: Sendable {
        case none
        case json
        /// `multipart/form-data`.
        case form
    }

    package let id: String
    package let method: HTTPRequest.Method
    /// Whole path templates, one for each server of the operation, in their order.
    package let paths: [String]
    package let authentication: Authentication
    package let requestBody: RequestBody
    /// Dialect of the relayed bodies; nil if the gateway itself handles the operation.
    package let relay: RelayDialect?
    /// The media types of its successful responses as in the document, including ranges such as `audio/*`.
    package let responseContentTypes: [String]
}

extension OperationDescription {
    /// An operation that the contract does not have: one of the gateway's own, with JSON in both directions.
    package init(
        _ id: String, _ method: HTTPRequest.Method, _ path: String, _ authentication: Authentication,
        body: RequestBody? = nil
    ) {
        self.init(
            id: id, method: method, paths: [path], authentication: authentication,
            requestBody: body ?? (method == .post ? .json : .none), relay: nil,
            responseContentTypes: ["application/json"])
    }
}

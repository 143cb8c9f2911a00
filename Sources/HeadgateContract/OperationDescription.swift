package import HTTPTypes

/// The description of one operation in the contract, without the schemas of its messages.
package struct OperationDescription: Sendable {
    package enum Authentication: Sendable {
        case none
        /// A gateway key, if the gateway has keys.
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
    /// The complete path templates, one for each server of the operation, in their order.
    package let paths: [String]
    package let authentication: Authentication
    package let requestBody: RequestBody
    /// The dialect of the relayed bodies; nil if the gateway itself handles the operation.
    package let relay: RelayDialect?
    /// The media types of its successful responses as in the document, including ranges such as `audio/*`.
    package let responseContentTypes: [String]
}

extension OperationDescription {
    /// Creates an operation of the gateway that is not in the contract, with JSON in both directions.
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

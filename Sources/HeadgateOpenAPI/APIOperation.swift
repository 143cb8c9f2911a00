/// Description of an operation in a document, without the types of its messages.
public struct APIOperation: Sendable {
    /// The `operationId` of the operation.
    public let id: String
    public let method: HTTPRequest.Method
    /// Path template such as `/users/{id}`, without the path of a server.
    public let path: String
    /// Media types of successful responses as written in the document, including ranges such as `audio/*`.
    public let responseContentTypes: [String]

    public init(id: String, method: HTTPRequest.Method, path: String, responseContentTypes: [String]) {
        self.id = id
        self.method = method
        self.path = path
        self.responseContentTypes = responseContentTypes
    }
}

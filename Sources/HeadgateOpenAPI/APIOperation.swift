/// Description of one operation in a document, besides the shapes of its messages.
public struct APIOperation: Sendable {
    /// Its `operationId`.
    public let id: String
    public let method: HTTPRequest.Method
    /// A template such as `/users/{id}`, without the path of a server.
    public let path: String
    /// The media types of its successful responses as in the document, including ranges such as `audio/*`.
    public let responseContentTypes: [String]

    public init(id: String, method: HTTPRequest.Method, path: String, responseContentTypes: [String]) {
        self.id = id
        self.method = method
        self.path = path
        self.responseContentTypes = responseContentTypes
    }
}

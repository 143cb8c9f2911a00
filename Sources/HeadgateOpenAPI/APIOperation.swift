/// What a document says about one operation, besides the shapes of its messages.
public struct APIOperation: Sendable {
    /// Its `operationId`.
    public let id: String
    public let method: HTTPRequest.Method
    /// A template such as `/users/{id}`, without the path of a server.
    public let path: String
    /// The media types of its successful responses, as they are written in the document; `audio/*` stands for many.
    public let responseContentTypes: [String]

    public init(id: String, method: HTTPRequest.Method, path: String, responseContentTypes: [String]) {
        self.id = id
        self.method = method
        self.path = path
        self.responseContentTypes = responseContentTypes
    }
}

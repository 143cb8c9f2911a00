/// A response that the document does not describe, with any headers and body. Relayed responses are of this type.
public struct UndocumentedPayload {
    public var headerFields: HTTPFields
    public var body: HTTPBody?

    public init(headerFields: HTTPFields = [:], body: HTTPBody? = nil) {
        self.headerFields = headerFields
        self.body = body
    }
}

extension UndocumentedPayload {
    public func encoded(status: Int) -> RawResponse {
        (HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: headerFields), body)
    }

    public init(decoding response: IncomingResponse) {
        self.init(headerFields: response.response.headerFields, body: response.body)
    }
}

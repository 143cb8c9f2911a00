/// An answer that the document does not spell out: any fields, any body. What a relay answers with.
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

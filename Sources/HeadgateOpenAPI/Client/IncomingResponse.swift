/// A response on the client's side. Generated outputs read its parts.
public struct IncomingResponse {
    /// Maximum bytes of a body that is decoded. Bodies that are passed on as bytes have no limit here.
    private static let decodingLimit = 16 << 20

    let response: HTTPResponse
    let body: HTTPBody?

    public var status: Int { response.status.code }
    /// Media type without parameters, in lower case; empty if there is none.
    public let mediaType: String

    init(_ response: HTTPResponse, _ body: HTTPBody?) {
        self.response = response
        self.body = body
        let value = response.headerFields.first(.contentType) ?? ""
        mediaType = value.prefix { $0 != ";" && $0 != " " }.lowercased()
    }

    /// Returns a header; nil also if its value violates the document, because the response is still useful.
    public func header<Value: ParameterValue>(_ name: HTTPField.Name) -> Value? {
        response.headerFields.first(name).flatMap(Value.init(parameterText:))
    }

    /// Decodes the body.
    ///
    /// - Throws: ``UnexpectedResponse`` if there is no body, or an error of decoding.
    public func json<Value: Decodable>() async throws -> Value {
        try JSONBody.decode(await bytes().collect(upTo: IncomingResponse.decodingLimit))
    }

    /// Returns the parts of a multipart form, as they arrive.
    public func multipartForm<Part>() throws -> MultipartBody<Part> {
        let type = response.headerFields.first(.contentType) ?? ""
        guard let boundary = MultipartBoundary(contentType: type) else { throw unexpectedContentType }
        return MultipartBody(MultipartSource(try bytes(), boundary, isRequest: false))
    }

    public func bytes() throws -> HTTPBody {
        guard let body else { throw UnexpectedResponse.missingBody(status: status) }
        return body
    }

    public var unexpectedContentType: UnexpectedResponse { .contentType(mediaType, status: status) }
}

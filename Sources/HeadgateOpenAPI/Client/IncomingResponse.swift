/// A response on the client's side, read piece by piece by the generated outputs.
public struct IncomingResponse {
    /// Bytes of a body that is decoded; what is handed on as bytes has no bound here.
    private static let decodingLimit = 16 << 20

    let response: HTTPResponse
    let body: HTTPBody?

    public var status: Int { response.status.code }
    /// The type without parameters, in lower case.
    public let mediaType: String

    init(_ response: HTTPResponse, _ body: HTTPBody?) {
        self.response = response
        self.body = body
        let value = response.headerFields.first(.contentType) ?? ""
        mediaType = value.prefix { $0 != ";" && $0 != " " }.lowercased()
    }

    /// Nil also for a value that is not what the document says: a response is not worth less for it.
    public func header<Value: ParameterValue>(_ name: HTTPField.Name) -> Value? {
        response.headerFields.first(name).flatMap(Value.init(parameterText:))
    }

    /// - Throws: ``UnexpectedResponse`` without a body, and what decoding throws.
    public func json<Value: Decodable>() async throws -> Value {
        try JSONBody.decode(await bytes().collect(upTo: IncomingResponse.decodingLimit))
    }

    /// The parts of a multipart form, as they arrive.
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

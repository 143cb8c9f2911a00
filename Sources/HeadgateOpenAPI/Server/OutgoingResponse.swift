/// Response of a server's handler.
public typealias RawResponse = (HTTPResponse, HTTPBody?)

/// A response on the server's side. Generated outputs write its parts.
public struct OutgoingResponse {
    /// Headers that most responses share.
    private static let jsonFields: HTTPFields = [.contentType: "application/json"]

    private var response: HTTPResponse

    public init(status: Int) { response = HTTPResponse(status: HTTPResponse.Status(code: status)) }

    public mutating func set(_ name: HTTPField.Name, _ value: (some ParameterValue)?) {
        guard let value else { return }
        response.headerFields[name] = value.parameterText
    }

    public consuming func json(_ value: some JSONWritable) throws -> RawResponse {
        let body = HTTPBody.bytes(try JSONBody.write(value))
        guard response.headerFields.isEmpty else { return bytes(body, contentType: "application/json") }
        response.headerFields = OutgoingResponse.jsonFields
        return (response, body)
    }

    /// Returns JSON with another media type.
    public consuming func json(_ value: some JSONWritable, contentType: String) throws -> RawResponse {
        bytes(.bytes(try JSONBody.write(value)), contentType: contentType)
    }

    public consuming func bytes(_ body: HTTPBody, contentType: String) -> RawResponse {
        response.headerFields[.contentType] = contentType
        return (response, body)
    }

    /// Returns a multipart form with a random boundary.
    ///
    /// - Throws: ``MultipartFormError`` if the form violates the document, or an error of encoding.
    public consuming func multipartForm(_ form: MultipartBody<some MultipartFormPart>) throws -> RawResponse {
        let boundary = MultipartFormBoundary.random()
        return bytes(try form.encoded(boundary), contentType: "multipart/form-data; boundary=\(boundary)")
    }

    public consuming func empty() -> RawResponse { (response, nil) }
}

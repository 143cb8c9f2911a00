internal import HeadgatePrimitives

/// A request on the client's side. Generated inputs write its parts.
public struct OutgoingRequest {
    private(set) var request: HTTPRequest
    private(set) var body: HTTPBody?

    public init(_ operation: APIOperation) {
        // Error responses are JSON, regardless of other media types.
        let types = operation.responseContentTypes.filter { $0 != "application/json" } + ["application/json"]
        request = HTTPRequest(
            method: operation.method, scheme: nil, authority: nil, path: operation.path,
            headerFields: [.accept: types.joined(separator: ", ")])
    }

    /// Replaces a parameter of the path template with its value.
    public mutating func path(_ name: String, _ value: some ParameterValue) {
        fill(name, PercentEncoding.encode(value.parameterText))
    }

    private mutating func fill(_ name: String, _ encoded: String) {
        request.path = request.path?.replacing("{\(name)}", with: encoded)
    }

    public mutating func query(_ name: String, _ value: (some ParameterValue)?) {
        guard let value else { return }
        append(name, PercentEncoding.encode(value.parameterText))
    }

    private mutating func append(_ name: String, _ encoded: String) {
        let path = request.path ?? "/"
        let separator = path.utf8.contains(0x3F) ? "&" : "?"
        request.path = path + separator + PercentEncoding.encode(name) + "=" + encoded
    }

    /// Appends one query item for each value.
    public mutating func queryList(_ name: String, _ values: [some ParameterValue]?) {
        for value in values ?? [] { query(name, value) }
    }

    /// Replaces a parameter of the path template with several values.
    ///
    /// - Throws: An error of encoding, like all methods with a style.
    public mutating func path(_ name: String, _ value: some JSONWritable, _ style: ParameterStyle) throws {
        fill(name, try style.text(value, in: .path, named: name) ?? "")
    }

    public mutating func query(_ name: String, _ value: (some JSONWritable)?, _ style: ParameterStyle) throws {
        guard let value else { return }
        for (name, text) in try style.items(name, value) { append(name, text) }
    }

    public mutating func header(
        _ name: HTTPField.Name, _ value: (some JSONWritable)?, _ style: ParameterStyle
    ) throws {
        guard let value else { return }
        header(name, try style.text(value, in: .header))
    }

    public mutating func cookie(_ name: String, _ value: (some ParameterValue)?) {
        guard let value else { return }
        addCookie(name, PercentEncoding.encode(value.parameterText))
    }

    private mutating func addCookie(_ name: String, _ encoded: String) {
        let pair = "\(name)=\(encoded)"
        request.headerFields[.cookie] = request.headerFields[.cookie].map { "\($0); \(pair)" } ?? pair
    }

    public mutating func cookie(_ name: String, _ value: (some JSONWritable)?, _ style: ParameterStyle) throws {
        guard let value, let text = try style.text(value, in: .cookie) else { return }
        addCookie(name, text)
    }

    public mutating func header(_ name: HTTPField.Name, _ value: (some ParameterValue)?) {
        guard let value else { return }
        request.headerFields[name] = value.parameterText
    }

    public mutating func accept(_ types: AcceptedTypes<some AcceptableProtocol>) {
        guard let text = types.text else { return }
        request.headerFields[.accept] = text.isEmpty ? nil : text
    }

    public mutating func json(_ body: HTTPBody) { bytes(body, contentType: "application/json") }

    /// - Throws: An error of encoding.
    public mutating func encodedJSON(_ value: some JSONWritable) throws { json(.bytes(try JSONBody.write(value))) }

    /// Sets a JSON body with another media type.
    ///
    /// - Throws: An error of encoding.
    public mutating func encodedJSON(_ value: some JSONWritable, contentType: String) throws {
        bytes(.bytes(try JSONBody.write(value)), contentType: contentType)
    }

    /// Sets a URL-encoded form as the body.
    ///
    /// - Parameter nested: Members whose elements are written as `name[0]`.
    /// - Throws: An error of encoding.
    public mutating func urlEncodedForm(_ value: some JSONWritable, nested: Set<String> = []) throws {
        bytes(.bytes(try URLEncodedForm.write(value, nested: nested)), contentType: URLEncodedForm.mediaType)
    }

    public mutating func bytes(_ body: HTTPBody, contentType: String) {
        request.headerFields[.contentType] = contentType
        self.body = body
    }

    public mutating func form(_ body: HTTPBody, boundary: String) {
        bytes(body, contentType: "multipart/form-data; boundary=\"\(boundary)\"")
    }

    /// Sets a multipart form with a random boundary.
    ///
    /// - Throws: ``MultipartFormError`` if the form violates the document, or an error of encoding.
    public mutating func multipartForm(_ form: MultipartBody<some MultipartFormPart>) throws {
        let boundary = MultipartFormBoundary.random()
        bytes(try form.encoded(boundary), contentType: "multipart/form-data; boundary=\(boundary)")
    }

    /// Sets the address of the server.
    mutating func address(to serverURL: BaseURL) {
        request.authority = serverURL.authority
        request.path = serverURL.pathPrefix + (request.path ?? "/")
    }
}

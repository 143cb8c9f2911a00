internal import HeadgatePrimitives

/// A request on the server's side. Generated inputs read its parts.
public struct IncomingRequest {
    /// Maximum bytes of a body that is decoded. Bodies that are passed on as bytes have no limit here.
    private static let decodingLimit = 16 << 20

    package let exchange: ServerExchange
    private let content: HTTPBody?

    public init(_ request: HTTPRequest, _ body: HTTPBody?, _ metadata: ServerRequestMetadata) {
        exchange = ServerExchange(request: request, metadata: metadata)
        content = body
    }

    // MARK: Body

    /// Returns the body.
    ///
    /// - Throws: ``RequestViolation``, like all methods of this type.
    public func body() throws -> HTTPBody {
        guard let content else { throw RequestViolation.missingBody }
        return content
    }

    /// Returns the body; nil if there is none.
    public func optionalBody() -> HTTPBody? { content }

    /// Returns the decoded body.
    public func json<Value: Decodable>() async throws -> Value {
        guard let value: Value = try await optionalJSON() else { throw RequestViolation.missingBody }
        return value
    }

    /// Returns the decoded body; nil if there is none.
    public func optionalJSON<Value: Decodable>() async throws -> Value? {
        guard let content else { return nil }
        try expect("application/json")
        let bytes = try await content.collect(upTo: IncomingRequest.decodingLimit)
        do { return try JSONBody.decode(bytes) as Value } catch { throw RequestViolation.invalidBody("\(error)") }
    }

    /// Media type without parameters, in lower case; empty if there is none.
    public var mediaType: String {
        exchange.request.headerFields.first(.contentType)?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
    }

    /// Returns the decoded body, regardless of its media type.
    public func anyJSON<Value: Decodable>() async throws -> Value {
        try await decoded { try JSONBody.decode($0) }
    }

    /// Returns the decoded body of a URL-encoded form.
    public func urlEncodedForm<Value: Decodable>() async throws -> Value {
        try await decoded { try URLEncodedForm.read($0) }
    }

    private func decoded<Value>(_ decode: ([UInt8]) throws -> Value) async throws -> Value {
        let bytes = try await body().collect(upTo: IncomingRequest.decodingLimit)
        do { return try decode(bytes) } catch { throw RequestViolation.invalidBody("\(error)") }
    }

    /// Checks the media type of the body.
    ///
    /// - Throws: ``RequestViolation`` if it is another one.
    public func expect(_ mediaType: String) throws {
        let type = exchange.request.headerFields.first(.contentType)?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == mediaType else { throw RequestViolation.contentType(expected: mediaType) }
    }

    /// Returns the parts of a multipart form, as they arrive.
    public func multipartForm<Part>() throws -> MultipartBody<Part> {
        MultipartBody(MultipartSource(try body(), try formBoundary(), isRequest: true))
    }

    /// Returns the boundary of a multipart form.
    public func boundary() throws -> String { try formBoundary().text }

    private func formBoundary() throws -> MultipartBoundary {
        let type = exchange.request.headerFields.first(.contentType)
        guard let boundary = type.flatMap(MultipartBoundary.init(contentType:)) else {
            throw RequestViolation.missingBoundary
        }
        return boundary
    }

    // MARK: Parameters

    /// Returns the percent-decoded value of a path parameter.
    public func path<Value: ParameterValue>(_ name: String) throws -> Value {
        let text = exchange.metadata.pathParameters[name].flatMap(PercentEncoding.decode)
        guard let value = text.flatMap(Value.init(parameterText:)) else {
            throw RequestViolation.invalidParameter(name: name, in: .path, expected: Value.expectation)
        }
        return value
    }

    /// Returns the first value of a query parameter; nil if there is none.
    @inlinable
    public func query<Value: ParameterValue>(_ name: String) throws -> Value? {
        switch queryText(name) {
        case .missing: nil
        case .malformed: throw violation(of: Value.self, name)
        case .text(let text): try value(name, text)
        }
    }

    /// Returns the value of a required parameter.
    @inlinable
    public func requiredQuery<Value: ParameterValue>(_ name: String) throws -> Value {
        switch queryText(name) {
        case .missing: throw RequestViolation.missingParameter(name: name, in: .query)
        case .malformed: throw violation(of: Value.self, name)
        case .text(let text): try value(name, text)
        }
    }

    /// Returns all values of a query parameter; nil if there are none.
    public func queryList<Value: ParameterValue>(_ name: String) throws -> [Value]? {
        var values: [Value] = []
        try RequestQuery.visit(name, of: exchange.request.path ?? "") { octets in
            guard let text = PercentEncoding.decode(octets, plusIsSpace: true) else {
                throw violation(of: Value.self, name)
            }
            values.append(try value(name, text))
            return true
        }
        return values.isEmpty ? nil : values
    }

    /// Returns the value of a required parameter.
    public func requiredQueryList<Value: ParameterValue>(_ name: String) throws -> [Value] {
        guard let values: [Value] = try queryList(name) else {
            throw RequestViolation.missingParameter(name: name, in: .query)
        }
        return values
    }

    public func header<Value: ParameterValue>(_ name: HTTPField.Name) throws -> Value? {
        guard let text = exchange.request.headerFields.first(name) else { return nil }
        guard let value = Value(parameterText: text) else {
            throw RequestViolation.invalidParameter(
                name: name.canonicalName, in: .header, expected: Value.expectation)
        }
        return value
    }

    /// Returns the value of a required parameter.
    public func requiredHeader<Value: ParameterValue>(_ name: HTTPField.Name) throws -> Value {
        guard let value: Value = try header(name) else {
            throw RequestViolation.missingParameter(name: name.canonicalName, in: .header)
        }
        return value
    }

    /// Returns the media types that the client accepts.
    @inlinable public func accepted<ContentType>() -> AcceptedTypes<ContentType> { .received(headerFields) }

    @usableFromInline var headerFields: HTTPFields { exchange.request.headerFields }

    // MARK: Parameters with several values

    public func path<Value: Decodable>(_ name: String, _ style: ParameterStyle) throws -> Value {
        let text = exchange.metadata.pathParameters[name] ?? ""
        return try read(name, .path) { try style.read(text, in: .path, named: name) }
    }

    public func query<Value: Decodable>(_ name: String, _ style: ParameterStyle) throws -> Value? {
        try read(name, .query) { try style.read(name, queryOf: exchange.request.path ?? "") }
    }

    /// Returns the value of a required parameter.
    public func requiredQuery<Value: Decodable>(_ name: String, _ style: ParameterStyle) throws -> Value {
        guard let value: Value = try query(name, style) else {
            throw RequestViolation.missingParameter(name: name, in: .query)
        }
        return value
    }

    public func header<Value: Decodable>(_ name: HTTPField.Name, _ style: ParameterStyle) throws -> Value? {
        try exchange.request.headerFields.first(name).map { text in
            try read(name.canonicalName, .header) { try style.read(text, in: .header) }
        }
    }

    /// Returns the value of a required parameter.
    public func requiredHeader<Value: Decodable>(_ name: HTTPField.Name, _ style: ParameterStyle) throws -> Value {
        guard let value: Value = try header(name, style) else {
            throw RequestViolation.missingParameter(name: name.canonicalName, in: .header)
        }
        return value
    }

    public func cookie<Value: ParameterValue>(_ name: String) throws -> Value? {
        guard let text = cookieText(name) else { return nil }
        guard let value = PercentEncoding.decode(text).flatMap(Value.init(parameterText:)) else {
            throw RequestViolation.invalidParameter(name: name, in: .cookie, expected: Value.expectation)
        }
        return value
    }

    /// Returns the value of a required parameter.
    public func requiredCookie<Value: ParameterValue>(_ name: String) throws -> Value {
        guard let value: Value = try cookie(name) else {
            throw RequestViolation.missingParameter(name: name, in: .cookie)
        }
        return value
    }

    public func cookie<Value: Decodable>(_ name: String, _ style: ParameterStyle) throws -> Value? {
        try cookieText(name).map { text in try read(name, .cookie) { try style.read(text, in: .cookie) } }
    }

    /// Returns the value of a required parameter.
    public func requiredCookie<Value: Decodable>(_ name: String, _ style: ParameterStyle) throws -> Value {
        guard let value: Value = try cookie(name, style) else {
            throw RequestViolation.missingParameter(name: name, in: .cookie)
        }
        return value
    }

    private func cookieText(_ name: String) -> String? {
        let pairs = exchange.request.headerFields[.cookie]?.split(separator: ";").map { $0.drop { $0 == " " } }
        return pairs?.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private func read<Value>(
        _ name: String, _ location: RequestViolation.Location, _ read: () throws -> Value
    ) throws -> Value {
        do { return try read() } catch is DecodingError {
            throw RequestViolation.invalidParameter(name: name, in: location, expected: "what the document says")
        }
    }

    @usableFromInline
    func queryText(_ name: String) -> ParameterText { RequestQuery.first(name, of: exchange.request.path ?? "") }

    @inlinable
    func value<Value: ParameterValue>(_ name: String, _ text: String) throws -> Value {
        guard let value = Value(parameterText: text) else { throw violation(of: Value.self, name) }
        return value
    }

    @usableFromInline
    func violation(of type: (some ParameterValue).Type, _ name: String) -> RequestViolation {
        .invalidParameter(name: name, in: .query, expected: type.expectation)
    }
}

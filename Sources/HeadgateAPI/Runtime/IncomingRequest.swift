internal import HTTPTypes
internal import HeadgateHTTP

/// A request on the server's side, read piece by piece by the generated inputs.
struct IncomingRequest {
    let exchange: ServerExchange
    private let content: HTTPBody?

    init(_ request: HTTPRequest, _ body: HTTPBody?, _ metadata: ServerRequestMetadata) {
        exchange = ServerExchange(request: request, metadata: metadata)
        content = body
    }

    /// - Throws: ``RequestViolation``, as all of these.
    func body() throws -> HTTPBody {
        guard let content else { throw RequestViolation.missingBody }
        return content
    }

    /// Of a body that is a form.
    func boundary() throws -> String {
        let type = exchange.request.headerFields.first(.contentType)
        guard let boundary = type.flatMap(MultipartBoundary.init(contentType:)) else {
            throw RequestViolation.missingBoundary
        }
        return boundary.text
    }

    /// A value of the path, percent-decoded.
    func path(_ name: String) throws -> String {
        guard let text = exchange.metadata.pathParameters[name].flatMap({ PercentEncoding.decode($0[...]) }) else {
            throw RequestViolation.invalidParameter(name: name, in: .path, expected: String.expectation)
        }
        return text
    }

    /// The first value of that name in the query.
    func query<Value: ParameterValue>(_ name: String) throws -> Value? {
        let path = exchange.request.path ?? ""
        guard let question = path.utf8.firstIndex(of: 0x3F) else { return nil }
        for item in path[path.index(after: question)...].split(separator: "&") {
            let key = item.prefix { $0 != "=" }
            guard PercentEncoding.decode(key, plusIsSpace: true) == name else { continue }
            let text = PercentEncoding.decode(item[key.endIndex...].dropFirst(), plusIsSpace: true)
            guard let value = text.flatMap(Value.init(parameterText:)) else {
                throw RequestViolation.invalidParameter(name: name, in: .query, expected: Value.expectation)
            }
            return value
        }
        return nil
    }

    func header<Value: ParameterValue>(_ name: HTTPField.Name) throws -> Value? {
        guard let text = exchange.request.headerFields.first(name) else { return nil }
        guard let value = Value(parameterText: text) else {
            throw RequestViolation.invalidParameter(
                name: name.canonicalName, in: .header, expected: Value.expectation)
        }
        return value
    }
}

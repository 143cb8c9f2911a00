internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateHTTP

/// A request on the client's side, written piece by piece by the generated inputs.
struct OutgoingRequest {
    private(set) var request: HTTPRequest
    private(set) var body: HTTPBody?

    init(_ operation: OperationDescription) {
        // Errors are JSON, whatever the answer is.
        let types = operation.responseContentTypes.filter { $0 != "application/json" } + ["application/json"]
        request = HTTPRequest(
            method: operation.method, scheme: nil, authority: nil, path: operation.paths.first,
            headerFields: [.accept: types.joined(separator: ", ")])
    }

    /// Fills a parameter of the template in.
    mutating func path(_ name: String, _ value: String) {
        request.path = request.path?.replacing("{\(name)}", with: PercentEncoding.encode(value))
    }

    mutating func query(_ name: String, _ value: (some ParameterValue)?) {
        guard let value else { return }
        let path = request.path ?? "/"
        let separator = path.utf8.contains(0x3F) ? "&" : "?"
        request.path =
            path + separator + PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value.parameterText)
    }

    mutating func header(_ name: HTTPField.Name, _ value: (some ParameterValue)?) {
        guard let value else { return }
        request.headerFields[name] = value.parameterText
    }

    mutating func json(_ body: HTTPBody) {
        request.headerFields[.contentType] = "application/json"
        self.body = body
    }

    mutating func form(_ body: HTTPBody, boundary: String) {
        request.headerFields[.contentType] = "multipart/form-data; boundary=\"\(boundary)\""
        self.body = body
    }

    /// Says where the server is.
    mutating func address(to serverURL: BaseURL) {
        request.authority = serverURL.authority
        request.path = serverURL.pathPrefix + (request.path ?? "/")
    }
}

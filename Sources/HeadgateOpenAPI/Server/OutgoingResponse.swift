/// What a server's handler hands back.
public typealias RawResponse = (HTTPResponse, HTTPBody?)

/// A response on the server's side, written piece by piece by the generated outputs.
public struct OutgoingResponse {
    private var response: HTTPResponse

    public init(status: Int) { response = HTTPResponse(status: HTTPResponse.Status(code: status)) }

    public mutating func set(_ name: HTTPField.Name, _ value: (some ParameterValue)?) {
        guard let value else { return }
        response.headerFields[name] = value.parameterText
    }

    public consuming func json(_ value: some Encodable) throws -> RawResponse {
        try bytes(.bytes(JSONBody.encode(value)), contentType: "application/json")
    }

    public consuming func bytes(_ body: HTTPBody, contentType: String) -> RawResponse {
        if response.headerFields.isEmpty {
            // Most have no other field, and so none to look for.
            response.headerFields.append(HTTPField(name: .contentType, value: contentType))
        } else {
            response.headerFields[.contentType] = contentType
        }
        return (response, body)
    }

    public consuming func empty() -> RawResponse { (response, nil) }
}

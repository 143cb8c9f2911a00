package import HTTPTypes
package import HeadgateHTTP

/// What a server's handler hands back.
package typealias RawResponse = (HTTPResponse, HTTPBody?)

/// A response on the server's side, written piece by piece by the generated outputs.
struct OutgoingResponse {
    private var response: HTTPResponse

    init(status: Int) { response = HTTPResponse(status: HTTPResponse.Status(code: status)) }

    mutating func set(_ name: HTTPField.Name, _ value: (some ParameterValue)?) {
        guard let value else { return }
        response.headerFields[name] = value.parameterText
    }

    consuming func json(_ value: some Encodable) throws -> RawResponse {
        try bytes(.bytes(JSONCoding.encode(value)), contentType: "application/json")
    }

    consuming func bytes(_ body: HTTPBody, contentType: String) -> RawResponse {
        response.headerFields[.contentType] = contentType
        return (response, body)
    }

    consuming func empty() -> RawResponse { (response, nil) }
}

// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateHTTP

extension Components.Shared {
    /// The body of several requests.
    public enum MultipartFormRequestBody {
        case multipartForm(HTTPBody, boundary: String)

        func encode(into request: inout OutgoingRequest) {
            switch self {
            case .multipartForm(let body, let boundary): request.form(body, boundary: boundary)
            }
        }
    }
}

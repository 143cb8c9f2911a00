// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateHTTP

extension Components.Shared {
    /// The body of several requests.
    public enum JsonRequestBody {
        case json(HTTPBody)

        func encode(into request: inout OutgoingRequest) {
            switch self {
            case .json(let body): request.json(body)
            }
        }
    }
}

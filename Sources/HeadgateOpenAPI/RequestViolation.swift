/// A request that violates the document.
public enum RequestViolation: Error, Equatable, CustomStringConvertible {
    public enum Location: String, Sendable {
        case path
        case query
        case header
        case cookie
    }

    /// A parameter has an invalid value. `expected` is the name of the type with its article.
    case invalidParameter(name: String, in: Location, expected: String)
    case missingParameter(name: String, in: Location)
    case missingBody
    /// The body violates its schema. The text contains the location.
    case invalidBody(String)
    case contentType(expected: String)
    case missingBoundary

    public var description: String {
        switch self {
        case .invalidParameter(let name, let location, let expected):
            "The \(location.rawValue) parameter '\(name)' is not \(expected)."
        case .missingParameter(let name, let location): "The \(location.rawValue) parameter '\(name)' is missing."
        case .missingBody: "The request has no body."
        case .invalidBody(let detail): "The body of the request is not what it should be: \(detail)"
        case .contentType(let expected): "The body of the request is not \(expected)."
        case .missingBoundary: "The request is no form with a boundary."
        }
    }

    /// Name of the invalid parameter; nil for other violations.
    public var parameter: String? {
        switch self {
        case .invalidParameter(let name, _, _), .missingParameter(let name, _): name
        case .missingBody, .invalidBody, .contentType, .missingBoundary: nil
        }
    }
}

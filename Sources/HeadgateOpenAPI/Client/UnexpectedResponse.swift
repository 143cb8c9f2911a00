/// A response that is not the requested one, or that violates the document.
public enum UnexpectedResponse: Error, Equatable, CustomStringConvertible {
    /// The response has a different status. `expected` is the name of the requested case.
    case status(Int, expected: String)
    /// The body does not have the requested media type.
    case body(expected: String)
    case contentType(String, status: Int)
    case missingBody(status: Int)

    public var description: String {
        switch self {
        case .status(let code, let expected): "The response has status \(code); '\(expected)' was asked for."
        case .body(let expected): "The body of the response is not '\(expected)'."
        case .contentType(let type, let code): "A response with status \(code) has the unknown content type '\(type)'."
        case .missingBody(let code): "A response with status \(code) has no body."
        }
    }
}

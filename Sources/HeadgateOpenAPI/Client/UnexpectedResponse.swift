/// A response is another one than the caller asked for, or differs from the document.
public enum UnexpectedResponse: Error, Equatable, CustomStringConvertible {
    /// `expected` is the name of the case that was asked for.
    case status(Int, expected: String)
    /// The body has another media type than the one that was asked for.
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

/// How a request differs from the contract.
package enum RequestViolation: Error, Equatable, CustomStringConvertible {
    package enum Location: String, Sendable {
        case path
        case query
        case header
    }

    /// `expected` names the type, with its article.
    case invalidParameter(name: String, in: Location, expected: String)
    case missingBody
    case missingBoundary

    package var description: String {
        switch self {
        case .invalidParameter(let name, let location, let expected):
            "The \(location.rawValue) parameter '\(name)' is not \(expected)."
        case .missingBody: "The request has no body."
        case .missingBoundary: "The request is no form with a boundary."
        }
    }

    /// The parameter at fault.
    package var parameter: String? {
        switch self {
        case .invalidParameter(let name, _, _): name
        case .missingBody, .missingBoundary: nil
        }
    }
}

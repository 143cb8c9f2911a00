internal import HTTPTypes
internal import HeadgateHTTP

/// Opens the way for a JSON body: its type and declared length are checked, and only then may it be read.
struct JSONBodyMiddleware: ServerGate {
    /// Octets.
    let limit: Int

    func admit(_ request: HTTPRequest, metadata: ServerRequestMetadata, operationID: String) throws {
        guard JSONBodyMiddleware.isJSON(request.headerFields.first(.contentType)) else {
            throw GatewayError.invalidRequest(415, "The request needs 'Content-Type: application/json'.")
        }
        if let coding = request.headerFields.first(.contentEncoding), coding.lowercased() != "identity" {
            throw GatewayError.invalidRequest(
                415, "A compressed request body is not accepted: send it without Content-Encoding.")
        }
        if case .fixed(let count) = metadata.bodyLength, count > limit {
            throw HTTPSyntaxError.bodyTooLarge(limit: limit)
        }
        metadata.bodyLimit = limit
    }

    /// `application/json`, whatever parameters follow.
    static func isJSON(_ value: String?) -> Bool {
        guard let value else { return false }
        if value == "application/json" { return true }
        let type = value.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        let rest = value[type.endIndex...].drop { $0 == " " || $0 == "\t" }
        return type.lowercased() == "application/json" && (rest.isEmpty || rest.first == ";")
    }
}

/// Names of the document as Swift names, in the idiomatic strategy of Swift OpenAPI Generator.
enum SwiftName {
    /// `owned_by` becomes `ownedBy`.
    static func member(_ text: String) -> String {
        let name = joined(text)
        let lowered = name.prefix(1).lowercased() + name.dropFirst()
        return keywords.contains(lowered) ? "`\(lowered)`" : lowered
    }

    /// The same before the colon of an argument, where few words are reserved.
    static func label(_ text: String) -> String {
        let name = member(text)
        return ["`inout`", "`let`", "`var`"].contains(name) ? name : name.replacing("`", with: "")
    }

    /// `owned_by` becomes `OwnedBy`.
    static func type(_ text: String) -> String {
        let name = joined(text)
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// `application/json` becomes `json`, `audio/*` becomes `audio`.
    static func content(_ mediaType: String) -> String {
        if mediaType.hasSuffix("/*") { return member(String(mediaType.dropLast(2))) }
        return contents[mediaType] ?? member(mediaType)
    }

    static func status(_ status: Operation.Status) -> String {
        switch status {
        case .default: "default"
        case .code(let code): statuses[code] ?? "code\(code)"
        }
    }

    private static func joined(_ text: String) -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
        if name.isEmpty { return "_empty" }
        return name.first.map { !$0.isLetter } ?? true ? "_" + name : name
    }

    private static let contents = [
        "application/json": "json", "application/octet-stream": "binary", "application/yaml": "yaml",
        "multipart/form-data": "multipartForm", "text/plain": "plainText", "text/html": "html", "text/css": "css",
        "text/javascript": "javascript",
        "image/png": "png", "application/vnd.headgate.explanation+json": "explanation",
    ]

    private static let statuses = [
        200: "ok", 201: "created", 202: "accepted", 204: "noContent", 400: "badRequest", 401: "unauthorized",
        410: "gone",
        403: "forbidden", 404: "notFound", 405: "methodNotAllowed", 409: "conflict", 413: "contentTooLarge",
        415: "unsupportedMediaType", 422: "unprocessableContent", 429: "tooManyRequests", 500: "internalServerError",
        502: "badGateway", 503: "serviceUnavailable", 504: "gatewayTimeout",
    ]

    /// Types that generated code uses beside those of schemas.
    static let used: Set = [
        "Bool", "Boxed", "CaseIterable", "Codable", "CodingKey", "Decoder", "Double", "Encoder", "Hashable", "HTTPBody",
        "Int", "JSONText", "JSONWritable", "ParameterValue", "Sendable", "String",
    ]

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat",
        "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias", "var", "where", "while",
    ]
}

/// Names of message parts that do not follow from the document's words alone.
extension SwiftNames {
    /// Returns the name of a media type: `application/json` becomes `json`, `audio/*` becomes `audio`.
    func content(_ mediaType: String) -> String {
        if mediaType == "*/*" { return "any" }
        if mediaType.hasSuffix("/*") { return member(String(mediaType.dropLast(2))) }
        return SwiftNames.contents[mediaType] ?? member(mediaType)
    }

    /// Returns the name of a type that is declared for a content.
    ///
    /// - Parameter name: Name of the content's case.
    func contentPayload(_ name: String) -> String {
        let word = name.replacing("`", with: "")
        return (strategy == .defensive ? word : SwiftNames.capitalized(word)) + "Payload"
    }

    /// Returns the name of an inline response's type.
    func type(of status: Operation.Status) -> String { SwiftNames.capitalized(self.status(status)) }

    /// Returns the name of the response's case.
    func member(of status: Operation.Status) -> String { status == .default ? "`default`" : self.status(status) }

    /// Returns the names of the contents of one body.
    func contents(_ mediaTypes: [String]) -> [String] { unique(mediaTypes, by: content) }

    func status(_ status: Operation.Status) -> String {
        switch status {
        case .default: "default"
        case .range(let hundreds): SwiftNames.ranges[hundreds] ?? "range\(hundreds)XX"
        case .code(let code): SwiftNames.statuses[code] ?? "code\(code)"
        }
    }

    private static let contents = [
        "application/json": "json", "application/octet-stream": "binary", "application/yaml": "yaml",
        "multipart/form-data": "multipartForm", "text/plain": "plainText", "text/html": "html", "text/css": "css",
        "text/javascript": "javascript", "application/xml": "xml", "text/csv": "csv", "application/pdf": "pdf",
        "image/jpeg": "jpeg", "application/x-www-form-urlencoded": "urlEncodedForm",
        "image/png": "png", "application/vnd.headgate.explanation+json": "explanation",
    ]

    private static let ranges = [
        1: "informational", 2: "success", 3: "redirection", 4: "clientError", 5: "serverError",
    ]

    private static let statuses = [
        200: "ok", 201: "created", 202: "accepted", 203: "nonAuthoritativeInformation", 204: "noContent",
        205: "resetContent", 206: "partialContent", 207: "multiStatus", 301: "movedPermanently", 302: "found",
        303: "seeOther", 304: "notModified", 307: "temporaryRedirect", 308: "permanentRedirect", 400: "badRequest",
        401: "unauthorized", 402: "paymentRequired", 403: "forbidden", 404: "notFound", 405: "methodNotAllowed",
        406: "notAcceptable", 407: "proxyAuthenticationRequired", 408: "requestTimeout", 409: "conflict", 410: "gone",
        411: "lengthRequired", 412: "preconditionFailed", 413: "contentTooLarge", 414: "uriTooLong",
        415: "unsupportedMediaType", 416: "rangeNotSatisfiable", 417: "expectationFailed", 421: "misdirectedRequest",
        422: "unprocessableContent", 423: "locked", 424: "failedDependency", 425: "tooEarly", 426: "upgradeRequired",
        428: "preconditionRequired", 429: "tooManyRequests", 431: "requestHeaderFieldsTooLarge",
        451: "unavailableForLegalReasons", 500: "internalServerError", 501: "notImplemented", 502: "badGateway",
        503: "serviceUnavailable", 504: "gatewayTimeout", 505: "httpVersionNotSupported",
    ]
}

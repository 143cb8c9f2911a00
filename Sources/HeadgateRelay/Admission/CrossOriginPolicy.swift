package import HTTPTypes
internal import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgatePrimitives

/// CORS (Fetch standard): headers that a browser requires before it shows a response to a page of another origin.
///
/// Allows neither wildcards nor credentials: the key travels in a header that the page sets itself.
package struct CrossOriginPolicy: Sendable {
    let allowedOrigins: [String]

    package init(allowedOrigins: [String]) {
        self.allowedOrigins = allowedOrigins
    }

    /// Returns the request's origin if it is allowed.
    package func origin(of request: RequestHead) -> String? {
        guard !allowedOrigins.isEmpty, let origin = request.fields.value(of: .origin) else { return nil }
        return allowedOrigins.contains(where: origin.isExactly) ? origin : nil
    }

    /// Adds the headers with which a page of that origin can read the response.
    package static func opened(_ response: ServerResponse, to origin: String) -> ServerResponse {
        var head = response.head.response
        head.headerFields.append(HTTPField(name: .accessControlAllowOrigin, value: origin))
        head.headerFields.append(HTTPField(name: .vary, value: "Origin"))
        head.headerFields.append(HTTPField(name: .accessControlExposeHeaders, value: exposedFields))
        var opened = response
        opened.head = ServerResponseHead(head)
        return opened
    }

    /// Returns whether the request is a preflight.
    package static func isPreflight(_ request: RequestHead) -> Bool {
        request.method == .options && request.fields.value(named: .accessControlRequestMethod) != nil
    }

    /// Returns the headers of the response to a preflight.
    ///
    /// - Parameter request: a preflight of an allowed origin, which may send all headers that it requests.
    package static func preflightFields(of request: RequestHead, allowedMethods: String) -> HTTPFields {
        let asked = request.fields.value(named: .accessControlRequestHeaders).flatMap(fieldNames)
        var fields: HTTPFields = [
            .accessControlAllowMethods: allowedMethods, .accessControlAllowHeaders: asked ?? acceptedFields,
            .accessControlMaxAge: "600",
        ]
        if let name = HTTPField.Name("Access-Control-Request-Private-Network"), request.fields.contains(name),
            let answer = HTTPField.Name("Access-Control-Allow-Private-Network")
        {
            fields[answer] = "true"
        }
        return fields
    }

    /// Returns names of headers, separated by commas; nil if the text is too long or contains anything else.
    private static func fieldNames(_ text: String) -> String? {
        guard text.utf8.count <= 4096 else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
            HTTPField.Name(String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard names.allSatisfy({ $0 != nil }) else { return nil }
        return names.compactMap { $0?.rawName }.joined(separator: ", ")
    }

    /// Headers that SDKs send from a page, identify an app, or request an explanation or a fault.
    private static let acceptedFields =
        "Authorization, Content-Type, X-Api-Key, App-OS, Client-Id, X-Request-Id, X-Client-Request-Id, "
        + "Idempotency-Key, Last-Event-ID, "
        + "Anthropic-Version, Anthropic-Beta, Anthropic-Dangerous-Direct-Browser-Access, "
        + "OpenAI-Organization, OpenAI-Project, OpenAI-Beta, "
        + "X-Stainless-Arch, X-Stainless-Helper-Method, X-Stainless-Lang, X-Stainless-OS, X-Stainless-Package-Version, "
        + "X-Stainless-Retry-Count, X-Stainless-Runtime, X-Stainless-Runtime-Version, X-Stainless-Timeout, "
        + "X-Headgate-Explain, X-Headgate-Fault"
    /// Headers of a response that SDKs read.
    private static let exposedFields =
        "X-Request-Id, Request-Id, Retry-After, Retry-After-Ms, X-Should-Retry, "
        + "X-Headgate-Upstream, X-Headgate-Attempts, X-Headgate-Degraded, "
        + "X-Headgate-Dropped, X-Headgate-Estimated, X-Headgate-Cache, X-Headgate-Cost-Usd, "
        + "X-Headgate-Budget-Used, Age, "
        + ["Requests", "Tokens", "Input-Tokens", "Output-Tokens"].flatMap { measure in
            ["Limit", "Remaining", "Reset"].flatMap { word in
                ["X-RateLimit-\(word)-\(measure)", "Anthropic-RateLimit-\(measure)-\(word)"]
            }
        }.joined(separator: ", ")
}

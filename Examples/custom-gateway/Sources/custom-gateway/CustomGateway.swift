import HTTPTypes
import HeadgateHTTP
import HeadgateKit
import HeadgateOpenAPI

/// Replaces card numbers before anything is cached or sent.
struct Redaction: ServerMiddleware {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: OperationHandler
    ) async throws -> (HTTPResponse, HTTPBody?) {
        guard let body else { return try await next(request, nil, metadata) }
        let text = String(decoding: try await body.collect(upTo: 16 << 20), as: UTF8.self)
        let redacted = text.replacing(#/\b(\d{4}[ -]?){3}\d{4}\b/#, with: "[card]")
        return try await next(request, .bytes(Array(redacted.utf8)), metadata)
    }
}

/// Sends a header whose value changes every hour, such as a token from a vault.
struct VaultHeader: ClientMiddleware {
    let token: @Sendable () async throws -> String

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        request.headerFields[HTTPField.Name("x-vault-token")!] = try await token()
        return try await next(request, body, baseURL)
    }
}

@main struct CustomGateway {
    static func main() async throws {
        let gateway = try Gateway { gateway in
            gateway.use(Redaction(), before: .cache)
            gateway.use(VaultHeader { "from-the-vault" })
            gateway.observe { report in print("\(report.operation) \(report.end) \(report.status)") }
            gateway.get("/whoami") { _, _, metadata in
                (HTTPResponse(status: .ok), .bytes(Array((metadata.keyName ?? "nobody").utf8)))
            }
        }
        try await gateway.run { urls in print("listening on \(urls.joined(separator: ", "))") }
    }
}

internal import HTTPTypes
internal import HeadgateHTTP

/// The chat and status pages and what they load. Public, without data: they request it with the reader's key.
struct WebPages: Sendable {
    /// The Markdown library of the chat; installed separately, so it may be missing.
    static let markdownLibrary = "marked.umd.min.js"

    /// Of the chat; empty where the library is not installed: answers are then plain text.
    private let library: WebAsset

    init(documentation: Documentation) {
        library = WebAsset(
            type: WebAsset.script, bytes: documentation.asset(WebPages.markdownLibrary)?.bytes ?? [])
    }

    func chatResponse(_ request: RequestHead) -> ServerResponse {
        WebPages.response(WebAsset.chatPage, to: request)
    }

    func statusResponse(_ request: RequestHead) -> ServerResponse {
        WebPages.response(WebAsset.statusPage, to: request)
    }

    func assetResponse(_ name: String, _ request: RequestHead) throws(GatewayError) -> ServerResponse {
        if name == "marked.js" { return WebPages.response(library, to: request) }
        guard let asset = WebAsset.all[name] else { throw .unknownRoute }
        return WebPages.response(asset, to: request)
    }

    private static func response(_ asset: WebAsset, to request: RequestHead) -> ServerResponse {
        let fields = fields + [.contentType: asset.type, .eTag: asset.entityTag]
        guard !isKnown(asset, to: request) else {
            return ServerResponse(HTTPResponse(status: .notModified, headerFields: fields), nil)
        }
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(asset.bytes))
    }

    /// Whether the client has it already (RFC 9110 section 13.1.2).
    private static func isKnown(_ asset: WebAsset, to request: RequestHead) -> Bool {
        guard let known = request.fields.value(named: .ifNoneMatch) else { return false }
        return known == "*" || known.contains(asset.entityTag)
    }

    /// Scripts, styles and requests of the same origin only; no text becomes markup.
    private static let fields: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
                + "require-trusted-types-for 'script'; trusted-types 'none'",
            .xContentTypeOptions: "nosniff",
            // Revalidated each time: after an update of the gateway no old script may run.
            .cacheControl: "no-cache",
        ]
        for (name, value) in [
            ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()
}

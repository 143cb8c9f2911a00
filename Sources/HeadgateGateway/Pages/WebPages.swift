internal import HTTPTypes
internal import HeadgateHTTP

/// The chat and status pages and what they load. Public, without data: they request it with the reader's key.
struct WebPages: Sendable {
    /// The chat's libraries for Markdown, code and formulas by the names that the page has for them, with those of
    /// their files. They are installed separately, so each may be missing.
    static let libraryFiles = [
        "marked.js": "marked.umd.min.js", "highlight.js": "highlight.min.js", "katex.js": "katex.min.js",
    ]

    /// What was installed, read when a page first asks for it: most gateways have no reader.
    let documentation: Documentation

    func chatResponse(_ request: RequestHead) -> ServerResponse {
        WebPages.response(WebAsset.chatPage, to: request)
    }

    func statusResponse(_ request: RequestHead) -> ServerResponse {
        WebPages.response(WebAsset.statusPage, to: request)
    }

    func assetResponse(_ name: String, _ request: RequestHead) throws(GatewayError) -> ServerResponse {
        if let file = WebPages.libraryFiles[name] { return WebPages.response(library(file), to: request) }
        guard let asset = WebAsset.all[name] else { throw .unknownRoute }
        return WebPages.response(asset, to: request)
    }

    /// Empty where it is not installed: what it is for is then plain text.
    private func library(_ file: String) -> WebAsset {
        guard let asset = documentation.asset(file) else { return .emptyScript }
        return WebAsset(type: WebAsset.script, bytes: asset.bytes, entityTag: asset.entityTag)
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

    /// Scripts, styles and requests of the same origin only; no text becomes markup. Pictures that the reader attaches
    /// are `blob:`, which only the page itself can make.
    private static let fields: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
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

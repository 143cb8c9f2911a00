internal import HTTPTypes
package import HeadgateHTTP

/// The chat and status pages and the files that they load. Public and without data: the pages request data with the
/// reader's key.
package struct WebPages: Sendable {
    /// Names under which the page loads the chat's libraries for Markdown, code and formulas, with the names of the
    /// installed files. Each can be missing.
    static let libraryFiles = [
        "marked.js": "marked.umd.min.js", "highlight.js": "highlight.min.js", "katex.js": "katex.min.js",
    ]

    /// Source of installed files, which are read when a page first requests them.
    private let documentation: Documentation

    package init(documentation: Documentation) { self.documentation = documentation }

    package func chatResponse(_ request: RequestHead) -> ServerResponse {
        WebPages.response(WebAsset.chatPage, to: request)
    }

    package func statusResponse(_ request: RequestHead) -> ServerResponse {
        WebPages.response(WebAsset.statusPage, to: request)
    }

    /// Returns nil if the pages have no such file.
    package func assetResponse(_ name: String, _ request: RequestHead) -> ServerResponse? {
        if let file = WebPages.libraryFiles[name] {
            // Without the library its content is shown as plain text.
            let library = documentation.asset(file)
            return WebPages.response(WebAsset.script, library?.digest ?? "empty", to: request) { library?.bytes ?? [] }
        }
        return WebAsset.all[name].map { WebPages.response($0, to: request) }
    }

    private static func response(_ asset: WebAsset, to request: RequestHead) -> ServerResponse {
        response(asset.type, asset.digest, to: request) { asset.bytes }
    }

    private static func response(
        _ type: String, _ digest: String, to request: RequestHead, bytes: () -> [UInt8]
    ) -> ServerResponse {
        let entityTag = "\"\(digest)\""
        var fields = fields
        fields[.contentType] = type
        fields[.eTag] = entityTag
        // If-None-Match, RFC 9110 section 13.1.2.
        if let known = request.fields.value(named: .ifNoneMatch), known == "*" || known.contains(entityTag) {
            return ServerResponse(HTTPResponse(status: .notModified, headerFields: fields), nil)
        }
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(bytes()))
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

internal import HTTPTypes
package import HeadgateHTTP

/// The chat and status pages and the files that they load.
///
/// They are public and have no data: the pages request data with the reader's key.
package struct WebPages: Sendable {
    /// The installed files of the chat's libraries for Markdown, code and formulas, which are sent as part of its
    /// script. Any of them can be missing.
    static let libraryFiles = ["marked.umd.min.js", "highlight.min.js", "katex.min.js"]

    /// The source of installed files, which are read when a page is first requested.
    private let documentation: Documentation

    package init(documentation: Documentation) { self.documentation = documentation }

    package func chatResponse(_ request: RequestHead) -> ServerResponse {
        response(to: request, page: WebAsset.chatPage, script: "chat.js")
    }

    package func statusResponse(_ request: RequestHead) -> ServerResponse {
        response(to: request, page: WebAsset.statusPage, script: "status.js")
    }

    /// Returns a page, in which the URL of its script includes the digest of the script's content.
    private func response(to request: RequestHead, page: WebAsset, script name: String) -> ServerResponse {
        let content = WebAsset.all[name].map { digest(of: $0, name) } ?? ""
        return WebPages.response(page, page.digest.prefix(16) + content, to: request) {
            let text = page.text.replacing("/web/\(name)", with: "/web/\(name)?v=\(content)", maxReplacements: 1)
            return Array(text.utf8)
        }
    }

    /// Returns nil if the pages have no such file.
    package func assetResponse(_ name: String, _ request: RequestHead) -> ServerResponse? {
        guard let asset = WebAsset.all[name] else { return nil }
        let digest = digest(of: asset, name)
        // A URL that includes the digest of the content never changes its content.
        let isNamed = request.withPath { String(decoding: $0, as: UTF8.self).hasSuffix("?v=\(digest)") }
        return WebPages.response(asset, digest, to: request, isLasting: isNamed) {
            name == "chat.js" ? libraries + asset.bytes : asset.bytes
        }
    }

    private func digest(of asset: WebAsset, _ name: String) -> String {
        guard name == "chat.js" else { return asset.digest }
        let installed = WebPages.libraryFiles.map { documentation.asset($0)?.digest.prefix(10) ?? "0" }
        return asset.digest.prefix(16) + installed.joined()
    }

    /// The libraries. Without one of them, or if it cannot run, its content is shown as plain text.
    private var libraries: [UInt8] {
        WebPages.libraryFiles.compactMap(documentation.asset).flatMap { library in
            Array("try {\n".utf8) + library.bytes + Array("\n} catch (error) { console.error(error); }\n".utf8)
        }
    }

    private static func response(
        _ asset: WebAsset, _ digest: String, to request: RequestHead, isLasting: Bool = false, bytes: () -> [UInt8]
    ) -> ServerResponse {
        let entityTag = "\"\(digest)\""
        var fields = fields
        fields[.contentType] = asset.type
        fields[.eTag] = entityTag
        if isLasting { fields[.cacheControl] = "max-age=31536000, immutable" }
        // If-None-Match is defined in RFC 9110 section 13.1.2.
        if let known = request.fields.value(named: .ifNoneMatch), known == "*" || known.contains(entityTag) {
            return ServerResponse(HTTPResponse(status: .notModified, headerFields: fields), nil)
        }
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(bytes()))
    }

    /// The header fields. They allow scripts, styles and requests of the same origin only, and no text can become
    /// markup. Pictures that the reader attaches are `blob:`, which only the page itself can create.
    private static let fields: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
                + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
                + "require-trusted-types-for 'script'; trusted-types 'none'",
            .xContentTypeOptions: "nosniff",
            // Pages are revalidated each time, because no old script may run after an update of the gateway.
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

/// A file of the pages that is part of the program.
struct WebAsset: Sendable {
    /// The media type, for `Content-Type`.
    let type: String
    /// The hexadecimal digest of ``text``, for `ETag`.
    let digest: String
    let text: String

    var bytes: [UInt8] { Array(text.utf8) }

    static let script = "text/javascript; charset=utf-8"
    static let style = "text/css; charset=utf-8"
    static let html = "text/html; charset=utf-8"
    static let svg = "image/svg+xml"
}

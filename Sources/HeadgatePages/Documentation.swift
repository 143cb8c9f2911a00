internal import HTTPTypes
internal import HeadgateContract
package import HeadgateHTTP

/// The OpenAPI document, and the pages to read and try it. They are public, and have no data of the gateway.
package struct Documentation: Sendable {
    /// An installed file of the pages.
    package struct Asset: Sendable {
        /// The media type, for `Content-Type`.
        package let type: String
        package let bytes: [UInt8]
        /// The hexadecimal digest of ``bytes``, for `ETag`.
        package let digest: String

        package init(type: String, bytes: [UInt8], digest: String) {
            self.type = type
            self.bytes = bytes
            self.digest = digest
        }
    }

    private static let yaml = Array(OpenAPIDocument.yaml.utf8)
    private static let json = Array(OpenAPIDocument.json.utf8)

    /// Returns a file that is installed next to the program.
    let asset: @Sendable (String) -> Asset?

    /// Creates the documentation.
    ///
    /// - Parameter asset: Returns a file of Swagger UI or of the chat's libraries by its name; nil if it is not
    ///   installed.
    package init(asset: @escaping @Sendable (String) -> Asset? = { _ in nil }) { self.asset = asset }

    package func yamlResponse() -> ServerResponse {
        Documentation.response("application/yaml; charset=utf-8", Documentation.yaml)
    }
    package func jsonResponse() -> ServerResponse { Documentation.response("application/json", Documentation.json) }

    package func pageResponse() -> ServerResponse {
        let isInstalled = asset("swagger-ui-bundle.js") != nil
        return Documentation.response(
            "text/html; charset=utf-8",
            Array((isInstalled ? WebAsset.docsPage.text : DocumentationPage.withoutAssets).utf8))
    }

    /// Returns nil if no such file is installed.
    package func assetResponse(_ name: String) -> ServerResponse? {
        if name == "start.js", let script = WebAsset.all["docs.js"] {
            return Documentation.response(script.type, script.bytes)
        }
        return asset(name).map { Documentation.response($0.type, $0.bytes) }
    }

    private static func response(_ type: String, _ bytes: [UInt8]) -> ServerResponse {
        var fields = fields
        fields[.contentType] = type
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(bytes))
    }

    /// The header fields, which allow the same origin only. Swagger UI needs inline styles, and `data:` URLs for its
    /// icons.
    private static let fields: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            .xContentTypeOptions: "nosniff", .cacheControl: "no-cache",
        ]
        for (name, value) in [("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()
}

/// The page of a gateway without Swagger UI.
enum DocumentationPage {
    static let withoutAssets = """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Headgate: routes</title></head>
        <body>
          <h1>Headgate</h1>
          <p><a href="/">Chat</a> <a href="/status">Status</a></p>
          <p>The routes are described by <a href="/openapi.yaml">openapi.yaml</a> (or <a href="/openapi.json">as JSON</a>).</p>
          <p>To read and try them here, install the pages once: run <code>make docs-assets</code> in Headgate's folder, or set
          <code>HEADGATE_ASSETS</code> to a folder that holds swagger-ui-bundle.js and swagger-ui.css, and start the gateway again.</p>
        </body>
        </html>

        """
}

import Foundation
import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgatePages
@testable import HeadgateRelay

/// The OpenAPI document and its pages.
@Suite struct DocumentationTests {
    private let installed = InProcessGateway(
        transport: PlannedTransport(.json("{}")), upstreams: [], models: [], keys: InProcessGateway.keys,
        documentation: Documentation { name in
            switch name {
            case "swagger-ui-bundle.js":
                Documentation.Asset(type: "text/javascript; charset=utf-8", bytes: [0x31], digest: "0x31")
            case "swagger-ui.css": Documentation.Asset(type: "text/css; charset=utf-8", bytes: [0x32], digest: "0x32")
            case "favicon-32x32.png": Documentation.Asset(type: "image/png", bytes: [0x33], digest: "0x33")
            default: nil
            }
        })
    private let bare = InProcessGateway()

    @Test func documentIsServedInBothForms() async throws {
        let yaml = await installed.ask(.get, "/openapi.yaml", key: nil)
        #expect(yaml.status == 200 && yaml.text.hasPrefix("openapi: 3.1.0\n"))
        #expect(yaml.headerFields[.contentType]?.hasPrefix("application/yaml") == true)
        let json = await installed.ask(.get, "/openapi.json?x", key: nil)
        let document = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
        #expect(json.status == 200 && document?["openapi"] as? String == "3.1.0")
        #expect(json.headerFields[.contentType] == "application/json")
    }

    @Test func pageLoadsOnlyLocalAssets() async throws {
        let page = await installed.ask(.get, "/docs", key: nil)
        #expect(page.status == 200 && page.headerFields[.contentType] == "text/html; charset=utf-8")
        #expect(!page.text.contains("http://") && !page.text.contains("https://") && !page.text.contains("<script>"))
        // The fragment of a URL is not sent.
        for source in page.text.matches(of: /(?:src|href)="([^"#]*)/).map(\.1) {
            #expect(await installed.ask(.get, String(source), key: nil).status == 200, "\(source)")
        }
        #expect(page.text.contains("/docs/start.js") && page.text.contains("/docs/swagger-ui-bundle.js"))
        let script = await installed.ask(.get, "/docs/start.js", key: nil)
        #expect(script.text.contains("/openapi.json"))
        #expect(script.headerFields[.contentType] == "text/javascript; charset=utf-8")
    }

    @Test(arguments: ["/docs", "/docs/start.js", "/docs/swagger-ui.css", "/openapi.yaml", "/openapi.json"])
    func nothingForeignIsAllowedOnAnyPage(_ path: String) async throws {
        let answer = await installed.ask(.get, path, key: nil)
        #expect(answer.status == 200)
        let policy = try #require(answer.headerFields[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'self'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("http") && !policy.contains("*") && !policy.contains("unsafe-eval"))
        #expect(!policy.contains("script-src"))
        #expect(answer.headerFields[.xContentTypeOptions] == "nosniff")
        #expect(answer.headerFields[try #require(HTTPField.Name("X-Frame-Options"))] == "DENY")
        #expect(answer.headerFields[.xRequestID] != nil)
    }

    @Test func withoutAssetsThePageExplainsHowToGetThem() async {
        let page = await bare.ask(.get, "/docs", key: nil)
        #expect(page.status == 200 && page.headerFields[.contentType] == "text/html; charset=utf-8")
        #expect(page.text.contains("make docs-assets") && page.text.contains(#"href="/openapi.yaml""#))
        #expect(!page.text.contains("<script"))
    }

    @Test(arguments: ["nothing.js", "swagger-ui.css.map", "../openapi.yaml", "%2e%2e/x", "a/b.css", "swagger-ui.css/"])
    func otherAssetsAreUnknown(_ name: String) async {
        for running in [installed, bare] {
            let answer = await running.ask(.get, "/docs/\(name)", key: nil)
            #expect(answer.status == 404 && answer.isError(code: "unknown_route"))
        }
        #expect(await bare.ask(.get, "/docs/swagger-ui.css", key: nil).status == 404)
    }

    @Test func pagesAreOnlyRead() async {
        for path in ["/docs", "/docs/start.js", "/openapi.yaml", "/openapi.json"] {
            #expect(await installed.ask(.head, path, key: nil).status == 200)
            let answer = await installed.ask(.post, path, key: nil)
            #expect(answer.status == 405 && answer.headerFields[.allow] == "GET, HEAD, OPTIONS")
            // The pages are beside the API, not part of it.
            #expect(await installed.ask(.get, "/v1" + path, key: nil).status == 404)
        }
    }
}

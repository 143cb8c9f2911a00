import Foundation
import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgatePages

/// The chat's page and what it loads.
@Suite struct WebPagesTests {
    private let running = InProcessGateway(
        transport: PlannedTransport(.json("{}")), upstreams: [], models: [], keys: InProcessGateway.keys,
        documentation: Documentation { name in
            name == "marked.umd.min.js"
                ? Documentation.Asset(type: "text/javascript", bytes: [0x6D], digest: "0x6D") : nil
        })

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/HeadgatePages/Assets").standardizedFileURL

    @Test func librariesAreReadWhenAPageAsks() async {
        let asked = Locked<[String]>([])
        let running = InProcessGateway(
            transport: PlannedTransport(.json("{}")), upstreams: [], models: [], keys: InProcessGateway.keys,
            documentation: Documentation { name in
                asked.withLock { $0.append(name) }
                return nil
            })
        for path in ["/", "/web/chat.js"] { #expect(await running.ask(.get, path, key: nil).status == 200) }
        #expect(asked.withLock { $0 }.isEmpty)
        for (name, file) in WebPages.libraryFiles {
            #expect(await running.ask(.get, "/web/\(name)", key: nil).status == 200)
            #expect(asked.withLock { $0.last } == file)
        }
    }

    @Test func rootIsTheChat() async {
        let page = await running.ask(.get, "/", key: nil)
        #expect(page.status == 200 && page.headerFields[.contentType] == "text/html; charset=utf-8")
        #expect(page.text.contains(#"href="/docs""#) && page.text.contains(#"href="/status""#))
    }

    @Test func statusIsAPageWithoutData() async {
        let page = await running.ask(.get, "/status", key: nil)
        #expect(page.status == 200 && page.text.contains(#"href="/docs""#) && page.text.contains(#"href="/""#))
    }

    @Test func everyFileOfTheFolderIsServedAsItIs() async throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: WebPagesTests.folder.path) {
            let content = try String(contentsOf: WebPagesTests.folder.appending(path: file), encoding: .utf8)
            if file.hasSuffix(".html") {
                #expect(!content.contains("<style") && !content.contains(" style=") && !content.contains("http:"))
                #expect(!content.contains("https:") && content.firstMatch(of: /\son[a-z]+=/) == nil)
                continue
            }
            let answer = await running.ask(.get, "/web/\(file)", key: nil)
            #expect(answer.status == 200 && answer.text == content, "\(file)")
        }
    }

    @Test(arguments: ["/", "/status"]) func whatAPageLoadsIsThere(_ path: String) async throws {
        let page = await running.ask(.get, path, key: nil).text
        var wanted = page.matches(of: /(?:src|href)="(\/web\/[^"]*)"/).map { String($0.1) }
        #expect(!page.contains("<script>") && wanted.count > 3)
        var loaded: Set<String> = []
        while let path = wanted.popLast() {
            guard loaded.insert(path).inserted else { continue }
            let answer = await running.ask(.get, path, key: nil)
            #expect(answer.status == 200, "\(path)")
            guard path.hasSuffix(".js") else { continue }
            #expect(answer.headerFields[.contentType] == "text/javascript; charset=utf-8")
            let modules = answer.text.matches(of: /from "\.\/([^"]*)"/).map { "/web/\($0.1)" }
            // The browser is told of them all before it reads the first.
            for module in modules { #expect(page.contains("href=\"\(module)\""), "\(module)") }
            wanted += modules
        }
        let icon = await running.ask(.get, "/web/icon.svg", key: nil)
        #expect(icon.headerFields[.contentType] == "image/svg+xml")
        #expect(
            await running.ask(.get, "/web/page.css", key: nil).headerFields[.contentType] == "text/css; charset=utf-8")
    }

    @Test(arguments: ["/", "/status", "/web/chat.js", "/web/marked.js", "/web/page.css"])
    func nothingInlineAndNothingForeignIsAllowed(_ path: String) async throws {
        let answer = await running.ask(.get, path, key: nil)
        let policy = try #require(answer.headerFields[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; "))
        #expect(
            !policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http") && !policy.contains("data:")
        )
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("require-trusted-types-for 'script'"))
        #expect(answer.headerFields[.xContentTypeOptions] == "nosniff")
        #expect(answer.headerFields[try #require(HTTPField.Name("Referrer-Policy"))] == "no-referrer")
    }

    @Test func whatTheBrowserHasIsNotSentAgain() async throws {
        for path in ["/", "/status", "/web/chat.js", "/web/marked.js"] {
            let first = await running.ask(.get, path, key: nil)
            let tag = try #require(first.headerFields[.eTag])
            #expect(tag.hasPrefix("\"") && first.headerFields[.cacheControl] == "no-cache")
            for known in [tag, "\"x\", W/\(tag)", "*"] {
                let again = await running.ask(.get, path, key: nil, headerFields: [.ifNoneMatch: known])
                #expect(again.status == 304 && again.text.isEmpty && again.headerFields[.eTag] == tag)
            }
            let other = await running.ask(.get, path, key: nil, headerFields: [.ifNoneMatch: "\"x\""])
            #expect(other.status == 200 && !other.text.isEmpty)
        }
        let digests = Set(WebAsset.all.values.map(\.digest))
        #expect(digests.count == WebAsset.all.count)
    }

    @Test func withoutTheLibraryItsScriptIsEmpty() async {
        #expect(await running.ask(.get, "/web/marked.js", key: nil).text == "m")
        for name in WebPages.libraryFiles.keys {
            let bare = await InProcessGateway().ask(.get, "/web/\(name)", key: nil)
            #expect(bare.status == 200 && bare.text.isEmpty)
        }
    }

    @Test(arguments: ["nothing.js", "chat.html", "../openapi.yaml", "%2e%2e/x", "marked.umd.min.js", "chat.js/"])
    func otherFilesAreUnknown(_ name: String) async {
        let answer = await running.ask(.get, "/web/\(name)", key: nil)
        #expect(answer.status == 404 && answer.isError(code: "unknown_route"))
    }

    @Test func pagesAreOnlyRead() async {
        for path in ["/", "/status", "/web/chat.js"] {
            #expect(await running.ask(.head, path, key: nil).status == 200)
            let answer = await running.ask(.post, path, key: nil)
            #expect(answer.status == 405 && answer.headerFields[.allow] == "GET, HEAD, OPTIONS")
        }
        #expect(await running.ask(.get, "/v1/web/chat.js", key: nil).status == 404)
    }
}

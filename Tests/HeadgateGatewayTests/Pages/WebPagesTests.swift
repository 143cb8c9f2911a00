import Foundation
import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgatePages
@testable import HeadgateRelay

/// Page of the chat, and its assets.
@Suite struct WebPagesTests {
    private let running = InProcessGateway(
        transport: PlannedTransport(.json("{}")), upstreams: [], models: [], keys: InProcessGateway.keys,
        documentation: Documentation { name in
            name == "marked.umd.min.js"
                ? Documentation.Asset(type: "text/javascript", bytes: [0x6D], digest: "0x6D") : nil
        })

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/HeadgatePages/Assets").standardizedFileURL

    @Test func librariesAreReadOnTheChatsRequest() async {
        let asked = Locked<[String]>([])
        let running = InProcessGateway(
            transport: PlannedTransport(.json("{}")), upstreams: [], models: [], keys: InProcessGateway.keys,
            documentation: Documentation { name in
                asked.withLock { $0.append(name) }
                return nil
            })
        for path in ["/status", "/web/status.js", "/web/chat.css"] {
            #expect(await running.ask(.get, path, key: nil).status == 200)
        }
        #expect(asked.withLock { $0 }.isEmpty)
        #expect(await running.ask(.get, "/web/chat.js", key: nil).status == 200)
        #expect(asked.withLock { Set($0) } == Set(WebPages.libraryFiles))
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

    @Test func pagesHaveNothingInline() throws {
        for file in ["chat.html", "status.html"] {
            let content = try String(contentsOf: WebPagesTests.folder.appending(path: file), encoding: .utf8)
            #expect(!content.contains("<style") && !content.contains(" style=") && !content.contains("http:"))
            #expect(!content.contains("https:") && content.firstMatch(of: /\son[a-z]+=/) == nil)
            #expect(!content.contains("<script>"))
        }
    }

    @Test func everyPartOfAPageIsInItsScriptOrStyle() async throws {
        var served = ""
        for name in ["chat.js", "status.js", "chat.css", "status.css", "docs.js", "docs.css", "icon.svg"] {
            served += await running.ask(.get, "/web/\(name)", key: nil).text
        }
        for file in try FileManager.default.contentsOfDirectory(atPath: WebPagesTests.folder.path) {
            let content = try String(contentsOf: WebPagesTests.folder.appending(path: file), encoding: .utf8)
            guard !file.hasSuffix(".html"),
                let line = content.split(separator: "\n" as Character).map(String.init).last(where: { $0.count > 20 })
            else { continue }
            #expect(served.contains(line.hasPrefix("export ") ? String(line.dropFirst(7)) : line), "\(file)")
        }
    }

    @Test(arguments: ["/", "/status"]) func pageLoadsOneImmutableScriptAndStyle(_ path: String) async throws {
        let page = await running.ask(.get, path, key: nil).text
        let wanted = page.matches(of: /(?:src|href)="(\/web\/[^"]*)"/).map { String($0.1) }
        let name = path == "/" ? "chat" : "status"
        #expect(wanted.map { $0.prefix { $0 != "?" } } == ["/web/icon.svg", "/web/\(name).css", "/web/\(name).js"])
        for path in wanted.dropFirst() {
            let answer = await running.ask(.get, path, key: nil)
            let type = path.contains(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
            #expect(answer.status == 200 && answer.headerFields[.contentType] == type, "\(path)")
            #expect(answer.headerFields[.cacheControl] == "max-age=31536000, immutable")
            #expect(!answer.text.isEmpty && answer.text.firstMatch(of: #/\n(?:import|export)\s/#) == nil)
            // An outdated version must not be cached.
            let other = await running.ask(.get, path + "0", key: nil)
            #expect(other.status == 200 && other.headerFields[.cacheControl] == "no-cache")
        }
        let icon = await running.ask(.get, "/web/icon.svg", key: nil)
        #expect(icon.headerFields[.contentType] == "image/svg+xml")
    }

    @Test func assetRequestsAreNotLogged() async throws {
        for path in ["/web/chat.js", "/web/icon.svg", "/docs/start.js"] {
            _ = await running.ask(.get, path, key: nil)
        }
        _ = await running.ask(.get, "/", key: nil)
        #expect(try running.log.members()["operation"] == "getChatPage" && running.log.all.count == 1)
        _ = await running.ask(.get, "/web/nothing.js", key: nil)
        #expect(running.log.all.count == 2)
    }

    @Test(arguments: ["/", "/status", "/web/chat.js", "/web/status.css"])
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

    @Test func cachedAssetIsNotSentAgain() async throws {
        for path in ["/", "/status", "/web/chat.js", "/web/status.js"] {
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

    @Test func installedLibraryIsLoadedWithTheChatsScript() async {
        let (with, without) = (running, InProcessGateway())
        #expect(await with.ask(.get, "/web/chat.js", key: nil).text.hasPrefix("try {\nm\n} catch"))
        #expect(await without.ask(.get, "/web/chat.js", key: nil).text.hasPrefix("// Light or dark"))
        let pages = [await with.ask(.get, "/", key: nil).text, await without.ask(.get, "/", key: nil).text]
        let addresses = pages.compactMap { $0.firstMatch(of: /\/web\/chat\.js\?v=\w+/)?.output }
        #expect(addresses.count == 2 && addresses[0] != addresses[1])
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

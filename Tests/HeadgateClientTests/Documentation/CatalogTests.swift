import Foundation
import Testing

/// The articles of the library's catalog.
@Suite struct CatalogTests {
    @Test func catalogContainsTheLinkedArticle() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../..").standardizedFileURL
        let document = try String(contentsOf: root.appending(path: "docs/client.md"), encoding: .utf8)
        let path = try #require(document.firstMatch(of: /\(\.\.\/(Sources\/[^)]*\.docc\/[^)]*)\.md\)/)).1
        let article = try String(contentsOf: root.appending(path: "\(path).md"), encoding: .utf8)
        #expect(article.hasPrefix("# From a hard-coded API key to Headgate in five minutes\n"))
        let name = try #require(path.split(separator: "/").last)
        let catalog = root.appending(path: "Sources/HeadgateClient/HeadgateClient.docc/HeadgateClient.md")
        #expect(try String(contentsOf: catalog, encoding: .utf8).contains("<doc:\(name)>"))
    }
}

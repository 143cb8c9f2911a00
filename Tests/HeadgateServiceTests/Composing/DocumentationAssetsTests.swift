import HeadgateGateway
import HeadgatePages
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct DocumentationAssetsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func assets() -> DocumentationAssets {
        DocumentationAssets(environment: ["HEADGATE_ASSETS": folder.path])
    }

    @Test(arguments: ["swagger-ui-bundle.js", "swagger-ui.css", "marked.umd.min.js", "katex.min.js"])
    func folderWithASingleFileServesIt(name: String) throws {
        try folder.file(name, "text")
        #expect(assets().asset(name)?.bytes == Array("text".utf8))
        #expect(assets().asset("favicon-32x32.png") == nil)
    }

    @Test func unknownFileIsNotServed() throws {
        try folder.file("katex.min.js", "text")
        try folder.file("other.js", "text")
        #expect(assets().asset("other.js") == nil && assets().asset("../katex.min.js") == nil)
    }
}

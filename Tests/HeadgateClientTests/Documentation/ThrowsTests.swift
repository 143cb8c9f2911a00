import Foundation
import Testing

/// Every public throwing declaration documents its errors.
@Suite struct ThrowsTests {
    @Test(arguments: ["HeadgateClient", "HeadgateClientURLSession"])
    func everyPublicThrowingFunctionDocumentsItsErrors(target: String) throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../Sources/\(target)").standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var found = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            var comment = ""
            var declaration = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let text = line.trimmingCharacters(in: .whitespaces)
                if text.hasPrefix("///") {
                    comment += text
                } else if !declaration.isEmpty || text.contains(/^(@\w+ )*(public|mutating) .*(func|init)/) {
                    declaration += text
                    guard text.hasSuffix("{") || text.hasSuffix("}") else { continue }
                    let isCoding = declaration.contains(/init\(from decoder|encode\(to encoder/)
                    if declaration.contains(/\) (async )?throws/), declaration.contains("public"), !isCoding {
                        found += 1
                        #expect(comment.contains("- Throws:"), "\(file.lastPathComponent): \(declaration)")
                    }
                    (comment, declaration) = ("", "")
                } else {
                    comment = ""
                }
            }
        }
        #expect(found > 1)
    }
}

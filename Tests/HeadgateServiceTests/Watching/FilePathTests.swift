import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct FilePathTests {
    @Test func linkResolvesToTheSameFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", "")
        #expect(symlink(file, folder.path + "/b.yaml") == 0)
        #expect(FilePath.isSame(file, folder.path + "/b.yaml"))
        #expect(FilePath.isSame(file, folder.path + "/./a.yaml"))
        #expect(!FilePath.isSame(file, folder.path + "/c.yaml"))
    }

    @Test func pathWithoutAFileIsComparedAsItIsWritten() {
        #expect(FilePath.isSame("/nowhere/a", "/nowhere/a"))
        #expect(!FilePath.isSame("/nowhere/a", "/nowhere/b"))
    }

    @Test func relativePathBecomesAbsolute() {
        #expect(FilePath.absolute("a.yaml").hasPrefix("/"))
        #expect(FilePath.absolute("a.yaml").hasSuffix("/a.yaml"))
        #expect(FilePath.absolute("/a.yaml") == "/a.yaml")
    }
}

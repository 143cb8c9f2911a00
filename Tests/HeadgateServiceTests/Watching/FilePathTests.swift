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

    @Test func placedFileKeepsTheOtherOfItsName() throws {
        let folder = try TemporaryFolder()
        let (draft, path) = (try folder.file("draft", "new"), folder.path + "/a")
        #expect(FilePath.place(draft, at: path) == 0)
        #expect(try folder.read("a") == "new")
        #expect(FilePath.place(try folder.file("other", "later"), at: path) == EEXIST)
        #expect(try folder.read("a") == "new")
    }

    // MARK: Without links

    @Test func fileIsPlacedWithoutALink() throws {
        let folder = try TemporaryFolder()
        let (draft, path) = (try folder.file("draft", "new"), folder.path + "/a")
        #expect(FilePath.placeWithoutLink(draft, at: path) == 0)
        #expect(try folder.read("a") == "new" && access(draft, F_OK) != 0)
        #expect(FilePath.placeWithoutLink(try folder.file("other", "later"), at: path) == EEXIST)
        #expect(try folder.read("a") == "new" && folder.read("other") == "later")
    }

    @Test func nameOfAFailedPlacementStaysFree() throws {
        let folder = try TemporaryFolder()
        #expect(FilePath.placeWithoutLink(folder.path + "/none", at: folder.path + "/a") == ENOENT)
        #expect(access(folder.path + "/a", F_OK) != 0)
    }

    /// No file system has links of folders, so a folder as the draft shows what follows when a link is impossible.
    @Test func impossibleLinkIsNotTheEnd() throws {
        let folder = try TemporaryFolder()
        try #require(mkdir(folder.path + "/draft", 0o700) == 0)
        #expect(FilePath.place(folder.path + "/draft", at: folder.path + "/a") == ENOTDIR)
        #expect(access(folder.path + "/a", F_OK) != 0)
    }
}

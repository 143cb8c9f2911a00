import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct NewFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func fileAndItsFoldersArePrivate() throws {
        let path = folder.path + "/a/b/headgate.yaml"
        try NewFile.write("text\n", to: path, replacing: false)
        #expect(try folder.read("a/b/headgate.yaml") == "text\n")
        #expect(fileMode(path) == 0o600)
        #expect(fileMode(folder.path + "/a") == 0o700 && fileMode(folder.path + "/a/b") == 0o700)
        #expect(names() == ["headgate.yaml"])
    }

    @Test func existingFileStaysUnlessReplacementIsRequested() throws {
        let path = folder.path + "/a/b/headgate.yaml"
        try NewFile.write("old\n", to: path, replacing: false)
        #expect(throws: Complaint.self) { try NewFile.checkAbsent(path) }
        let complaint = #expect(throws: Complaint.self) { try NewFile.write("new\n", to: path, replacing: false) }
        #expect(complaint?.message.contains("--force") == true)
        #expect(try folder.read("a/b/headgate.yaml") == "old\n")
        try NewFile.write("new\n", to: path, replacing: true)
        #expect(try folder.read("a/b/headgate.yaml") == "new\n")
        #expect(names() == ["headgate.yaml"])
    }

    @Test func uncreatableFolderIsReported() throws {
        try folder.file("file", "")
        let complaint = #expect(throws: Complaint.self) {
            try NewFile.write("", to: folder.path + "/file/headgate.yaml", replacing: true)
        }
        #expect(complaint?.message.contains("Not a directory") == true)
    }

    private func names() -> [String] {
        guard let directory = opendir(folder.path + "/a/b") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}

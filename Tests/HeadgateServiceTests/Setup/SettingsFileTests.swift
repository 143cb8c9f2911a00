import Foundation
import Testing

@testable import HeadgateService

@Suite struct SettingsFileTests {
    /// A folder for one test.
    private final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "headgate-settings-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, _ name: String, mode: Int = 0o640) throws -> String {
            let file = "\(path)/\(name)"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            return file
        }

        func text(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
        }

        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
    }

    @Test func backupIsTheFileBeforeTheFirstChange() throws {
        let folder = try Folder()
        let path = try folder.write("one", "file")
        try SettingsFile(path).write("two", isSecret: true)
        try SettingsFile(path).write("three", isSecret: true)
        #expect(try folder.text("file") == "three" && folder.text("file.headgate-backup") == "one")
        #expect(try folder.mode("file") == 0o640 && folder.mode("file.headgate-backup") == 0o640)
        #expect(try SettingsFile(path).backup() == "one")
        try SettingsFile(path).restore("one")
        #expect(try folder.text("file") == "one" && folder.mode("file") == 0o640 && folder.names == ["file"])
    }

    @Test(arguments: [(true, 0o600), (false, 0o644)]) func newFileHasNoBackup(isSecret: Bool, mode: Int) throws {
        let folder = try Folder()
        let file = try SettingsFile("\(folder.path)/deep/er/file")
        #expect(file.text == nil && !file.isLink)
        try file.write("text", isSecret: isSecret)
        #expect(try folder.mode("deep/er/file") == mode)
        #expect(try SettingsFile(file.path).backup() == nil)
        try SettingsFile(file.path).restore(nil)
        #expect(try SettingsFile(file.path).text == nil)
    }

    @Test func linkStaysALink() throws {
        let folder = try Folder()
        let real = try folder.write("one", "real")
        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
        let file = try SettingsFile(link)
        #expect(file.isLink && file.target.hasSuffix("/real"))
        try file.write("two", isSecret: false)
        #expect(try folder.text("real") == "two" && folder.names == ["link", "real", "real.headgate-backup"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real")
        #expect(real.hasSuffix("real"))
    }

    @Test func nonTextFileIsRefused() throws {
        let folder = try Folder()
        try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: folder.path + "/binary"))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/lost", withDestinationPath: "nowhere")
        for (name, reason) in [("", "not a file"), ("binary", "UTF-8"), ("lost", "leads nowhere")] {
            let error = #expect(throws: Complaint.self) { try SettingsFile(folder.path + "/" + name) }
            #expect(error?.message.contains(reason) == true, "\(name)")
        }
    }
}

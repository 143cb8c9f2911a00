import Foundation
import HeadgateConfiguration
import Testing

@testable import HeadgateService

@Suite struct LogFileTests {
    private let folder = NSTemporaryDirectory() + "headgate-log-\(UUID().uuidString)"
    private var path: String { folder + "/requests.log" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func text(_ name: String = "requests.log") -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))).map { String(decoding: $0, as: UTF8.self) }
    }

    private func rotation(size: Int, keeping kept: Int) -> LogRotation {
        var rotation = LogRotation()
        (rotation.size, rotation.kept) = (size, kept)
        return rotation
    }

    private func end() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func linesAreAppended() throws {
        defer { end() }
        try Data("old\n".utf8).write(to: URL(fileURLWithPath: path))
        var file = try LogFile(path, rotation: nil)
        try file.write(Array("new\n".utf8))
        #expect(text() == "old\nnew\n")
    }

    @Test func fileIsPrivate() throws {
        defer { end() }
        _ = try LogFile(path, rotation: nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(try #require(attributes[.posixPermissions] as? Int) & 0o137 == 0)
    }

    @Test func movedFileIsRecreated() throws {
        defer { end() }
        var file = try LogFile(path, rotation: nil)
        try file.write(Array("one\n".utf8))
        rename(path, path + ".moved")
        try file.write(Array("two\n".utf8))
        file.reopen()
        try file.write(Array("three\n".utf8))
        #expect(text("requests.log.moved") == "one\ntwo\n" && text() == "three\n")
    }

    @Test func fileRotatesAtItsSizeAndKeepsSomePredecessors() throws {
        defer { end() }
        var file = try LogFile(path, rotation: rotation(size: 10, keeping: 2))
        for number in 1...8 { try file.write(Array("line\(number)\n".utf8)) }
        #expect(text() == "line8\n" && text("requests.log.1") == "line7\n" && text("requests.log.2") == "line6\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    }

    @Test func rotationCanKeepNoPredecessors() throws {
        defer { end() }
        var file = try LogFile(path, rotation: rotation(size: 10, keeping: 0))
        for number in 1...3 { try file.write(Array("line\(number)\n".utf8)) }
        #expect(text() == "line3\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["requests.log"])
    }

    @Test func existingSizeCounts() throws {
        defer { end() }
        try Data("123456789\n".utf8).write(to: URL(fileURLWithPath: path))
        var file = try LogFile(path, rotation: rotation(size: 12, keeping: 1))
        try file.write(Array("new\n".utf8))
        #expect(text() == "new\n" && text("requests.log.1") == "123456789\n")
    }

    @Test func fullDiskLosesLinesAndCountsThem() throws {
        defer { end() }
        var file = try LogFile("/dev/full", rotation: rotation(size: 1, keeping: 1))
        let loss = #expect(throws: LogLoss.self) { try file.write(Array("one\ntwo\n".utf8)) }
        #expect(loss?.error == ENOSPC && loss?.lines == 2)
    }

    @Test func fileThatALinkNamesIsRotatedAndNotTheLink() throws {
        defer { end() }
        let disk = folder + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try Data("old\n".utf8).write(to: URL(fileURLWithPath: disk + "/requests.log"))
        symlink(disk + "/requests.log", path)
        var file = try LogFile(path, rotation: rotation(size: 5, keeping: 1))
        try file.write(Array("new\n".utf8))
        #expect(text("disk/requests.log") == "new\n" && text("disk/requests.log.1") == "old\n" && text() == "new\n")
    }

    @Test func missingFolderLosesLinesUntilItIsBack() throws {
        defer { end() }
        var file = try LogFile(path, rotation: nil)
        try FileManager.default.removeItem(atPath: folder)
        file.reopen()
        let loss = #expect(throws: LogLoss.self) { try file.write(Array("lost\n".utf8)) }
        #expect(loss?.error == ENOENT && loss?.lines == 1)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try file.write(Array("kept\n".utf8))
        #expect(text() == "kept\n")
    }

    @Test func unwritableFileIsReportedBeforeTheStart() throws {
        defer { end() }
        for (path, reason) in [
            (folder, "Is a directory"), (folder + "/none/requests.log", "No such file or directory"),
        ] {
            for attempt in [{ try LogFile.check(path) }, { _ = try LogFile(path, rotation: nil) }] {
                let error = #expect(throws: Complaint.self) { try attempt() }
                #expect(error?.message.hasPrefix("log: \(path) cannot be written (\(reason))") == true)
                #expect(error?.exitCode == .configuration)
            }
        }
        try LogFile.check(path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

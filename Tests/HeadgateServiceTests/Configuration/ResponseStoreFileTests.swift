import Foundation
import HeadgateConfiguration
import Testing

@testable import HeadgateService

@Suite struct ResponseStoreFileTests {
    private static func file(_ path: String? = nil, _ environment: [String: String] = [:]) throws -> ResponseStoreFile {
        try ResponseStoreFile(
            ResponseStoreConfiguration(lifetime: .seconds(60), file: path), environment: environment)
    }

    @Test func itIsInTheDataFolderUnlessItIsNamed() throws {
        #expect(try Self.file("/srv/r.db", ["HOME": "/home/a"]).path == "/srv/r.db")
        #expect(try Self.file(nil, ["HOME": "/home/a"]).path == "/home/a/.local/share/headgate/responses.db")
        #expect(
            try Self.file(nil, ["HOME": "/home/a", "XDG_DATA_HOME": "/data"]).path == "/data/headgate/responses.db")
        #expect(
            try Self.file(nil, ["HOME": "/home/a", "XDG_DATA_HOME": "data"]).path
                == "/home/a/.local/share/headgate/responses.db")
        #expect(throws: Complaint.self) { try Self.file() }
    }

    @Test func aCheckMakesNothing() throws {
        let home = NSTemporaryDirectory() + "/headgate-file-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        try Self.file(nil, ["HOME": home]).check()
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
        let named = home + "/none/r.db"
        let error = #expect(throws: Complaint.self) { try Self.file(named).check() }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.hasPrefix("responses: \(named) cannot be written (No such file or directory)") == true)
    }

    @Test func anotherFileIsNotTakenForOne() throws {
        let path = NSTemporaryDirectory() + "/headgate-file-\(UUID().uuidString)"
        defer { unlink(path) }
        for (contents, isAccepted) in [
            ("", true), ("SQLite format 3\0...", true), ("SQLite", false), ("listen: 127.0.0.1:80", false),
        ] {
            try Data(contents.utf8).write(to: URL(fileURLWithPath: path))
            let isRefused = (try? Self.file(path).check()) == nil
            #expect(isRefused != isAccepted, "\(contents)")
        }
    }
}

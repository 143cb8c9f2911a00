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

    @Test func aCheckCreatesNothing() throws {
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

    @Test func onlyItsOwnFileIsAccepted() throws {
        let path = NSTemporaryDirectory() + "/headgate-file-\(UUID().uuidString)"
        defer { unlink(path) }
        #expect(throws: Complaint.self) { try Self.file(NSTemporaryDirectory()).check() }
        symlink("/dev/null", path)
        #expect(throws: Complaint.self) { try Self.file(path).check() }
        unlink(path)
        for (contents, isAccepted) in [
            ("", true), ("SQLite format 3\0...", true), ("SQLite", false), ("listen: 127.0.0.1:80", false),
        ] {
            try Data(contents.utf8).write(to: URL(fileURLWithPath: path))
            let isRefused = (try? Self.file(path).check()) == nil
            #expect(isRefused != isAccepted, "\(contents)")
        }
    }

    /// Closing any descriptor of a file would release this process's locks on it, such as those of an open database.
    @Test func checkingAFileInUseReleasesNoLock() throws {
        let path = NSTemporaryDirectory() + "/headgate-file-\(UUID().uuidString)"
        defer { for name in [path, path + "-shm"] { unlink(name) } }
        close(open(path + "-shm", O_RDWR | O_CREAT, 0o600))
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        var lock = flock(l_type: Int16(F_RDLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
        try #require(fcntl(descriptor, F_SETLK, &lock) == 0)
        try Self.file(path).check()
        var status = stat()
        fstat(descriptor, &status)
        // Foundation reads only the first piece of this file into a String.
        let locks = String(
            decoding: try FileHandle(forReadingFrom: URL(filePath: "/proc/locks")).readToEnd() ?? Data(), as: UTF8.self)
        #expect(locks.contains(":\(status.st_ino) 0 0"))
    }
}

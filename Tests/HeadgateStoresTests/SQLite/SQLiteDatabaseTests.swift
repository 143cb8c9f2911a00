import Foundation
import Testing

@testable import HeadgateStores

struct SQLiteDatabaseTests {
    private let scratch = Scratch()

    private static let first = SQLiteSchema(
        application: 7, migrations: [["CREATE TABLE things (name TEXT)", "INSERT INTO things VALUES ('old')"]])
    private static let second = SQLiteSchema(
        application: 7, migrations: first.migrations + [["ALTER TABLE things ADD COLUMN size INTEGER DEFAULT 3"]])

    private func open(_ schema: SQLiteSchema) throws -> SQLiteDatabase {
        try SQLiteDatabase(scratch.file, schema: schema)
    }

    private func cause(_ schema: SQLiteSchema) -> StoreError.Cause? {
        do { _ = try open(schema) } catch { return (error as? StoreError)?.cause }
        return nil
    }

    @Test func anOlderFileIsMigratedWithItsContents() throws {
        _ = try open(Self.first)
        let database = try open(Self.second)
        #expect(try database.number("SELECT size FROM things WHERE name = 'old'") == 3)
        #expect(try database.number("PRAGMA user_version") == 2)
    }

    /// SQLite's own locks keep other processes from removing the files of a database that is in use.
    @Test func locksSurviveAnotherConnectionOfTheSameProcess() throws {
        let database = try open(Self.first)
        #expect(try database.number("SELECT count(*) FROM things") == 1)
        var status = stat()
        stat(scratch.file, &status)
        // The kernel lists locks in several pieces, and omits some while others come and go. Foundation reads only the
        // first piece into a String.
        let isLocked = {
            try (0..<10_000).contains { _ in
                let locks = try FileHandle(forReadingFrom: URL(filePath: "/proc/locks")).readToEnd() ?? Data()
                return String(decoding: locks, as: UTF8.self).contains(":\(status.st_ino) ")
            }
        }
        try #require(try isLocked())
        _ = try open(Self.first)
        #expect(try isLocked())
    }

    @Test func pageCacheIsAQuarterOfSQLitesDefault() throws {
        #expect(try open(Self.first).number("PRAGMA cache_size") == -512)
    }

    @Test func anImpossibleVersionIsDamage() throws {
        try open(Self.first).set("user_version", to: -1)
        #expect(cause(Self.first) == .damaged)
    }

    @Test func deletedContentIsGoneFromTheFile() throws {
        let marker = "a secret that was told"
        var database: SQLiteDatabase? = try open(Self.first)
        for _ in 0..<50 {
            let statement = try #require(try database?.statement("INSERT INTO things VALUES (?)"))
            try statement.run(.octets(Array(String(repeating: marker, count: 1000).utf8)))
        }
        try database?.execute("DELETE FROM things")
        database = nil
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.file)).range(of: Data(marker.utf8)) == nil)
    }

    @Test func aFailedMigrationLeavesTheFileUnchanged() throws {
        _ = try open(Self.first)
        let broken = SQLiteSchema(
            application: 7,
            migrations: Self.first.migrations + [
                ["INSERT INTO things VALUES ('new')", "INSERT INTO nothing VALUES (1)"]
            ])
        #expect(cause(broken) == .failed)
        let database = try open(Self.first)
        #expect(try database.number("SELECT count(*) FROM things") == 1)
    }

    @Test func aNewerFileIsRefused() throws {
        _ = try open(Self.second)
        #expect(cause(Self.first) == .newer)
        #expect(cause(Self.second) == nil)
    }

    @Test func aFileOfSomethingElseIsRefused() throws {
        _ = try open(Self.first)
        #expect(cause(SQLiteSchema(application: 8, migrations: Self.first.migrations)) == .foreign)
    }

    @Test func garbageIsNamedAsSuch() throws {
        try Data(repeating: 0x55, count: 10_000).write(to: URL(fileURLWithPath: scratch.file))
        #expect(cause(Self.first) == .damaged)
    }

    @Test func aTruncatedFileIsNamedAsSuch() throws {
        let url = URL(fileURLWithPath: scratch.file)
        // SQLite detects from the header that pages are missing.
        _ = try open(Self.first)
        let whole = try Data(contentsOf: url)
        try whole.prefix(whole.count / 2).write(to: url)
        #expect(cause(Self.first) == .damaged)
    }

    @Test func aMissingFolderIsNamed() {
        let file = scratch.path + "/none/responses.db"
        #expect {
            try SQLiteDatabase(file, schema: Self.first)
        } throws: { error in
            let error = error as? StoreError
            return error?.cause == .unopened
                && error?.description.hasPrefix("\(file): cannot be opened (No such file") == true
        }
    }

    @Test func aSymbolicLinkIsNotFollowed() throws {
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file, withDestinationPath: scratch.path + "/elsewhere")
        #expect(cause(Self.first) == .unopened)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/elsewhere"))
    }

    @Test func itsFolderCanBeALink() throws {
        let link = scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.path)
        _ = try SQLiteDatabase(link + "/responses.db", schema: Self.first)
        #expect(FileManager.default.fileExists(atPath: scratch.file))
    }

    @Test func aFailedTransactionHasNoEffect() throws {
        let database = try open(Self.first)
        #expect(throws: StoreError.self) {
            try database.transaction { () throws(StoreError) in
                try database.execute("DELETE FROM things")
                try database.execute("DELETE FROM nothing")
            }
        }
        #expect(try database.number("SELECT count(*) FROM things") == 1)
    }
}

import Foundation
import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateStores

/// Cached responses in files.
@Suite struct CacheFolderTests {
    private let scratch = Scratch()
    private let reports = Lines()
    private static let second: Int64 = 1_000_000_000

    private func folder(limit: Int = 1 << 20, limits: CacheFolderThread.Limits = .init(), at now: Int64 = 10)
        throws -> CacheFolder
    {
        let reports = reports
        return try CacheFolder(
            scratch.path, limits: limits, limit: limit, now: { now * Self.second }, report: { reports.add($0) })
    }

    private func key(_ number: Int) -> CacheKey { CacheKey(KeyDigest(of: Array("\(number)".utf8))) }

    private func path(_ number: Int) -> String { "\(scratch.path)/\(key(number).digest.hexadecimal).cached" }

    private func response(_ text: String, at now: Int64 = 10, ttl: Int64 = 60) -> CachedResponse {
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]))
        return CachedResponse(
            head: CachedHead(response: head, hasRequestID: false, isDocument: true),
            chunks: [CoalescedResponse.Chunk(bytes: Array(text.utf8), offset: 0)],
            storedAt: now * Self.second, expiresAt: (now + ttl) * Self.second)
    }

    private func found(
        _ numbers: Int..., in folder: CacheFolder, at now: Int64 = 10, maximumAge: Int64? = nil
    ) -> String? {
        let latch = Latch()
        let text = Locked<String?>(nil)
        folder.find(
            numbers.map(key), at: now * Self.second, maximumAge: maximumAge.map { $0 * Self.second }
        ) { found in
            text.withLock { $0 = found.map { String(decoding: $0.response.chunks.flatMap(\.bytes), as: UTF8.self) } }
            latch.open()
        }
        latch.wait()
        return text.withLock { $0 }
    }

    private func keep(_ numbers: Range<Int>, text: String = "A") throws {
        let folder = try folder()
        for number in numbers { folder.keep(response("\(text)\(number)"), as: key(number)) }
        folder.close()
    }

    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []).sorted()
    }

    @Test func entriesSurviveTheProcess() throws {
        try keep(0..<3)
        let folder = try folder()
        #expect(found(1, in: folder) == "A1" && found(7, in: folder) == nil)
        #expect(found(7, 2, in: folder) == "A2")
        #expect(reports.all.isEmpty)
    }

    @Test func filesArePrivate() throws {
        try keep(0..<1)
        let mode = try FileManager.default.attributesOfItem(atPath: path(0))[.posixPermissions] as? Int
        #expect(mode == 0o600 && files.count == 1)
    }

    @Test func timeToLiveIsCheckedOnReading() throws {
        try keep(0..<1)
        let folder = try folder()
        #expect(found(0, in: folder, at: 20, maximumAge: 10) == nil && found(0, in: folder, at: 20) == "A0")
        #expect(found(0, in: folder, at: 9) == nil && files.isEmpty)
        try keep(0..<1)
        #expect(found(0, in: folder, at: 70) == nil && files.isEmpty)
    }

    @Test func fileOfAnotherKeyIsNotReadWhole() throws {
        let files = CacheFolderFiles(folder: scratch.path)
        let whole = response("A").file(for: key(0))
        try Data(whole + Array(repeating: 0, count: 1 << 20)).write(to: URL(filePath: path(0)))
        try Data(whole).write(to: URL(filePath: path(1)))
        guard case .foreign = files.read(key(0), upTo: 1 << 20), case .bytes = files.read(key(0), upTo: 2 << 20),
            case .foreign = files.read(key(1), upTo: 1 << 20)
        else {
            Issue.record("a file was read that is too large, or of another key")
            return
        }
    }

    @Test(arguments: [0, 1, 100, 140]) func damagedFileIsAMissAndRemoved(_ octet: Int) throws {
        try keep(0..<2)
        var bytes = try Data(contentsOf: URL(filePath: path(0)))
        bytes[octet] ^= 1
        try bytes.write(to: URL(filePath: path(0)))
        let folder = try folder()
        #expect(found(0, in: folder) == nil && found(1, in: folder) == "A1" && files.count == 1)
    }

    @Test func truncatedOrForeignFileIsAMissAndRemoved() throws {
        try keep(0..<3)
        truncate(path(0), 50)
        rename(path(1), path(2))
        let folder = try folder()
        #expect(found(0, in: folder) == nil && found(2, in: folder) == nil && files.isEmpty)
    }

    @Test func linkAndPipeAreNotFollowed() throws {
        try keep(0..<1)
        symlink(path(0), path(1))
        mkfifo(path(2), 0o600)
        let folder = try folder()
        #expect(found(1, in: folder) == nil && found(2, in: folder) == nil)
        #expect(found(0, in: folder) == "A0" && reports.all.isEmpty)
    }

    @Test func leastRecentlyUsedIsEvictedAlsoAfterARestart() throws {
        try keep(0..<8)
        for number in 0..<8 {
            var times = [timespec(tv_sec: 1 + number, tv_nsec: 0), timespec(tv_sec: 1 + number, tv_nsec: 0)]
            utimensat(AT_FDCWD, path(number), &times, 0)
        }
        let folder = try folder(limit: 5 * 4096)
        // This read makes the file the most recent one, whether or not the scan has already removed the oldest three.
        #expect(found(3, in: folder) == "A3")
        folder.keep(response("new"), as: key(9))
        folder.close()
        #expect(files == [3, 5, 6, 7, 9].map { String(path($0).dropFirst(scratch.path.count + 1)) }.sorted())
    }

    @Test func foreignFilesAreLeftAloneAndUnfinishedOnesRemoved() throws {
        try keep(0..<1)
        let unfinished = path(1) + ".new"
        for name in [scratch.path + "/notes.txt", scratch.path + "/abc.cached", unfinished] {
            try Data().write(to: URL(filePath: name))
        }
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        utimensat(AT_FDCWD, unfinished, &times, 0)
        let folder = try folder(at: 1000)
        // The folder is scanned in the background; work that was handed over is done before the close.
        _ = found(5, in: folder)
        folder.close()
        #expect(Set(files).isSuperset(of: ["notes.txt", "abc.cached"]) && !files.contains { $0.hasSuffix(".new") })
    }

    @Test func missingFolderFailsNothingAndIsReportedOnce() throws {
        let told = Latch()
        let reports = reports
        let report = { @Sendable (text: String) in
            reports.add(text)
            told.open()
        }
        let folder = try CacheFolder(scratch.path, limit: 1 << 20, now: { 10 * Self.second }, report: report)
        try FileManager.default.removeItem(atPath: scratch.path)
        folder.keep(response("A"), as: key(0))
        told.wait()
        #expect(found(0, in: folder) == nil)
        mkdir(scratch.path, 0o700)
        folder.keep(response("B"), as: key(0))
        folder.keep(response("C"), as: key(1))
        folder.close()
        #expect(files.count == 2 && reports.all.count == 2)
        #expect(reports.all[0].hasSuffix("an answer is not kept, and maybe more: No such file or directory"))
        #expect(reports.all[1].hasSuffix("answers are kept again; 1 were not"))
    }

    @Test func writesAboveTheQueueAreDropped() throws {
        let folder = try folder(limits: CacheFolderThread.Limits(questions: 0, writings: 0))
        folder.keep(response("A"), as: key(0))
        #expect(found(0, in: folder) == nil)
        folder.close()
        #expect(files.isEmpty && reports.all.count == 1)
    }

    @Test func manyFilesDoNotDelayTheFirstLookup() throws {
        try keep(0..<1_000)
        let folder = try folder()
        #expect(found(999, in: folder) == "A999")
        folder.close()
    }
}

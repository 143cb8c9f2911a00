import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct RuntimeRecordTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }
    private var file: String { "\(folder.path)/headgate/\(getpid()).run" }

    init() throws { folder = try TemporaryFolder() }

    @Test func runningGatewayIsFoundWithItsAddressesAndItsFile() throws {
        let record = try make()
        defer { record.remove() }
        let found = RuntimeRecord.running(environment)
        #expect(found.count == 1)
        #expect(found.first?.pid == getpid())
        #expect(found.first?.addresses == ["http://127.0.0.1:1"])
        #expect(found.first?.file == "/etc/headgate.yaml")
        #expect(fileMode(file) == 0o600)
        #expect(fileMode(folder.path + "/headgate") == 0o700)
    }

    @Test func reloadIsReportedWithItsResult() throws {
        let record = try make()
        defer { record.remove() }
        record.begin()
        #expect(RuntimeRecord.running(environment).first?.begun == 1)
        #expect(RuntimeRecord.running(environment).first?.ended == 0)
        record.end("line one\nline two", addresses: ["http://127.0.0.1:2"])
        let after = try #require(RuntimeRecord.running(environment).first)
        #expect(after.ended == 1)
        #expect(after.failure == "line one\nline two")
        #expect(after.addresses == ["http://127.0.0.1:2"])
    }

    @Test func handoverIsReportedWithTheSuccessor() throws {
        let record = try make()
        defer { record.remove() }
        record.begin()
        record.handOver(to: 4711)
        let after = try #require(RuntimeRecord.running(environment).first)
        #expect(after.ended == 1 && after.successor == 4711 && after.failure.isEmpty)
    }

    @Test func removedRecordHasNoOwner() throws {
        try make().remove()
        #expect(fileMode(file) == nil)
        #expect(RuntimeRecord.running(environment).isEmpty)
    }

    @Test func staleRecordIsRemoved() throws {
        mkdir(folder.path + "/headgate", 0o700)
        try folder.file("headgate/4711.run", "begun 0\nended 0\n")
        #expect(RuntimeRecord.running(environment).isEmpty)
        #expect(fileMode(folder.path + "/headgate/4711.run") == nil)
    }

    @Test func folderWritableByOthersIsNotUsed() throws {
        mkdir(folder.path + "/headgate", 0o700)
        chmod(folder.path + "/headgate", 0o777)
        #expect(RuntimeRecord.make(environment, addresses: [], file: nil) == nil)
        #expect(RuntimeRecord.running(environment).isEmpty)
    }

    private func make() throws -> RuntimeRecord {
        try #require(
            RuntimeRecord.make(environment, addresses: ["http://127.0.0.1:1"], file: "/etc/headgate.yaml"))
    }
}

@Suite struct RuntimeRecordContentsTests {
    @Test(arguments: ["plain", "two\nlines", "back\\slash\\n", "a\r\nb", "\u{1F600}\n\u{301}"])
    func contentsAreReadBackUnchanged(text: String) {
        var contents = RuntimeRecord.Contents(pid: 7, addresses: ["unix:/run/\(text)"], file: text)
        contents.begun = 3
        contents.ended = 2
        contents.failure = text
        (contents.isReplaceable, contents.predecessor, contents.successor) = (true, 6, 8)
        #expect(RuntimeRecord.Contents(pid: 7, text: contents.text) == contents)
    }

    @Test func truncatedFileIsNotARecord() {
        let text = RuntimeRecord.Contents(pid: 7, addresses: ["http://127.0.0.1:1"]).text
        #expect(RuntimeRecord.Contents(pid: 7, text: String(text.dropLast())) == nil)
        #expect(RuntimeRecord.Contents(pid: 7, text: "") == nil)
        #expect(RuntimeRecord.Contents(pid: 7, text: "begun 1\n") == nil)
    }

    @Test func memberOfANewerGatewayIsIgnored() {
        #expect(RuntimeRecord.Contents(pid: 7, text: "begun 1\nended 1\nfuture x\n")?.ended == 1)
    }

    @Test func longFailureAndManyAddressesFitTheFile() {
        var contents = RuntimeRecord.Contents(pid: 7)
        contents.addresses = (0..<5000).map { "http://127.0.0.1:\($0)" }
        contents.failure = String(repeating: "\n\u{1F600}", count: 100_000)
        #expect(contents.text.utf8.count <= RuntimeRecord.Contents.limit)
        #expect(RuntimeRecord.Contents(pid: 7, text: contents.text)?.failure.hasSuffix(" ...") == true)
    }
}

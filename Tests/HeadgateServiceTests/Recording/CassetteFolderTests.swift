import HeadgateCassettes
import HeadgateConfiguration
import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateService

@Suite struct CassetteFolderTests {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func text(model: String = "m", route: String = "/chat/completions") -> [UInt8] {
        Cassette(
            model: model, route: route,
            request: .init(method: "POST", path: "/v1\(route)", body: .bytes(Array("{\"model\":\"\(model)\"}".utf8))),
            response: .init(status: 200, chunks: [.init(milliseconds: 1, .bytes([1, 2, 3]))]), end: .init(.complete)
        ).text
    }

    private func complaint(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? Complaint)?.message ?? "\(error)"
        }
    }

    @Test func recordingsComeInTheOrderOfTheirNames() throws {
        for name in ["b", "a", "c"] { try home.file("\(name).cassette", text(model: name)) }
        try home.file("notes.txt", [1])
        try home.file(".half.cassette", [1])
        let files = try CassetteFolder(home.path).read()
        #expect(files.map(\.name) == ["a.cassette", "b.cassette", "c.cassette"])
        #expect(files.map(\.cassette.model) == ["a", "b", "c"])
    }

    @Test func mistakeIsReportedWithFileAndLine() throws {
        try home.file("x.cassette", Array("headgate-cassette 1\n\nPOST /v1\n\n200 chunked\n".utf8))
        #expect(
            complaint { _ = try CassetteFolder(home.path).read() }?
                .hasPrefix("\(home.path)/x.cassette:5: error: expected a status") == true)
    }

    @Test func unreadableFileIsSkippedAndNamed() throws {
        try home.file("1.cassette", text(model: "a"))
        try home.file("2.cassette", Array("headgate-cassette 1\n".utf8))
        try home.file("3.cassette", Array(text(model: "c").dropLast(9)))
        try #require(mkfifo(home.path + "/4.cassette", 0o600) == 0)
        try home.file("5.cassette", text(model: "e"))
        let folder = CassetteFolder(home.path)
        var skipped: [String] = []
        #expect(try folder.read { skipped.append($0.message) }.map(\.cassette.model) == ["a", "e"])
        #expect(skipped.count == 3)
        for (line, name) in zip(
            skipped, ["2.cassette:2: error", "3.cassette:", "4.cassette: it is not a regular file"])
        {
            #expect(line.contains(name), "\(line)")
        }
        #expect(try folder.readIfAny().count == 2)
        let configuration = Configuration(
            upstreams: [], models: [], record: RecordConfiguration(folder: home.path, mode: .replay))
        try configuration.checkRecording()
        #expect(configuration.unreadableRecordings.count == 3)
    }

    @Test(arguments: [
        (String(repeating: "m", count: 256), String(repeating: "m", count: 256)),
        (String(repeating: "m", count: 257), String(repeating: "m", count: 255) + "*"),
        ("m" + String(repeating: "é", count: 200), "m" + String(repeating: "é", count: 127) + "*"),
        ("a*b", "a*"), ("a\u{7F}b", "a*"),
    ])
    func unconfigurableNameIsServedByAPattern(_ name: String, _ served: String) throws {
        try home.file("1.cassette", text(model: name))
        try home.file("2.cassette", text(model: "*"))
        try home.file("3.cassette", text(model: "other"))
        let configuration = try ConfigurationSource(file: nil, replaying: home.path, environment: [:]).load()
        #expect(Set(configuration.models.map(\.name)) == [served, "other"])
    }

    @Test func emptyOrMissingFolderCannotBeReplayed() throws {
        #expect(complaint { _ = try CassetteFolder(home.path).read() }?.contains("holds no recording") == true)
        let missing = CassetteFolder(home.path + "/none")
        #expect(complaint { _ = try missing.read() }?.contains("cannot be read") == true)
        #expect(try missing.readIfAny().isEmpty)
    }

    @Test func folderIsCreatedPrivate() throws {
        let folder = CassetteFolder(home.path + "/new/er")
        try folder.checkWritable()
        #expect(access(folder.path, F_OK) != 0)
        try folder.make()
        var status = stat()
        #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        try folder.make()
    }

    @Test func fileInThePlaceOfAFolderIsRefused() throws {
        try home.file("file", [1])
        for path in ["file", "file/sub"] {
            #expect(complaint { try CassetteFolder("\(home.path)/\(path)").make() } != nil, "\(path)")
        }
    }

    @Test func recordingsAreASufficientConfiguration() throws {
        try home.file("1.cassette", text(model: "gpt-5"))
        try home.file("2.cassette", text(model: "claude's", route: "/messages"))
        try home.file("3.cassette", text(model: "gpt-5", route: "/responses"))
        try home.file("4.cassette", text(model: "embed", route: "/embeddings"))
        let source = ConfigurationSource(
            file: nil, replaying: home.path, environment: ["HEADGATE_CONFIG": "/none", "OPENAI_API_KEY": "sk-x"])
        let configuration = try source.load()
        #expect(source.isOfRecordingsAlone && configuration.isReplayed)
        #expect(Set(configuration.models.map(\.name)) == ["gpt-5", "claude's", "embed"])
        #expect(configuration.upstreams.allSatisfy { $0.apiKeys.isEmpty })
        func formats(of model: String) -> Set<SpokenFormat>? {
            let upstream = configuration.models.first { $0.name == model }?.targets[0].upstream
            return configuration.upstreams.first { $0.name == upstream }.map { Set($0.speaks) }
        }
        #expect(formats(of: "gpt-5") == [.chat, .responses] && formats(of: "claude's") == [.messages])
        #expect(configuration.listeners.map(\.address) == [.tcp(host: "127.0.0.1", port: 0)])
    }

    @Test func fileOfAConfigurationIsReplayedToo() throws {
        let path = home.path + "/h.yaml"
        try home.file(
            "h.yaml",
            Array(
                """
                upstreams: {a: {kind: openai, base_url: "http://127.0.0.1:9/v1"}}
                models: {fast: {upstream: a}}
                record: {folder: elsewhere, mode: record, ignore: [user]}
                """.utf8))
        let source = ConfigurationSource(file: path, replaying: "/cassettes", environment: [:])
        let record = try source.load().record
        #expect(record?.folder == "/cassettes" && record?.mode == .replay && record?.ignored == ["user"])
        #expect(!source.isOfRecordingsAlone)
    }
}

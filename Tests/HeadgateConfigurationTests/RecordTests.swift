import HeadgateConfiguration
import Testing

@Suite struct RecordTests {
    private static let upstream = "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:9/v1\"}}\n"

    private func record(_ text: String, file: String = "t.yaml") throws -> RecordConfiguration? {
        try Configuration.parse(text: "\(RecordTests.upstream)record: \(text)\n", file: file, environment: [:]).record
    }

    @Test func recordingIsOffByDefault() throws {
        #expect(try parse(RecordTests.upstream).record == nil)
        #expect(try record("") == nil)
    }

    @Test func folderIsEnough() throws {
        #expect(try record("{folder: cassettes}") == RecordConfiguration(folder: "cassettes", mode: .record))
    }

    @Test func folderIsRelativeToTheFile() throws {
        #expect(try record("{folder: c}", file: "/etc/headgate/h.yaml")?.folder == "/etc/headgate/c")
        #expect(try record("{folder: c}", file: "../h.yaml")?.folder == "../c")
        #expect(try record("{folder: /var/c}", file: "/etc/h.yaml")?.folder == "/var/c")
    }

    @Test func everyKeyIsRead() throws {
        var expected = RecordConfiguration(folder: "/c", mode: .recordOnMiss)
        (expected.ignored, expected.pace) = (["user", "metadata"], .recorded)
        #expect(
            try record("{folder: /c, mode: record_on_miss, bodies: true, ignore: [user, metadata], pace: recorded}")
                == expected)
        #expect(try record("{folder: /c, bodies: false}")?.bodies == false)
    }

    @Test(arguments: [
        BadInput("{mode: replay}", "2:1: error: record: 'folder' is missing: name the folder of the recordings"),
        BadInput(
            "{folder: c, mode: replays}",
            "2:27: error: mode: found \"replays\", expected record, replay or record_on_miss; "
                + "did you mean \"replay\"?"),
        BadInput(
            "{folder: c, mode: replay, bodies: false}",
            "2:43: error: bodies: what has no bodies cannot be replayed: remove it, or set mode: record"),
        BadInput(
            "{folder: c, ignore: [model]}",
            "2:30: error: ignore: found \"model\", one model's recording would answer for another: remove it"),
        BadInput("{folder: \"\"}", "2:18: error: folder: found \"\", expected the path of a folder"),
    ])
    func mistakeIsReportedAtItsPlace(_ input: BadInput) {
        BadInput("\(RecordTests.upstream)record: \(input.text)\n", input.issue).check()
    }
}

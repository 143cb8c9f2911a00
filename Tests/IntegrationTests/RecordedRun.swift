import Foundation
import HeadgateCassettes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateRelay
import HeadgateTesting
import Testing

/// Recording of every gateway in a test run with `HEADGATE_TESTS_RECORD=1` in the environment.
///
/// Each recording, in its form on disk, is searched for every secret used so far, and is not stored. The search ends
/// with its test, because recordings are written on the loop. Such a run omits tests of times and of many megabytes.
enum RecordedRun {
    static let isOn = ProcessInfo.processInfo.environment["HEADGATE_TESTS_RECORD"] == "1"

    private static let secrets = Locked<Set<String>>([RunningGateway.clientKey])
    static let searched = Locked(0)

    /// Returns the recorder of a gateway's exchanges; nil if the run is not recorded.
    static func recording(_ definitions: [UpstreamDefinition]) -> Recording? {
        guard isOn else { return nil }
        let used = definitions.flatMap(\.credentials).map { $0.reveal() }
        secrets.withLock { $0.formUnion(used) }
        return recording(definitions, sink: Search())
    }

    static func recording(_ definitions: [UpstreamDefinition], sink: any CassetteSink) -> Recording {
        let configuration = RecordConfiguration(folder: "/", mode: .record)
        return Recording(
            configuration, shelf: Locked(CassetteShelf([])),
            recorder: Recorder(
                configuration, definitions: definitions, secrets: [Secret(RunningGateway.clientKey)], sink: sink),
            clock: RecordingClock(
                realtime: { 1_800_000_000_000_000_000 }, now: { EventLoop.current.now }, after: { _, _ in nil }))
    }

    /// Returns the secrets that a recording contains, in any spelling.
    static func leaks(in cassette: Cassette) -> [String] {
        let parts = [cassette.text, cassette.request.body?.bytes ?? [], cassette.responseBody ?? []]
        let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        return secrets.withLock { $0 }.filter { secret in spellings(secret).contains { text.contains($0) } }
    }

    /// Returns the secret unchanged, percent-encoded, escaped as in JSON, and the middle of its base64 at each
    /// alignment.
    static func spellings(_ secret: String) -> [String] {
        let all = secret.utf8.map { String(format: "%%%02x", $0) }.joined()
        let escaped = secret.utf16.map { String(format: "\\u%04x", $0) }.joined()
        let encoded = (0..<3).flatMap { before in
            let whole = Data(Array(repeating: 0x78, count: before) + secret.utf8).base64EncodedString()
            let middle = String(whole.dropFirst(before == 0 ? 0 : before + 1).dropLast(3))
            return [middle, middle.replacing("+", with: "-").replacing("/", with: "_")]
        }
        return [secret, all, all.uppercased(), escaped] + encoded
    }

    private struct Search: CassetteSink {
        func write(_ make: @escaping @Sendable () -> CassetteFile?) {
            guard let file = make() else { return }
            RecordedRun.searched.withLock { $0 += 1 }
            let leaks = RecordedRun.leaks(in: file.cassette)
            if !leaks.isEmpty { Issue.record("\(file.name) holds \(leaks.count) of the run's secrets") }
        }

        func drop() {}
    }
}

@Suite struct RecordedRunTests {
    private static func forms(_ secret: String) -> [String] {
        ["", "a", "ab"].map { Data(($0 + secret + "!").utf8).base64EncodedString() } + [
            secret, secret.utf8.map { String(format: "%%%02X", $0) }.joined(),
            secret.utf8.map { String(format: "\\u00%02x", $0) }.joined(),
        ]
    }

    @Test func searchFindsEverySpelling() {
        let secret = RunningGateway.clientKey
        for form in Self.forms(secret) {
            let cassette = Cassette(
                route: "/", request: Cassette.Request(method: "POST", path: "/"),
                response: Cassette.Response(
                    status: 200, chunks: [.init(milliseconds: 0, .bytes(Array("{\"x\":\"\(form)\"}".utf8)))]),
                end: Cassette.End(.complete))
            #expect(RecordedRun.leaks(in: cassette) == [secret], "\(form)")
        }
    }

    /// The upstream echoes its key in every spelling, which is the most likely leak.
    @Test(.enabled(if: RecordedRun.isOn)) func responseWithTheKeyIsRecordedWithoutIt() async throws {
        let told = Self.forms(RunningGateway.upstreamKey).joined(separator: " ")
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion(told)))
        let before = RecordedRun.searched.withLock { $0 }
        #expect(try await running.ask().status == 200)
        #expect(RecordedRun.searched.withLock { $0 } > before)
    }
}

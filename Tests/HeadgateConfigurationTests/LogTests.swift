import HeadgateConfiguration
import Testing

@Suite struct LogTests {
    private static let upstream = "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:9/v1\"}}\n"

    private func log(_ text: String) throws -> LogConfiguration { try parse("\(LogTests.upstream)log: \(text)\n").log }

    @Test func withoutItRequestsGoToStandardError() throws {
        #expect(try parse(LogTests.upstream).log == LogConfiguration())
        #expect(try log("") == LogConfiguration())
        #expect(LogConfiguration().file == nil && LogConfiguration().level == .info)
    }

    @Test func everyKeyIsRead() throws {
        let log = try log("{format: json, level: warn, file: /var/log/h.log, rotate: {size: 1MiB, keep: 0}}")
        #expect((log.format, log.level, log.file) == (.json, .warn, "/var/log/h.log"))
        #expect(log.rotation?.size == 1 << 20 && log.rotation?.kept == 0)
    }

    @Test(arguments: [("", false), ("upstream_errors: false", false), ("upstream_errors: true", true)])
    func upstreamMessagesAreLoggedOnRequest(text: String, isWanted: Bool) throws {
        let configuration = try parse("\(LogTests.upstream)log: {\(text)}\n")
        #expect(configuration.log.hasUpstreamErrors == isWanted)
        #expect(configuration.upstreams.map(\.logsErrors) == [isWanted])
    }

    @Test func rotationHasDefaults() throws {
        #expect(try log("{file: /h.log, rotate: {}}").rotation == LogRotation())
        #expect(LogRotation().size == 100 << 20 && LogRotation().kept == 5)
    }

    @Test(arguments: [
        BadInput(
            "{format: pretty}", "2:15: error: format: found \"pretty\", expected auto, text or json"),
        BadInput(
            "{level: inf}",
            "2:14: error: level: found \"inf\", expected debug, info, warn or error; "
                + "did you mean \"info\"?"),
        BadInput(
            "{file: requests.log}", "2:13: error: file: found \"requests.log\", expected an absolute path of a file"),
        BadInput("{rotate: {}}", "2:7: error: rotate: there is no file to rotate: name one in file:"),
        BadInput("{file: /h.log, rotate: {size: 1KiB}}", "2:36: error: size: found \"1KiB\", expected at least 64KiB"),
    ])
    func impossibleValueIsReportedWithItsPlace(_ input: BadInput) throws {
        BadInput("\(LogTests.upstream)log: \(input.text)\n", input.issue).check()
    }
}

import HeadgateConfiguration
import Testing

@Suite struct AlertsTests {
    private static let upstream = "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:9/v1\"}}\n"

    private func alerts(_ text: String, _ environment: [String: String] = [:]) throws -> AlertsConfiguration? {
        try parse(AlertsTests.upstream + "alerts: \(text)\n", environment: environment).alerts
    }

    @Test func withoutItNothingIsReported() throws {
        #expect(try parse(AlertsTests.upstream).alerts == nil)
    }

    @Test func everyKeyIsRead() throws {
        let alerts = try #require(
            try alerts("{command: [notify, \"a b\"], url: \"${HOOK}\", timeout: 2s}", ["HOOK": "https://h.example/T/S"])
        )
        #expect(alerts.command == ["notify", "a b"] && alerts.timeout == .seconds(2))
        #expect(alerts.url?.description == "https://h.example/T/S")
        #expect(try self.alerts("{command: [notify]}")?.timeout == .seconds(10))
    }

    @Test(arguments: [
        BadInput(
            "alerts: {timeout: 1s}",
            "2:1: error: alerts has neither command nor url: add command: "
                + "[program, argument], or url: https://..."),
        BadInput("alerts: {command: []}", "2:19: error: command: the list is empty: name the program"),
    ]) func alertsThatReportNothingAreRefused(_ input: BadInput) {
        BadInput(AlertsTests.upstream + input.text + "\n", input.issue).check()
    }

    @Test func secretOfTheURLIsNotShown() throws {
        let found = issues(AlertsTests.upstream + "alerts: {url: \"ftp://h.example/s3cret\"}\n")
        #expect(found.count == 1 && !found.joined().contains("s3cret"))
        let text = AlertsTests.upstream + "models: {\"*\": {upstream: a}}\nalerts: {url: \"http://h.example/s3cret\"}\n"
        let told = try warnings(text)
        #expect(told.count == 1 && told[0].contains("h.example in the clear") && !told[0].contains("s3cret"))
    }
}

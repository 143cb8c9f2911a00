import HeadgateFaults
import Testing

@testable import HeadgateConfiguration

/// Faults in the configuration and in requests.
@Suite struct FaultInjectionTests {
    private static let models = "models: {m: {upstream: on-device}}\n"

    private func injection(_ text: String) throws -> FaultInjectionConfiguration {
        try parse("\(Self.models)fault_injection: {\(text)}").faultInjection
    }

    @Test func faultInjectionIsOffByDefault() throws {
        #expect(try parse(Self.models).faultInjection == FaultInjectionConfiguration())
        #expect(try injection("enabled: true") == FaultInjectionConfiguration(isEnabled: true))
    }

    @Test func everyKeyOfARuleArrives() throws {
        var fault = Fault()
        fault.end = .cut
        fault.eventsBeforeEnd = 3
        let rules = try injection(
            "enabled: true, rules: [{model: m, upstream: on-device, percent: 5, seed: 7, fault: {cut_after_events: 3}}]"
        ).rules
        #expect(rules == [FaultRule(model: "m", upstream: "on-device", percent: 5, seed: 7, fault: fault)])
    }

    @Test(arguments: [
        "status=429; retry_after=7", "delay_head=1s", "delay_content=250ms", "cut_after_events=3",
        "reset_after_events=0", "stall_after_events=2", "drip=10; split=1", "malformed_json=2", "error_in_200=true",
        "content_type=text/html; towards=client", "delay_head=1ms; status=503",
    ])
    func logDescribesRequestedFaults(_ text: String) throws {
        let fault = try Fault(parsing: text)
        let members = { (text: String) in Set(text.split(separator: "; ")) }
        #expect(members(fault.description) == members(text))
        let mapping = text.replacing("=", with: ": ").replacing(";", with: ",")
        #expect(try injection("enabled: true, rules: [{fault: {\(mapping)}}]").rules.first?.fault == fault)
    }

    @Test(arguments: [
        ("", "no fault is named: write one such as cut_after_events=3"),
        ("cut_after_events", "expected members such as"), ("secret=1", "expected members such as"),
        ("status=200", "status: expected a whole number from 400 to 599"),
        ("drip=0", "drip: expected a whole number from 1 to 1000000000"),
        ("delay_head=1", "delay_head: expected a duration"),
        ("cut_after_events=1; stall_after_events=2", "stall_after_events: a stream ends once"),
        ("retry_after=1; drip=1", "retry_after: add the status"),
        ("status=500; drip=1", "status and error_in_200 stand for the whole response"),
        ("status=500; error_in_200=true", "status and error_in_200 stand for the whole response"),
        ("content_type=html", "content_type: expected a media type"),
        ("content_type=a/b\r\nx: y", "content_type: expected a media type"),
        ("towards=me; drip=1", "towards: expected gateway or client"),
    ])
    func unclearRequestIsReportedWithoutItsText(_ text: String, _ message: String) {
        #expect {
            try Fault(parsing: text)
        } throws: { error in
            let told = (error as? InvalidValue)?.message ?? ""
            return told.hasPrefix(message) && !told.contains("secret")
        }
    }

    /// Keys can be added and removed at run time, so the configuration need not have a rule's key.
    @Test func ruleForAnUnlistedKeyIsWarnedAbout() throws {
        let text = "fault_injection: {enabled: true, rules: [{key: nobody, fault: {drip: 1}}]}"
        #expect(try parse("\(Self.models)\(text)").faultInjection.rules.map(\.key) == ["nobody"])
        let found = try self.warnings(text)
        #expect(
            found.contains { $0.hasPrefix("t.yaml:2:43: warning: key: the configuration has none of this name") },
            "\(found)")
    }

    @Test(arguments: [
        ("rules: [{}]", "a rule has no fault: add one such as fault: {status: 429}"),
        ("rules: [{fault: {}}]", "fault: no fault is named"),
        ("rules: [{fault: {status: 99}}]", "status: found \"99\", expected a whole number from 400 to 599"),
        ("rules: [{modle: m, fault: {drip: 1}}]", "unknown key \"modle\": did you mean \"model\"?"),
        ("rules: [{upstream: on-devise, fault: {drip: 1}}]", "no upstream has this name: did you mean \"on-device\"?"),
        ("rules: [{key: laptpo, fault: {drip: 1}}]", "no key has this name: did you mean \"laptop\"?"),
        ("rules: [{percent: 0, fault: {drip: 1}}]", "percent: found \"0\", expected a whole number from 1 to 100"),
        (
            "rules: [{upstream: on-device, fault: {drip: 1, towards: client}}]",
            "upstream: what goes towards the client is decided before an upstream is chosen"
        ),
    ])
    func mistakeIsReportedWithItsPlace(_ text: String, _ message: String) {
        let keys = "keys: [{name: laptop, sha256: \(String(repeating: "ab", count: 32))}]"
        let found = issues("\(Self.models)fault_injection: {enabled: true, \(text)}\n\(keys)")
        #expect(found.count == 1 && found[0].hasPrefix("t.yaml:2:") && found[0].contains(message), "\(found)")
    }

    private func warnings(_ text: String) throws -> [String] {
        try HeadgateConfigurationTests.warnings("\(Self.models)\(text)")
    }

    @Test func disabledRulesAreWarnedAbout() throws {
        let warnings = try self.warnings("fault_injection: {rules: [{fault: {drip: 1}}]}")
        #expect(warnings.contains { $0.contains("rules: without enabled: true they change nothing") })
        let off = try self.warnings("fault_injection: {enabled: false, rules: [{fault: {drip: 1}}]}")
        #expect(off.isEmpty, "who says so knows it")
    }
}

import HeadgateConfiguration
import Testing

/// Configuration of hedging.
@Suite struct HedgeTests {
    private static let two = "targets: [{upstream: on-device, model: a}, {upstream: on-device, model: b}]"

    private func file(_ fields: String) -> String { "models: {m: {\(fields)}}" }

    private func hedge(_ fields: String) throws -> HedgeConfiguration? {
        try parse(file("\(Self.two)\(fields)")).models[0].hedge
    }

    @Test func hedgingIsOffByDefault() throws { #expect(try hedge("") == nil) }

    @Test func aTimeOrThePercentileArrives() throws {
        #expect(try hedge(", hedge: {after: p95}") == HedgeConfiguration(after: .p95))
        #expect(try hedge(", hedge: {after: 800ms}") == HedgeConfiguration(after: .time(.milliseconds(800))))
        #expect(try hedge(", hedge: {after: 15s}") == HedgeConfiguration(after: .time(.seconds(15))))
    }

    @Test(arguments: [
        ("{after: 16s}", "after: found \"16s\", expected p95, or a duration such as 800ms or 2s (at most 15s)"),
        ("{after: p99}", "after: found \"p99\", expected p95"),
        ("{}", "hedge has no after: add one such as after: p95"),
        ("{before: 1s}", "unknown key \"before\""), ("p95", "hedge: found text, expected a mapping"),
    ])
    func mistakeIsReportedWithItsPlace(_ text: String, _ message: String) {
        let found = issues(file("\(Self.two), hedge: \(text)"))
        #expect(found.contains { $0.hasPrefix("t.yaml:1:") && $0.contains(message) }, "\(found)")
    }

    @Test func unusableHedgeIsWarnedAbout() throws {
        let alone = try warnings(file("upstream: on-device, hedge: {after: p95}"))
        #expect(alone.contains { $0.contains("hedge: with one target there is no other to ask") }, "\(alone)")
        let once = try warnings(file("\(Self.two), retry: {attempts: 1}, hedge: {after: p95}"))
        #expect(once.contains { $0.contains("hedge: attempts: 1 leaves no second one") }, "\(once)")
        #expect(try warnings(file("\(Self.two), hedge: {after: p95}")).isEmpty)
    }
}

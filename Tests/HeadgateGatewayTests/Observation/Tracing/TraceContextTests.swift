import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"
    private static let parent = "00-\(trace)-\(span)-01"

    private func context(_ fields: [(String, String)]) -> TraceContext? {
        var all = HTTPFields()
        for (name, value) in fields { all.append(HTTPField(name: .known(name), value: value)) }
        return TraceContext(of: HeadFields(all))
    }

    @Test func examplesOfTheSpecificationAreRead() throws {
        let context = try #require(TraceContext(traceparent: Self.parent))
        #expect("\(context.traceID)" == Self.trace && "\(context.spanID)" == Self.span && context.isSampled)
        #expect(context.traceparent == Self.parent)
        #expect(TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-00")?.isSampled == false)
    }

    @Test func otherFlagsAreNotPassedOn() {
        let context = TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-ff")
        #expect(context?.traceparent == Self.parent)
    }

    @Test(arguments: ["", "-", "-what-the-future-holds"]) func laterVersionsBeginLikeTheFirst(_ rest: String) {
        #expect(TraceContext(traceparent: "01-\(Self.trace)-\(Self.span)-01\(rest)")?.traceparent == Self.parent)
        #expect(TraceContext(traceparent: "fe-\(Self.trace)-\(Self.span)-01\(rest)") != nil)
    }

    @Test(arguments: [
        "", "00", "00-", "00-\(trace)", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-1",
        "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-more", "00-\(trace)-\(span)-011",
        "01-\(trace)-\(span)-01more", "ff-\(trace)-\(span)-01", "FF-\(trace)-\(span)-01", "0-\(trace)-\(span)-001",
        "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-\(span)-01", "00-\(trace)-00F067AA0BA902B7-01",
        "00-\(trace)-\(span)-0G", "00-\(trace)-\(span)-0A", "00_\(trace)-\(span)-01", "00-\(trace)_\(span)-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-\(span)-01", "00-4bf92f3577b34da6a3ce929d0e0e473g-\(span)-01",
        "00-\(trace)-00f067aa0ba902b-01", " 00-\(trace)-\(span)-01", "\(parent), \(parent)", "00-\(trace)-\(span)-é",
    ]) func invalidContextIsIgnored(_ text: String) {
        #expect(TraceContext(traceparent: text) == nil)
        // Spaces around a header value are not part of it.
        #expect(text.hasPrefix(" ") || context([("traceparent", text)]) == nil)
    }

    @Test func twoParentsAreIgnored() {
        #expect(context([("traceparent", Self.parent), ("traceparent", Self.parent)]) == nil)
        #expect(context([("TraceParent", Self.parent)])?.traceparent == Self.parent)
        #expect(context([]) == nil)
    }

    @Test func stateIsForwardedInOrder() {
        let context = context([
            ("tracestate", "b=2"), ("traceparent", Self.parent), ("tracestate", "a=1, t@v=x"),
        ])
        #expect(context?.state == "b=2,a=1, t@v=x")
    }

    @Test(arguments: [
        "a=1", "a=1,b=2", "a=1 , b=2", "a=,b=2".replacing("=,", with: "=x,"), "0a@v=1", "a/b*c_d-e=1", "a=1,,b=2",
        "congo=t61rcWkgMzE", "a=!~ x",
    ]) func validStateIsUnchanged(_ state: String) {
        #expect(TraceState.accepted([state]) == state)
    }

    @Test(arguments: [
        "a", "=1", "a=", "A=1", "a=1,a=2", "a=1=2", "a=é", "a@b@c=1", "a b=1", "_a=1", "a=\u{1}",
        "\(String(repeating: "k", count: 257))=1", "a=\(String(repeating: "v", count: 257))",
        (1...33).map { "k\($0)=1" }.joined(separator: ","),
        (1...20).map { "k\($0)=\(String(repeating: "v", count: 60))" }.joined(separator: ","),
    ]) func damagedOrLongStateIsDroppedAndTheTraceContinues(_ state: String) {
        #expect(TraceState.accepted([state]) == "")
        #expect(context([("traceparent", Self.parent), ("tracestate", state)])?.traceparent == Self.parent)
    }

    @Test func boundsOfAStateAreInside() {
        let most = (1...32).map { "k\($0)=1" }.joined(separator: ",")
        #expect(TraceState.accepted([most]) == most)
        let long = (1...4).map { "k\($0)=\(String(repeating: "v", count: 252))" }.joined(separator: ",")
        #expect(long.utf8.count == TraceState.longest - 1 && TraceState.accepted([long]) == long)
    }

    @Test func idsAreNeverZeroAndDigitsAreWhole() {
        #expect(TraceID(high: 0, low: 1).description == "00000000000000000000000000000001")
        #expect(SpanID(number: .max).description == "ffffffffffffffff")
        #expect(TraceID.random() != TraceID.random() && SpanID.random() != SpanID.random())
    }
}

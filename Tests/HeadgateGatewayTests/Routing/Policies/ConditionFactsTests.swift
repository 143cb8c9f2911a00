import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ConditionFactsTests {
    private static let text = #""messages":[{"role":"user","content":"u"}]"#

    private func meets(
        _ members: String, _ fields: HTTPFields = [:], caller: String = "laptop",
        group: String? = nil, _ change: (inout TargetCondition) -> Void
    ) throws -> Bool {
        var condition = TargetCondition()
        change(&condition)
        let envelope = try RequestEnvelope(Array("{\"model\":\"m\",\(members)}".utf8))
        return ConditionFacts(envelope, HeadFields(fields), caller: caller, group: group).meet(condition)
    }

    @Test(arguments: [
        #""messages":[{"role":"user","content":[{"type":"text","text":"t"},{"type":"image_url","image_url":{}}]}]"#,
        #""messages":[{"content":[{"type":"tool_result","content":[{"type":"image","source":{}}]}],"role":"user"}]"#,
        #""messages":[{"role":"user","content":"u","images":["QUJD"]}]"#,
        #""messages":[],"input":[{"type":"function_call_output","output":[{"type":"input_image"}]}]"#,
        #""messages":[],"images":["QUJD"]"#,
    ]) func imagesAreFoundInEveryFormat(_ members: String) throws {
        #expect(try meets(members) { $0.images = true })
        #expect(try !meets(members) { $0.images = false })
    }

    @Test(arguments: [
        Self.text, #""messages":[{"role":"user","content":"\"type\":\"image_url\""}]"#,
        #""messages":[{"role":"user","content":"u","images":[]}]"#, #""messages":[1,null]"#,
        #""messages":[{"role":"assistant","tool_calls":[{"type":"image"}]}]"#, #""messages":[],"images":"x""#,
    ]) func textIsNotAnImage(_ members: String) throws {
        #expect(try !meets(members) { $0.images = true })
        #expect(try meets(members) { $0.images = false })
    }

    /// The tools after the messages are found at every depth.
    @Test(arguments: [(4, true), (5, false)])
    func imagesAreFoundFourLevelsDeep(_ levels: Int, _ isFound: Bool) throws {
        let part = (0..<levels).reduce(#"{"type":"image"}"#) { part, _ in #"{"content":[\#(part)]}"# }
        #expect(try meets(#""messages":[\#(part)],"tools":[{}]"#) { $0.images = isFound })
        #expect(try meets(#""messages":[\#(part)],"tools":[{}]"#) { $0.tools = true })
    }

    @Test func toolsAreThoseOfTheRequest() throws {
        #expect(try meets(#"\#(Self.text),"tools":[{"type":"function"}]"#) { $0.tools = true })
        for none in [Self.text, #"\#(Self.text),"tools":[]"#, #"\#(Self.text),"tools":null"#] {
            #expect(try !meets(none) { $0.tools = true })
            #expect(try meets(none) { $0.tools = false })
        }
    }

    @Test func promptExceedsTheTokens() throws {
        let long = #""messages":[{"role":"user","content":"\#(String(repeating: "word ", count: 4000))"}]"#
        #expect(try meets(long) { $0.tokensAbove = 1000 })
        #expect(try !meets(long) { $0.tokensAbove = 100_000 })
        #expect(try !meets(Self.text) { $0.tokensAbove = 1000 })
        let longest = #""messages":[{"role":"user","content":"base64 \#(String(repeating: "word ", count: 100_000))"}]"#
        #expect(try meets(longest) { $0.tokensAbove = 50_000 })
    }

    @Test func callerAndHeadersAreComparedExactly() throws {
        #expect(try meets(Self.text) { $0.keys = ["phone", "laptop"] })
        #expect(try !meets(Self.text) { $0.keys = ["Laptop"] })
        let fields: HTTPFields = [HTTPField.Name("X-Team")!: "search"]
        #expect(try meets(Self.text, fields) { $0.headers = [.init(name: "x-team", value: "search")] })
        #expect(try !meets(Self.text, fields) { $0.headers = [.init(name: "x-team", value: "Search")] })
        #expect(try !meets(Self.text) { $0.headers = [.init(name: "x-team", value: "search")] })
    }

    @Test func groupIsThatOfTheKey() throws {
        #expect(try meets(Self.text, group: "team-a") { $0.groups = ["team-b", "team-a"] })
        #expect(try !meets(Self.text, group: "Team-A") { $0.groups = ["team-a"] })
        #expect(try !meets(Self.text, caller: "team-a") { $0.groups = ["team-a"] })
    }

    @Test func allMembersMustBeMet() throws {
        #expect(
            try !meets(Self.text) {
                $0.keys = ["laptop"]
                $0.images = true
            })
    }

    // MARK: Through the gateway

    private func gateway() -> RoutedGateway {
        RoutedGateway([[.answer("a"), .answer("a")], [.answer("b"), .answer("b")]]) { model, _ in
            var condition = TargetCondition()
            condition.tools = true
            model.targets[0].condition = condition
        }
    }

    @Test func requestGoesToTheFirstMatchingTarget() async {
        let gateway = gateway()
        #expect(await gateway.chat(stream: false).status == 200)
        #expect(gateway.sent == [0, 1])
        #expect(await gateway.chat(stream: false, extra: #","tools":[{"type":"function"}]"#).status == 200)
        #expect(gateway.sent == [1, 1])
    }

    @Test func longRequestIsReadOnASideThread() async {
        let gateway = gateway()
        let filler = String(repeating: "x", count: LongDocument.threshold + 1)
        let extra = #","metadata":{"x":"\#(filler)"},"tools":[{"type":"function"}]"#
        #expect(await gateway.chat(stream: false, extra: extra).status == 200)
        #expect(gateway.sent == [1, 0])
    }

    @Test func targetWithoutConditionIsTheFallback() async {
        let gateway = RoutedGateway([[.json("", status: 503)], [.answer("b")]]) { model, _ in
            var condition = TargetCondition()
            condition.images = false
            model.targets[0].condition = condition
        }
        #expect(await gateway.chat(stream: false).status == 200)
        #expect(gateway.sent == [1, 1])
    }

    @Test func continuedResponseStaysAtTheUpstreamThatHasIt() async {
        let plan = PlannedTransport.Plan.json(
            #"{"id":"resp_1","object":"response","status":"completed","output":[]}"#)
        let gateway = RoutedGateway([[plan, plan], [plan, plan]]) { model, _ in
            var condition = TargetCondition()
            condition.tools = true
            model.targets[0].condition = condition
        }
        for members in [#""tools":[{"type":"function","name":"f"}]"#, #""previous_response_id":"resp_1""#] {
            let body = #"{"model":"m","input":"Hi",\#(members)}"#
            #expect(await gateway.running.ask(.post, "/v1/responses", body: body).status == 200)
        }
        #expect(gateway.sent == [2, 0])
    }
}

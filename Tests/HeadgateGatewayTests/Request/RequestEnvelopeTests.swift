import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RequestEnvelopeTests {
    private func envelope(_ text: String) throws(GatewayError) -> RequestEnvelope {
        try RequestEnvelope(Array(text.utf8))
    }

    private func upstream(_ text: String, model: String? = nil) throws -> String {
        String(decoding: try envelope(text).upstreamBody(model: model), as: UTF8.self)
    }

    private func refusal(_ text: String) -> GatewayError? {
        do throws(GatewayError) {
            _ = try envelope(text)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Reading

    @Test func membersAreReadInAnyOrder() throws {
        let read = try envelope(
            #" {"n":3,"stream_options":{"include_usage":true},"messages":[],"stream":true,"model":"a\/\u0062"} "#)
        #expect(read.model == "a/b" && read.isStream && read.choices == 3 && read.asksUsage)
    }

    @Test func absentAndNullMembersHaveTheirDefaults() throws {
        for members in ["", #","stream":null,"n":null,"stream_options":null"#, #","stream":false"#] {
            let read = try envelope(#"{"model":"m","messages":[]\#(members)}"#)
            #expect(!read.isStream && read.choices == 1 && !read.asksUsage)
        }
    }

    @Test func nestedMembersOfTheSameNameMeanNothing() throws {
        let text =
            #"{"messages":[{"model":"x","stream":true,"n":9}],"model":"m","metadata":{"model":"y","messages":1}}"#
        let read = try envelope(text)
        #expect(read.model == "m" && !read.isStream && read.choices == 1)
        #expect(try upstream(text) == text)
    }

    // MARK: Splices

    @Test func requestWithoutEditsIsForwardedUnchanged() throws {
        let text = #" { "model" : "m", "messages":[{"role":"user","content":"\ud83d é"}] , "x_mine":{"n": 1.0 }} "#
        #expect(try upstream(text) == text)
    }

    @Test func modelIsReplacedAnywhereInTheBody() throws {
        let inner = "in\"n\\er"
        #expect(
            try upstream(#"{"messages":[] , "mod\u0065l" : "pub\u006cic" }"#, model: inner)
                == #"{"messages":[] , "mod\u0065l" : "in\"n\\er" }"#)
        #expect(try upstream(#"{"model":"m","messages":[]}"#, model: inner) == #"{"model":"in\"n\\er","messages":[]}"#)
    }

    @Test(arguments: [
        // Stream options of the client, and those sent upstream.
        (#""stream_options":{}"#, #""stream_options":{"include_usage":true}"#),
        (#""stream_options": { } "#, #""stream_options": {"include_usage":true } "#),
        (#""stream_options":null"#, #""stream_options":{"include_usage":true}"#),
        (#""stream_options":{"include_usage":false}"#, #""stream_options":{"include_usage":true}"#),
        (#""stream_options":{"include_usage":null}"#, #""stream_options":{"include_usage":true}"#),
        (#""stream_options":{"include_usage":"yes"}"#, #""stream_options":{"include_usage":true}"#),
        (
            #""stream_options":{"a":1, "include_usage" : false ,"b":2}"#,
            #""stream_options":{"a":1, "include_usage" : true ,"b":2}"#
        ),
        (
            #""stream_options":{"include_obfuscation":false}"#,
            #""stream_options":{"include_usage":true,"include_obfuscation":false}"#
        ),
        (#""stream_options":{ "x":1}"#, #""stream_options":{"include_usage":true, "x":1}"#),
        (#""stream_options":{"include_usage":true}"#, #""stream_options":{"include_usage":true}"#),
        (#""stream_options":{"include_usag\u0065":false}"#, #""stream_options":{"include_usag\u0065":true}"#),
    ])
    func usageIsRequestedUpstream(_ written: String, _ sent: String) throws {
        func text(_ options: String) -> String { #"{"model":"m","stream":true,\#(options),"messages":[]}"# }
        #expect(try upstream(text(written)) == text(sent))
        #expect(try envelope(text(written)).asksUsage == (written == sent))
        let both = #"{\#(sent),"stream":true,"messages":[],"model":"inner"}"#
        #expect(try upstream(#"{\#(written),"stream":true,"messages":[],"model":"m"}"#, model: "inner") == both)
    }

    @Test func absentStreamOptionsAreAdded() throws {
        #expect(
            try upstream(#" { "model":"m","stream":true,"messages":[]}"#)
                == #" {"stream_options":{"include_usage":true}, "model":"m","stream":true,"messages":[]}"#)
    }

    @Test func streamOptionsOfAWholeResponseAreUnchanged() throws {
        let text = #"{"model":"m","stream_options":{"include_usage":false},"messages":[]}"#
        #expect(try upstream(text) == text)
    }

    // MARK: Refusals

    @Test(arguments: ["model", "stream", "n", "messages", "stream_options"]) func repeatedMemberIsRefused(
        _ name: String
    ) {
        let values = ["model": "\"m\"", "stream": "true", "n": "1", "messages": "[]", "stream_options": "{}"]
        let escaped = "\\u00" + String(name.utf8.first.map { String($0, radix: 16) } ?? "") + name.dropFirst()
        for again in [name, escaped] {
            let body = values.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            let error = refusal("{\(body),\"\(again)\":\(values[name] ?? "")}")
            #expect(error?.status == 400)
            #expect(error?.code == "duplicate_member")
            #expect(error?.parameter == name)
            #expect(error?.message.contains("twice") == true)
        }
    }

    @Test func repeatedIncludeUsageIsRefused() {
        let options = #"{"include_usage":false,"x":1,"include_\u0075sage":true}"#
        let error = refusal(#"{"model":"m","messages":[],"stream":true,"stream_options":\#(options)}"#)
        #expect(error?.code == "duplicate_member")
        #expect(error?.parameter == "include_usage")
    }

    @Test(arguments: [
        (#"{"messages":[]}"#, "model"), (#"{"model":"","messages":[]}"#, "model"),
        (#"{"model":null,"messages":[]}"#, "model"),
        (#"{"model":["m"],"messages":[]}"#, "model"), (#"{"model":"m"}"#, "messages"),
        (#"{"model":"m","messages":{}}"#, "messages"),
        (#"{"model":"m","messages":null}"#, "messages"), (#"{"model":"m","messages":[],"stream":"true"}"#, "stream"),
        (#"{"model":"m","messages":[],"stream":1}"#, "stream"), (#"{"model":"m","messages":[],"n":0}"#, "n"),
        (#"{"model":"m","messages":[],"n":129}"#, "n"), (#"{"model":"m","messages":[],"n":1.5}"#, "n"),
        (#"{"model":"m","messages":[],"n":"2"}"#, "n"), (#"{"model":"m","messages":[],"n":99999999999999999999}"#, "n"),
        (#"{"model":"m","messages":[],"stream_options":[]}"#, "stream_options"),
        (#"{"model":"m","messages":[],"stream_options":true}"#, "stream_options"),
    ])
    func wrongTypesAndMissingMembersAreRefused(_ text: String, _ parameter: String) {
        let error = refusal(text)
        #expect(error?.status == 400)
        #expect(error?.type == "invalid_request_error")
        #expect(error?.parameter == parameter)
    }

    @Test func modelNameCanHave512Bytes() throws {
        let longest = String(repeating: "m", count: 512)
        #expect(try envelope(#"{"model":"\#(longest)","messages":[]}"#).model == longest)
        #expect(refusal(#"{"model":"\#(longest)m","messages":[]}"#)?.parameter == "model")
    }

    @Test(arguments: [
        ("", 0), ("{\"model\":", 9), ("{\"model\":\"m\",}", 13), ("[]", 0), ("\u{FEFF}{}", 0), ("{} {}", 3),
        ("{\"a\":\"\n\"}", 6),
        ("{\"a\":'b'}", 5), ("{\"a\":1 // x\n}", 7), ("\"model\"", 0),
    ])
    func invalidJSONIsRefusedWithItsPlace(_ text: String, _ offset: Int) {
        let error = refusal(text)
        #expect(error?.status == 400)
        #expect(error?.code == "invalid_json")
        #expect(error?.message.contains("at byte \(offset)") == true, "\(error?.message ?? "")")
    }

    @Test func depthBombIsRefused() {
        for opening in ["[", "{\"a\":"] {
            let bomb = String(repeating: opening, count: 100_000)
            let error = refusal(#"{"model":"m","messages":[],"x":\#(bomb)"#)
            #expect(error?.code == "invalid_json")
            #expect(error?.message.contains("nested too deeply") == true)
        }
    }

    @Test func textThatIsNotUTF8IsRefused() {
        let bytes = Array(#"{"model":"m","messages":["#.utf8) + [0x22, 0xC3, 0x28, 0x22] + Array("]}".utf8)
        let error = #expect(throws: GatewayError.self) { try RequestEnvelope(bytes) }
        #expect(error?.code == "invalid_json")
    }

    @Test func refusalsQuoteNothingOfTheRequest() {
        let secret = "hunter2"
        for text in [
            #"{"model":\#(secret)}"#, #"{"\#(secret)":1,"\#(secret)":}"#, #"{"model":"m","messages":"\#(secret)"}"#,
        ] {
            #expect(refusal(text)?.message.contains(secret) == false)
        }
    }
}
